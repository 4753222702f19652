// This file owns the files of the instrumentation: which ones there are, how they are opened, flushed and
// closed, what happens when writing fails; and the files with labels and statistics of the model.

package collect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/internal/sys/atomicfile"
	"github.com/ross-go/ross/internal/sys/labels"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/report"
)

// The files of the instrumentation, as indices.
const (
	gvtFile      = iota // samples of the engine at GVT
	realFile            // samples of the engine by real time
	vtFile              // samples at virtual times, of models or of the engine
	modelFile           // samples of models at GVT and by real time
	TraceFile           // event trace
	vtEngineFile        // samples of the engine at virtual times, if models give some, too
	memoryFile          // memory of the PEs at samples of the engine by real time
	numFiles            // number of files
)

// FileSuffixes are the ends of the file names.
var FileSuffixes = [numFiles]string{instr.GVTSuffix, instr.RTSuffix, instr.VTSuffix, instr.ModelSuffix,
	instr.TraceSuffix, instr.VTEngineSuffix, instr.MemorySuffix}

// Instruments is the instrumentation of a run on one rank.
type Instruments struct {
	run     *kernel.Run
	cluster *ranks.Cluster // the ranks
	Probes  []*Probe       // of the PEs of this rank
	// incomplete says why the files are incomplete. It outlives the Instruments.
	incomplete *atomic.Pointer[error]
	dir        string                // folder of the files
	labels     string                // path of the file of labels, or ""
	files      [numFiles]*instr.File // nil for files that are not asked for
	limit      *instr.Limit          // of all files together, on this rank; nil: none
	counted    uint64                // bytes of the ceiling that the buffers may take
	begin      time.Time             // beginning of the run, from which real times count
	once       sync.Once             // sets begin
	failed     sync.Once             // guards the first message about a failure
	broken     bool                  // a file could not be written completely
	// With several ranks: where the next flush of each file begins, and where the previous
	// ones began, with the bytes of this rank in them.
	ends    [numFiles]int64
	flushes [numFiles][]flushPart
}

// flushPart is the offset at which a flush begins, and this rank's bytes in it.
type flushPart struct{ begin, own int64 }

// Dir returns the folder of the files, "" without instrumentation.
func (in *Instruments) Dir() string {
	if in == nil {
		return ""
	}
	return in.dir
}

// begins returns the beginning of the run, which is that of the first PE that asks.
func (in *Instruments) begins(now time.Time) time.Time {
	in.once.Do(func() { in.begin = now })
	return in.begin
}

// Open makes the folder and the files: first rank 0, then the other ranks, which open the
// same files. All ranks call it. It returns nil if nothing is collected. If there is an
// error, the caller has to drop the Instruments, unless they are nil.
func Open(run *kernel.Run, c *ranks.Cluster, hosts []Host, incomplete *atomic.Pointer[error]) (*Instruments, error) {
	if !run.Set.Collects() {
		return nil, nil
	}
	in := &Instruments{run: run, cluster: c, incomplete: incomplete}
	in.limit = in.statsLimit(len(hosts))
	dir, err := "", error(nil)
	if c.Rank == 0 {
		if dir, err = in.makeStatsDir(); err == nil {
			err = in.createFiles(dir, hosts)
		}
		if err == nil {
			err = in.writeLabels()
		}
	}
	if err = c.Agree(err); err != nil || c.Ranks == 1 {
		return in, err
	}
	name, err := c.World.Bcast([]byte(dir), 0)
	if err == nil && c.Rank != 0 {
		err = in.createFiles(string(name), hosts)
	}
	return in, c.Agree(err)
}

// makeStatsDir makes the folder and returns its name.
func (in *Instruments) makeStatsDir() (string, error) {
	asked := in.run.Set.Instruments.Path
	dir, err := instr.MakeDir(asked)
	if err == nil && dir != filepath.Clean(cmp.Or(asked, instr.DefaultDir)) {
		in.run.Printf("Instrumentation output: %s\n", dir) // the requested folder existed
	}
	if err != nil || in.cluster.Ranks == 1 {
		return dir, err
	}
	return filepath.Abs(dir) // ranks may have different working directories
}

// createFiles creates or opens the files in a folder, and makes the probes of the PEs.
func (in *Instruments) createFiles(dir string, hosts []Host) error {
	c := &in.run.Set
	in.dir = dir
	size, own := in.bufferSize(len(hosts)), in.run.Budget.ProgramBytes()
	for i, suffix := range FileSuffixes {
		if !wants(c, i) {
			continue
		}
		f, err := instr.Create(instr.FileName(dir, c.Instruments.Prefix, suffix), instr.FileOptions{
			Buffers: len(hosts), Size: size, Unit: in.recordSize(i), Discard: c.Instruments.Discard, Limit: in.limit,
			Join: in.cluster.Rank != 0, Shared: in.cluster.Ranks > 1, Failed: in.collectionFailed,
		})
		if err != nil {
			return err
		}
		in.files[i] = f
		in.run.Budget.CountBuffers(2 * uint64(size) * uint64(len(hosts)))
	}
	in.counted = in.run.Budget.ProgramBytes() - own
	for i, h := range hosts {
		in.Probes = append(in.Probes, in.newProbe(h, i))
	}
	return nil
}

// wants reports whether the settings ask for a file.
func wants(c *settings.Settings, file int) bool {
	switch file {
	case gvtFile:
		return c.Samples(settings.SampleByGVT)
	case realFile:
		return c.Samples(settings.SampleByReal)
	case vtFile:
		return c.SamplesVT()
	case modelFile:
		return c.Instruments.Model != 0
	case vtEngineFile:
		return vtEngine(c) == vtEngineFile
	case memoryFile:
		return c.Samples(settings.SampleByReal) && !c.Instruments.WithoutPEs
	}
	return c.Instruments.Trace != 0
}

// vtEngine returns the file for samples of the engine at virtual times: one of their own if models
// are sampled at virtual times as well, since no reader of ROSS's files takes both from one file.
func vtEngine(c *settings.Settings) int {
	if c.Samples(settings.SampleByVT) && settings.Asks(c.Instruments.Model, settings.SampleByVT) {
		return vtEngineFile
	}
	return vtFile
}

// statsLimit returns the limit for the data that this rank's PEs collect, which is an equal
// share for each rank. It returns nil without such a file.
func (in *Instruments) statsLimit(pes int) *instr.Limit {
	c := &in.run.Set
	if c.Instruments.Limit == 0 || c.Instruments.Discard {
		return nil
	}
	return instr.NewLimit(int64(min(c.Instruments.Limit/uint64(in.cluster.Ranks), math.MaxInt64)), numFiles*pes, func() {
		if in.cluster.Ranks == 1 {
			in.sayLimit()
		}
	})
}

// sayLimit reports that the collection has reached its limit.
func (in *Instruments) sayLimit() {
	err := fmt.Errorf("ross: option --stats-limit=%s: reached", cmdline.FormatBytes(in.run.Set.Instruments.Limit))
	in.incomplete.CompareAndSwap(nil, &err)
	if in.cluster.Rank == 0 {
		fmt.Fprintf(in.run.Out,
			"%v: the collection ends here with complete records, and the simulation goes on; raise the limit, or collect less\n",
			err)
	}
}

// recordSize returns the size in bytes of the records of a file, or 0 if they have several
// sizes.
func (in *Instruments) recordSize(file int) int {
	if file != TraceFile || in.run.Set.SamplesVT() {
		return 0
	}
	size := 0
	for _, t := range in.run.Types {
		n := instr.EventSize + in.run.TraceSize(t)
		switch {
		case t.Untraced:
		case size == 0:
			size = n
		case size != n:
			return 0
		}
	}
	return size
}

// collectionFailed reports the first failure; in a run of several ranks, Close does so
// instead. The simulation goes on, because its results do not depend on the
// instrumentation.
func (in *Instruments) collectionFailed(err error) {
	if in.cluster.Ranks == 1 {
		in.failed.Do(func() {
			in.incomplete.Store(&err)
			fmt.Fprintf(in.run.Out, "%v: the collection ends here, and the simulation goes on\n", err)
		})
	}
}

// Close takes the last samples and completes the files. Data collected before an error is
// kept, because it may show the cause.
func (in *Instruments) Close() error {
	if in == nil {
		return nil
	}
	end, err := in.endOfSampling()
	if err != nil {
		return err
	}
	most := 0
	var errs []error
	for _, p := range in.Probes {
		p.handOver() // makes room for the last samples
		if p.pe.Err == nil {
			errs = append(errs, p.pe.Guard(func() { p.lastSamples(end) }))
		} else { // that error has been reported
			p.lastSamples(end)
		}
		most = max(most, p.Handed)
	}
	for _, p := range in.Probes {
		for p.Handed < most { // after an error a PE may have stopped earlier
			p.handOver()
		}
		for _, b := range p.Buffers {
			if b != nil {
				b.HandOverAll()
			}
		}
	}
	if in.cluster.Ranks > 1 {
		if err := in.placeFlushes(); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	var over sync.WaitGroup
	for _, f := range in.files {
		if f != nil {
			over.Go(func() { _ = f.Close() }) // at the same time, because each waits for the disk
		}
	}
	over.Wait()
	for _, f := range in.files {
		if f != nil && f.Err() != nil { // it has been reported
			in.broken = true
		}
	}
	if in.cluster.Ranks > 1 {
		if err := errors.Join(in.agreeOnFiles(), in.agreeOnLimit()); err != nil {
			return errors.Join(append(errs, err)...)
		}
	}
	in.reportMissed()
	return errors.Join(append(errs, in.publish())...)
}

// publish gives the files their final names, unless a rank could not write.
func (in *Instruments) publish() error {
	if in.broken || in.cluster.Rank != 0 {
		return nil
	}
	var errs []error
	for _, f := range in.files {
		if f != nil {
			errs = append(errs, f.Publish())
		}
	}
	return errors.Join(errs...)
}

// reportMissed reports the records that found no room in the buffers: for each PE the line
// of ROSS, and which records they were.
func (in *Instruments) reportMissed() {
	if in.run.Set.Instruments.Discard {
		return // nothing was to be written
	}
	all, advice := uint64(0), "raise --buffer-size"
	for _, p := range in.Probes {
		if p.reduced {
			advice = "raise --max-memory, which makes the buffers smaller than --buffer-size"
		}
		total, files := uint64(0), ""
		for i, b := range p.Buffers {
			if b == nil {
				continue
			}
			if records, bytes := b.Missed(); records > 0 {
				total += bytes
				what := "records"
				if i <= realFile || i >= vtEngineFile {
					what = "samples"
				}
				files += fmt.Sprintf(", %d %s of %s", records, what, FileSuffixes[i])
			}
		}
		if total > 0 {
			_ = report.WriteMissedBytes(in.run.Out, p.pe.ID, total)
			fmt.Fprintf(in.run.Out, "PE %d: missing%s: %s\n", p.pe.ID, files[1:], advice)
		}
		all += total
	}
	if all > 0 && in.incomplete.Load() == nil {
		err := fmt.Errorf("ross: instrumentation: %d bytes found no room in the buffers: %s", all, advice)
		in.incomplete.Store(&err)
	}
}

// Drop closes the files. It removes those of a simulation that never ran.
func (in *Instruments) Drop(ran bool) error {
	if in == nil {
		return nil
	}
	var errs []error
	for _, f := range in.files {
		if f == nil {
			continue
		}
		if ran || in.broken {
			_ = f.Close()
		} else {
			errs = append(errs, f.Abort())
		}
	}
	if !ran && in.labels != "" {
		errs = append(errs, os.Remove(in.labels))
	}
	return errors.Join(errs...)
}

// leastBuffer is the size of a buffer, in bytes, that a low ceiling does not reduce.
const leastBuffer = 32 << 10

// bufferSize returns the size of each buffer: all buffers of all PEs together, twice as large when
// the disk is slow, take at most a sixteenth of the ceiling, unless what comes at once needs more.
func (in *Instruments) bufferSize(pes int) int {
	c := &in.run.Set
	files := 0
	for i := range FileSuffixes {
		if wants(c, i) {
			files++
		}
	}
	most := max(c.MaxMemory/32/uint64(max(files*pes, 1)), leastBuffer, in.atOnce())
	return int(min(asked(c), most))
}

// atOnce returns how many bytes a buffer needs for what comes between two looks at it: two samples of the
// engine, or the traced events of a batch.
func (in *Instruments) atOnce() uint64 {
	c := &in.run.Set
	lps, traced, sampled := uint64(in.run.NumLPs()), 0, 0
	for _, t := range in.run.Types {
		traced, sampled = max(traced, in.run.TraceSize(t)), max(sampled, t.SampleSize, t.PointSize)
	}
	n := uint64(0)
	if c.Instruments.Engine != 0 {
		n = instr.MetaSize + instr.PESize
		if c.Instruments.KPs {
			n += uint64(in.run.NumKPs()) * (instr.MetaSize + instr.KPSize)
		}
		if c.Instruments.LPs {
			n += lps * (instr.MetaSize + instr.LPSize)
		}
	}
	if c.Instruments.Model != 0 {
		n = max(n, lps*uint64(2*instr.MetaSize+sampled))
	}
	if c.Instruments.Trace != 0 {
		n = max(n, min(c.Tuning.Batch, 1<<20)*uint64(instr.EventSize+traced))
	}
	return 2 * n
}

// asked returns the size of a buffer as the settings have it.
func asked(c *settings.Settings) uint64 {
	return min(cmp.Or(c.Instruments.BufferSize, instr.DefaultBuffer), instr.MaxBuffer)
}

// reduced reports whether the ceiling makes the buffers smaller than --buffer-size.
func (in *Instruments) reduced(size int) bool {
	return uint64(size) < asked(&in.run.Set)
}

// BufferBytes returns the most that the buffers of this rank take of the ceiling, in bytes.
func (in *Instruments) BufferBytes() uint64 {
	if in == nil {
		return 0
	}
	return in.counted
}

// The files with the statistics of the model.

// WriteStatistics writes the statistics of the model next to the files of the instrumentation, as
// CSV and as JSON. Rank 0 calls it.
func (in *Instruments) WriteStatistics(t *statistic.Table) error {
	base := filepath.Join(in.dir, cmp.Or(in.run.Set.Instruments.Prefix, instr.DefaultPrefix)+instr.StatisticsSuffix)
	if err := writeFile("statistics", base+".csv", t.WriteCSV); err != nil {
		return err
	}
	return writeFile("statistics", base+".json", t.WriteJSON)
}

// WriteStatisticsOfLPs writes a file with a line for each LP. Rank 0 calls it.
func (in *Instruments) WriteStatisticsOfLPs(t *statistic.Table) error {
	base := filepath.Join(in.dir, cmp.Or(in.run.Set.Instruments.Prefix, instr.DefaultPrefix)+instr.StatisticsSuffix)
	return writeFile("statistics of LPs", base+"-lps.csv", t.WriteWideCSV)
}

// writeFile makes a file of what errors name. It has its name once it is whole, and what is left of one
// that could not be written is removed.
func writeFile(what, name string, write func(io.Writer) error) error {
	part := name + instr.PartSuffix
	f, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("ross: %s: %w: %s (--stats-path)", what, err,
			atomicfile.Remedy(err, "make the folder writable or name another"))
	}
	err = write(f)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(part, name)
	}
	if err != nil {
		_ = f.Close()
		_ = os.Remove(part)
		return fmt.Errorf("ross: %s: %w: %s (--stats-path)", what, err,
			atomicfile.Remedy(err, "make room, or name another folder"))
	}
	return nil
}

// The file with the model's names of the LPs.

// writeLabels writes the labels of the LPs of all ranks, if a type has labels, next to the files of
// the instrumentation: at the beginning, so that the files of a run that is killed have them too.
// Rank 0 calls it.
func (in *Instruments) writeLabels() error {
	if in.run.Set.Instruments.Discard || !in.run.HasLabels() {
		return nil
	}
	path := filepath.Join(in.dir, cmp.Or(in.run.Set.Instruments.Prefix, instr.DefaultPrefix)+instr.LabelsSuffix)
	err := writeFile("labels", path, func(w io.Writer) error { return labels.Write(w, in.run.Total, in.run.LabelOf) })
	if err == nil {
		in.labels = path
	}
	return err
}
