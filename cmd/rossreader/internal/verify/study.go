// This file owns studies: a sample of the replications in a journal, which run again.

package verify

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	mathrand "math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/program/parts/experiment"
)

// sample says which replications run again.
type sample struct {
	Of   int    `json:"of"`
	Size int    `json:"size"`
	Seed uint64 `json:"seed"`
}

func (s *sample) String() string {
	return fmt.Sprintf("%d of %d replications, chosen by --seed=%d", s.Size, s.Of, s.Seed)
}

// verifyStudy checks the journal of a study.
func (o *options) verifyStudy(ctx context.Context, path string) (*verdict, error) {
	v := &verdict{Status: equal, Record: path}
	j, err := experiment.ReadJournal(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if err != nil {
		v.Status, v.Altered = different, []string{strings.TrimPrefix(err.Error(), "ross: experiment: ")}
		return v, nil
	}
	v.Sealed = fmt.Sprintf("%d lines of the journal", len(j.Records)+len(j.Origins)+1)
	if o.sealOnly {
		return v, nil
	}
	if len(j.Origins) == 0 {
		return nil, fmt.Errorf("ross: journal %s: it does not say with which command it was made: make the "+
			"study again with this "+
			"version, and --journal", path)
	}
	chosen, err := o.choose(v, j)
	if err != nil {
		return nil, err
	}
	origin := &j.Origins[len(j.Origins)-1]
	p, err := findProgram(o, &origin.Build, filepath.Dir(path), origin.Folder, ".")
	if err != nil {
		return nil, err
	}
	v.is, v.was = p.is, p.was
	if v.Program, v.Versions = p.program, !p.same; p.same && j.Version == "" && j.Program != p.build {
		v.Status, v.Altered = different, []string{fmt.Sprintf("journal %s: its first line has a program "+
			"with hash %.12s, and line 2 "+
			"one with %.12s", path, j.Program, p.build)}
		return v, nil
	}
	folder, err := folderOf(&origin.RunRecord, o.folder)
	if err == nil {
		err = checkInputs(&origin.RunRecord, folder)
	}
	if err != nil {
		return nil, err
	}
	s, err := newStage(p, &origin.RunRecord, folder)
	if err != nil {
		return nil, err
	}
	defer s.remove()
	v.Compared = []string{"results and what is kept of the replications of the sample, each bit"}
	v.Not = []string{"replications that are not in the sample: only the checksums of their lines have these"}
	return v, o.repeat(ctx, v, s, origin, j, chosen)
}

// choose chooses the replications, by the seed.
func (o *options) choose(v *verdict, j *experiment.Journal) ([]*experiment.Record, error) {
	n, err := strconv.Atoi(o.sample)
	if o.sample == "all" {
		n, err = len(j.Records), nil
	}
	if err != nil || n < 1 {
		return nil, cli.Usagef("--sample=%s: give a number of replications, or all", o.sample)
	}
	seed := o.seed
	if !o.seeded {
		var b [4]byte
		_, _ = rand.Read(b[:]) // it never fails
		seed = uint64(binary.LittleEndian.Uint32(b[:]))
	}
	all := make([]*experiment.Record, len(j.Records))
	for i := range all {
		all[i] = &j.Records[i]
	}
	// The order of the lines depends on which run was finished first.
	slices.SortFunc(all, func(a, b *experiment.Record) int {
		return cmp.Or(strings.Compare(a.Point, b.Point), cmp.Compare(a.Replication, b.Replication))
	})
	random := mathrand.New(mathrand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	n = min(n, len(all))
	if v.Sample = (&sample{len(all), n, seed}); n == 0 {
		return nil, fmt.Errorf("ross: journal %s: it has no replications: let the study end one", v.Record)
	}
	return all[:n], nil
}

// ofStudy are options of the recorded command that new runs do not have.
var ofStudy = append([]string{"journal", "table", "page", "warm-up-table", "task", "merge", "workers", "repeat"},
	leftOut...)

// repeat makes the replications again: in another scheduler if the study is then the same one.
func (o *options) repeat(ctx context.Context, v *verdict, s *stage, origin *experiment.Origin, j *experiment.Journal,
	chosen []*experiment.Record) error {
	command := origin.Command[min(1, len(origin.Command)):]
	var ways []way
	switch {
	case len(o.with) > 0:
		for _, words := range o.with {
			ways = append(ways, way{strings.Fields(words), true})
		}
	case slices.ContainsFunc(command, func(w string) bool {
		return strings.HasPrefix(w, "--synch=") && w != "--synch=1" && w != "--synch=sequential"
	}):
		ways = []way{{words: []string{"--synch=1", "--pes=1"}}}
	default:
		ways = []way{{words: []string{"--synch=3", "--pes=2"}}, {words: []string{"--synch=3", "--pes=1"}}, {}}
	}
	for _, w := range ways {
		one, err := s.repeatIn(ctx, w, command, origin, j, chosen)
		if err != nil {
			return err
		}
		if one.Status == impossible && w.must {
			return fmt.Errorf("ross: verify --with=%q: %s: give other options", w.String(), one.Why)
		}
		v.Runs = append(v.Runs, one)
		if v.Status = one.Status; v.Status == different || v.Status == equal && len(o.with) == 0 {
			return nil
		}
	}
	if v.Status == impossible {
		return fmt.Errorf("ross: journal %s: the study could not be repeated: %s", v.Record,
			v.Runs[len(v.Runs)-1].Why)
	}
	return nil
}

// repeatIn makes the replications again in some way.
func (s *stage) repeatIn(ctx context.Context, w way, command []string, origin *experiment.Origin, j *experiment.Journal,
	chosen []*experiment.Record) (result, error) {
	one := result{With: w.String(), Status: equal}
	path := s.fresh("journal")
	out, more := slices.Clone(ofStudy), append(slices.Clone(w.words), "--ranks=1", "--workers=1", "--journal="+path)
	if len(w.words) == 0 {
		out = slices.DeleteFunc(out, func(name string) bool { return name == "synch" || name == "pes" })
	}
	for option, name := range origin.Outputs {
		more = append(more, "--"+option+"="+filepath.Join(s.top, filepath.Base(name)))
	}
	for _, r := range chosen {
		more = append(more, fmt.Sprintf("--repeat=%d %s", r.Replication, r.Point))
	}
	p, err := s.start(ctx, rewrite(command, out, more))
	if err != nil {
		return one, err
	}
	if p.status != 0 {
		if one.Status, one.Why = different, "it fails: "+p.failure(); p.status == 2 {
			one.Status, one.Why = impossible, p.failure()
		}
		return one, nil
	}
	now, err := experiment.ReadJournal(path)
	if err != nil {
		return one, err
	}
	if now.Name != j.Name {
		one.Status, one.Why = impossible, fmt.Sprintf("it is another study then: %s, instead of %s", now.Name,
			j.Name)
		return one, nil
	}
	if now.Seed != j.Seed {
		one.Different = append(one.Different, difference{"seed in line 1", fmt.Sprint(j.Seed),
			fmt.Sprint(now.Seed)})
	}
	if !slices.Equal(now.Parameters, j.Parameters) {
		one.Different = append(one.Different, difference{"parameters in line 1", fmt.Sprint(j.Parameters),
			fmt.Sprint(now.Parameters)})
	}
	if j.Version != now.Version {
		one.Different = append(one.Different, difference{"version in line 1", j.Version, now.Version})
	}
	again := map[experiment.Replication]*experiment.Record{}
	for i := range now.Records {
		r := &now.Records[i]
		again[experiment.Replication{Point: r.Point, Number: r.Replication}] = r
	}
	for _, was := range chosen {
		if d, differs := compareRecords(was, again[experiment.Replication{Point: was.Point,
			Number: was.Replication}]); differs {
			one.Different = append(one.Different, d)
		}
	}
	if len(one.Different) > 0 {
		one.Status = different
	}
	return one, nil
}

// compareRecords returns what of a replication differs first.
func compareRecords(was, is *experiment.Record) (d difference, differs bool) {
	d.What = fmt.Sprintf("line %d, point %s, replication %d", was.Line, was.Point, was.Replication)
	if is == nil {
		d.Recorded, d.Now = "it was made", "it was not"
		return d, true
	}
	names := maps.Clone(was.Responses)
	maps.Copy(names, is.Responses)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, inA := was.Responses[name]
		b, inB := is.Responses[name]
		if a != b || inA != inB {
			d.What += fmt.Sprintf(", result %q", name)
			d.Recorded, d.Now = value(a, inA), value(b, inB)
			return d, true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was.Kept)) {
		if !slices.Equal(was.Kept[name], is.Kept[name]) {
			d.What += fmt.Sprintf(", what is kept as %q", name)
			d.Recorded, d.Now = fmt.Sprint(was.Kept[name]), fmt.Sprint(is.Kept[name])
			return d, true
		}
	}
	if !maps.Equal(was.Units, is.Units) || !slices.Equal(was.Rare, is.Rare) || len(was.Kept) != len(is.Kept) {
		d.What += ", units or marks"
		d.Recorded, d.Now = fmt.Sprint(was.Units, was.Rare), fmt.Sprint(is.Units, is.Rare)
		return d, true
	}
	return d, false
}

func value(x float64, there bool) string {
	if !there {
		return "none"
	}
	return cli.FormatFloat(x, 64)
}
