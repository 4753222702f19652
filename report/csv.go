// This file owns ross.csv: one row for each run, appended, so that a series of
// runs in one folder becomes a table. The first 57 columns are those of ROSS
// with RIO; ours follow.

package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// CSVName is the name of the table that AppendCSV appends to.
const CSVName = "ross.csv"

// ErrCSVHeader is wrapped by the error of AppendCSV if the existing table has
// other columns, for example because ROSS or another version wrote it.
var ErrCSVHeader = errors.New("its header names other columns")

// AppendCSV appends the run as a row to ross.csv in dir, which is created if
// necessary; an empty dir writes nothing. A new or empty table first gets the
// header, and a last row without line end, left by a full disk, first gets its
// line end. Everything is one write under a lock on the file, so runs that end
// at the same time in one folder share a table. A table with another header is
// left as it is, and the error wraps ErrCSVHeader.
//
// Every row has all columns, including remote_sends and remote_recvs (ROSS
// leaves them out on one rank, which shifts the rest). memory_alloc and
// memory_wasted are in KiB as in ROSS, max_memory in bytes, times in seconds
// with all digits.
func AppendCSV(dir string, s *Summary) error {
	if dir == "" {
		return nil
	}
	return appendTo(dir, CSVName, s)
}

// AppendOtherCSV is AppendCSV for a folder whose ross.csv has other columns. It appends to the first of ross-2.csv,
// ross-3.csv, ... that has those of the row, or does not exist, and returns its name.
func AppendOtherCSV(dir string, s *Summary) (name string, err error) {
	for n := 2; ; n++ {
		name = fmt.Sprintf("ross-%d.csv", n)
		if err = appendTo(dir, name, s); !errors.Is(err, ErrCSVHeader) {
			return name, err
		}
	}
}

func appendTo(dir, name string, s *Summary) error {
	path := filepath.Join(dir, name)
	header, row := csvText(s)
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		err = appendCSV(path, header, row)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrCSVHeader):
		return fmt.Errorf("ross: row of results not written: %s: %w: move that file away", path, err)
	}
	return fmt.Errorf("ross: row of results not written: %s: %w: %s", path, err,
		atomicfile.Remedy(err, "make the folder writable or name another"))
}

func appendCSV(path, header, row string) (err error) {
	at, err := atomicfile.Of(path)
	if err != nil {
		return err
	}
	if at.Straight { // its content cannot be read, or not a second time
		f, err := at.Open()
		if err != nil {
			return err
		}
		_, err = f.WriteString(header + row)
		return errors.Join(err, f.Close())
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lockCSV(f)
	lead, err := csvLead(f, header)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lead + row)
	return err
}

// csvLead returns what must precede the next row of the table in f: the header,
// nothing, or the line end of the row before. It needs the lock, because a row
// that is just being written has no line end either.
func csvLead(f *os.File, header string) (string, error) {
	found, err := bufio.NewReader(io.LimitReader(f, int64(len(header)))).ReadString('\n')
	switch {
	case err != nil && err != io.EOF:
		return "", err
	case found == "":
		return header, nil
	case strings.TrimRight(found, "\r\n") != strings.TrimRight(header, "\n"):
		return "", ErrCSVHeader
	}
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil {
		return "", err
	}
	if last[0] != '\n' {
		return "\n", nil
	}
	return "", nil
}

// csvText returns the header and the row of s as lines.
func csvText(s *Summary) (header, row string) {
	columns := csvColumns(s)
	names, values := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i], values[i] = c.name, formatCSV(c.value)
	}
	return strings.Join(names, ",") + "\n", strings.Join(values, ",") + "\n"
}

func formatCSV(value any) string {
	switch v := value.(type) {
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return formatC(v, 'g', -1)
	}
	text := fmt.Sprint(value)
	if strings.ContainsAny(text, ",\"\r\n") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

type csvColumn struct {
	name  string
	value any // uint64, float64, int or string
}

// csvColumns returns the columns in their order, with the values of s.
func csvColumns(s *Summary) []csvColumn {
	z, t := &s.Sizes, &s.Times
	return []csvColumn{
		{"total_pe", s.TotalPEs},
		{"total_kp", s.TotalKPs()},
		{"total_lp", s.TotalLPs},
		{"end_ts", s.End},
		{"mapping", s.Mapping},
		{"model_events", s.ModelEvents},
		{"network_events", s.NetworkEvents},
		{"total_events", s.TotalEvents},

		{"runtime", s.Runtime},
		{"events_processed", s.EventsProcessed},
		{"events_aborted", s.EventsAborted},
		{"events_rb", s.EventsRolledBack},
		{"pe_event_ties", s.PEEventTies},
		{"eff", s.Efficiency()},
		{"send_loc_remote", s.SendLocRemote},
		{"percent_loc", s.PercentLocRemote()},
		{"send_net_remote", s.SendNetRemote},
		{"percent_net", s.PercentNetRemote()},
		{"rb_total", s.RollBacks()},
		{"rb_primary", s.PrimaryRollBacks},
		{"rb_secondary", s.SecondaryRollBacks},
		{"fc_attempts", s.FossilCollects},
		{"num_gvt", s.NumGVT},
		{"net_events", s.NetEvents()},
		{"event_rate", s.EventRate()},
		{"events_past_end", s.EventsPastEnd},

		{"event_alloc", s.EventsAllocated},
		{"memory_alloc", s.MemoryAllocated / 1024},
		{"memory_wasted", s.MemoryWasted / 1024},
		{"remote_sends", s.RemoteSends},
		{"remote_recvs", s.RemoteRecvs},

		{"pe_struct", z.PE},
		{"kp_struct", z.KP},
		{"lp_struct", z.LP},
		{"lp_model_struct", z.LPModel},
		{"lp_rngs", z.LPRNGs},
		{"total_lp_size", z.TotalLP},
		{"event_struct", z.Event},
		{"event_struct_model", z.EventWithModel},

		{"init_time", t.Init},
		{"pq_time", t.PQ},
		{"avl_time", t.AVL},
		{"lz4_time", t.LZ4},
		{"buddy_time", t.Buddy},
		{"rio_load", t.RIOLoad},
		{"rio_init", t.RIOLPInit},
		{"event_proc_time", t.EventProcess},
		{"event_cancel_time", t.EventCancel},
		{"event_abort_time", t.EventAbort},
		{"gvt_time", t.GVT},
		{"fc_time", t.FossilCollect},
		{"primary_rb_time", t.PrimaryRollback},
		{"net_read_time", t.NetRead},
		{"net_other_time", t.NetOther},
		{"inst_comp_time", t.InstComp},
		{"inst_write_time", t.InstWrite},
		{"total_time", t.Total},

		// Ours.
		{"digest", csvDigest(s)},
		{"pes", s.PEsPerRank()},
		{"pq", s.PQ},
		{"max_memory", s.MaxMemory},
		{"synch", s.Synch},
	}
}

// csvDigest marks the digits as hexadecimal. Otherwise a reader that guesses
// types takes 12345678901234e5 for a number.
func csvDigest(s *Summary) string {
	if s.Digest == nil {
		return ""
	}
	return "0x" + formatDigest(*s.Digest)
}
