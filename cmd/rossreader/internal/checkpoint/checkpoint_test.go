// This file tests info, verify, and the command line.

package checkpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
)

func sizeOf(t testing.TB, path string) int64 {
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Size()
}

func TestInfoTellsWhatTheManifestSays(t *testing.T) {
	c := makeContent(4)
	name := c.saved(t, layout{parts: 2, files: 2})
	want := strings.ReplaceAll(fmt.Sprintf(`NAME
  stored by      ross go-test
  model          model 7
  created        2026-05-04T03:02:01Z
  virtual time   10
  end of the run 20
  LPs            4, each with 2 streams, digests
  type           0, desk: states of 4 bytes, messages of 6 bytes
  type           1, queue: states in the model's own form, messages of 6 bytes
  partitions     2 in 2 data files
  events         8
  data           1408 bytes, not compressed
  file           NAME.txt, %d bytes
  file           NAME.rio-lp, %d bytes
  file           NAME.rio-md, %d bytes
  file           NAME.rio-data-0, 744 bytes
  file           NAME.rio-data-1, 744 bytes
`, sizeOf(t, name+".txt"), sizeOf(t, name+".rio-lp"), sizeOf(t, name+".rio-md")), "NAME", name)
	// LPs have 80+2*44+4 bytes, events 68+2, and 2 or 3 tie-breakers of 8 each; headers of data files 40.
	require.Equal(t, 1408, 4*(80+88+4)+8*(68+2)+4*8*(2+3))
	require.Equal(t, want, rt.Good(t, Command, "info", name))
}

func TestInfoTellsJobsAndCompression(t *testing.T) {
	c := makeContent(4)
	c.info.End, c.info.Model = math.Inf(1), ""
	for i := range c.lps {
		c.lps[i].State = make([]byte, 10000)
	}
	name := c.saved(t, layout{parts: 2, files: 1, compress: true})
	c.info.Clock, c.info.End, c.info.Model = 12.5, 30, "model 8"
	c.saved(t, layout{parts: 3, files: 2, add: true}, name)
	text := rt.Good(t, Command, "info", name+".rio-md")
	for _, line := range []string{
		"job            0: 4 LPs from gid 0 on, 2 partitions, virtual time 10, end none, ross go-test, model none",
		"job            1: 4 LPs from gid 4 on, 3 partitions, virtual time 12.5, end 30, ross go-test, model model 8",
		"LPs            8, each with 2 streams, digests", "partitions     5 in 3 data files", "events         16",
	} {
		require.Contains(t, text, "\n  "+line+"\n")
	}
	s := summaries(t, "info", "--json", name)[0]
	require.Equal(t, 2, s.Compressed)
	require.Greater(t, s.Ratio, 1.5)
	require.InDelta(t, float64(s.RawBytes)/float64(s.Bytes), s.Ratio, 1e-9)
	require.Contains(t, text,
		fmt.Sprintf("\n  data           %d bytes, %.2f times as many without compression (of 2 partitions)\n", s.Bytes,
			s.Ratio))
	data := sizeOf(t, name+".rio-data-0") + sizeOf(t, name+".rio-data-1") + sizeOf(t, name+".rio-data-2")
	require.EqualValues(t, data-3*40, s.Bytes)
	require.Len(t, s.Jobs, 2)
	require.Nil(t, s.Jobs[0].End)
	require.Equal(t, 30.0, *s.Jobs[1].End)
}

func summaries(t testing.TB, args ...string) (all []Summary) {
	r := run(args...)
	require.Empty(t, r.Stderr)
	require.NoError(t, json.Unmarshal([]byte(r.Stdout), &all))
	return all
}

func TestInfoAsJSONHasTheSame(t *testing.T) {
	c := makeContent(4)
	name := c.saved(t, layout{parts: 2, files: 2})
	all := summaries(t, "info", "--json", name, originalName)
	require.Len(t, all, 2)
	clock, end := 10.0, 20.0
	want := Summary{
		Name: name, Engine: "go-test", Model: "model 7", Created: &c.info.Created, Clock: &clock, End: &end, LPs: 4,
		Streams: 2, Digests: true,
		Types: []typeSummary{
			{Name: "desk", State: "struct a", Message: "m", StateBytes: 4, MessageBytes: 6},
			{Name: "queue", State: "own", Message: "m", MessageBytes: 6, Serialized: true},
		},
		Jobs: []jobSummary{{LPs: 4, Partitions: 2, Clock: 10, End: &end, Engine: "go-test", Model: "model 7",
			Digests: true}},
		Partitions: 2, Events: 8, DataFiles: 2, Bytes: 1408, RawBytes: 1408, Ratio: 1, Files: all[0].Files,
	}
	require.Equal(t, want, all[0])
	for _, f := range all[0].Files {
		require.Equal(t, sizeOf(t, f.Name), f.Bytes)
	}
	require.Len(t, all[0].Files, 5)
	require.Equal(t, Summary{
		Name: originalName, Original: true, LPs: 8, Streams: 1, Partitions: 2, Events: 8, DataFiles: 1, Bytes: 1024,
		RawBytes: 1024, Ratio: 1, Files: all[1].Files,
	}, all[1])
}

func TestInfoOfADamagedCheckpointHasTheErrorAndTheFiles(t *testing.T) {
	name := makeContent(2).saved(t, plain)
	damage(t, name+".rio-md")
	writeFile(t, name+".rio-data-3.new", []byte("left by a crash"))
	writeFile(t, name+"2.rio-md", []byte("another"))
	require.NoError(t, os.Mkdir(name+".rio-data-9", 0o700))
	r := run("info", name)
	require.Equal(t, 1, r.Status)
	require.Empty(t, r.Stderr)
	require.Contains(t, r.Stdout, "\n  not readable   ross: checkpoint: "+name+".rio-md: offset ")
	require.Contains(t, r.Stdout, "\n  file           "+name+".rio-data-3.new, 15 bytes\n")
	require.Equal(t, 5, strings.Count(r.Stdout, "\n  file  "))

	missing := filepath.Join(t.TempDir(), "folder", "none")
	r = run("info", "--json", missing, name)
	require.Equal(t, 1, r.Status)
	all := summaries(t, "info", "--json", missing, name)
	require.Contains(t, all[0].Error, "there is no checkpoint of this name")
	require.NotContains(t, all[0].Error, "\n")
	require.Empty(t, all[0].Files)
	require.Contains(t, all[1].Error, name+".rio-md")
}

func TestVerifyTellsOfEachWhetherItIsWhole(t *testing.T) {
	c := makeContent(4)
	whole, damaged, index, missing := c.saved(t, plain), c.saved(t, plain), c.saved(t, plain), filepath.Join(t.TempDir(),
		"none")
	require.Equal(t, whole+": ok\n"+originalName+": ok\n", rt.Good(t, Command, "verify", whole+".rio-md", originalName+
		".txt"))
	damage(t, damaged+".rio-data-0")
	damage(t, index+".rio-lp")
	r := run("verify", damaged, whole, missing, index)
	require.Equal(t, rt.Result{Status: 1, Stdout: r.Stdout}, r)
	require.Regexp(t, "^ross: checkpoint: "+damaged+`\.rio-data-0: offset 40: partition 0: CRC-32C is [^\n]*
`+whole+`: ok
ross: checkpoint: `+missing+`\.rio-md: there is no checkpoint of this name \(file does not exist\): [^\n]*
ross: checkpoint: `+index+`\.rio-lp: offset [^\n]*
$`, r.Stdout)
	var stderr bytes.Buffer
	require.Equal(t, 1, cli.Run(Command(), []string{"verify", whole}, full{}, &stderr))
	require.Contains(t, stderr.String(), "no space")
	cut := copyOriginal(t, ".rio-data-0", func(b []byte) []byte { return b[:len(b)-1] })
	r = run("verify", cut)
	require.Equal(t, 1, r.Status)
	require.Contains(t, r.Stdout, cut+".rio-data-0: offset 1023: ")
}

func TestVerifyTellsWhichOneARestartTakes(t *testing.T) {
	c := makeContent(2)
	prefix := filepath.Join(t.TempDir(), "run")
	none := run("verify", "--latest="+prefix)
	require.Equal(t, rt.Result{Status: 1, Stdout: prefix + "-*: latest: none, a run would start from the beginning\n"},
		none)
	for n := range 3 {
		c.saved(t, plain, fmt.Sprintf("%s-%06d", prefix, n))
	}
	require.Equal(t, prefix+"-000002: latest\n", rt.Good(t, Command, "verify", "--latest", prefix))
	damage(t, prefix+"-000002.rio-data-0")
	writeFile(t, prefix+"-000003.rio-data-0.new", []byte("what a crash has left"))
	r := run("verify", "--latest", prefix, prefix+"-000000")
	require.Equal(t, rt.Result{Status: 1, Stdout: r.Stdout}, r)
	require.Regexp(t, "^"+prefix+`-000000: ok
refused: ross: checkpoint: `+prefix+`-000003\.rio-md: there is no checkpoint of this name[^\n]*
refused: ross: checkpoint: `+prefix+`-000002\.rio-data-0: [^\n]*
`+prefix+`-000001: latest
$`, r.Stdout)
	damage(t, prefix+"-000001.rio-md")
	damage(t, prefix+"-000000.rio-lp")
	r = run("verify", "--latest", prefix)
	require.Equal(t, 1, r.Status)
	require.Equal(t, 4, strings.Count(r.Stdout, "refused: "))
	require.Contains(t, r.Stdout, prefix+"-*: latest: none")
}

func TestVerifyOfAFolderThatCannotBeReadIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, nil)
	r := run("verify", "--latest="+filepath.Join(file, "run"))
	require.Equal(t, 1, r.Status)
	require.Empty(t, r.Stdout)
	require.Contains(t, r.Stderr, "rossreader checkpoint verify: ross: checkpoint: open "+file)
	require.Contains(t, r.Stderr, "a part of the path is a file: name another folder")
}

func TestUnknownOperationIsUsage(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, cli.StatusUsage, "usage: rossreader checkpoint "},
		{[]string{"nonsense"}, cli.StatusUsage, `no subcommand "nonsense"`},
		{[]string{"info"}, cli.StatusUsage, "no checkpoint: name at least one"},
		{[]string{"verify"}, cli.StatusUsage, "no checkpoint: name at least one"},
		{[]string{"verify", "--latest="}, cli.StatusUsage, "no checkpoint: name at least one"},
		{[]string{"info", "--content=gvt", "x"}, cli.StatusUsage, "content"},
	} {
		r := run(c.args...)
		require.Equal(t, c.status, r.Status, c.args)
		require.Contains(t, r.Stderr, c.says)
	}
	require.Contains(t, rt.Good(t, Command, "--help"), "usage: rossreader checkpoint SUBCOMMAND")
	for _, what := range []string{"info", "verify", "diff"} {
		require.Contains(t, rt.Good(t, Command, what, "--help"), "usage: rossreader checkpoint "+what+" [options] ")
	}
}

func TestTroubleHasStatus2(t *testing.T) {
	c := makeContent(4)
	whole, damaged := c.saved(t, plain), c.saved(t, layout{parts: 2, files: 2})
	damage(t, damaged+".rio-data-1")
	c.lps[3].GID = 2
	twice := c.saved(t, layout{parts: 1, files: 1, numbered: true})
	for _, x := range []struct{ a, b, says string }{
		{whole, damaged, damaged + ".rio-data-1: offset 40: partition 1: CRC-32C is "},
		{damaged, whole, damaged + ".rio-data-1: offset 40: partition 1: CRC-32C is "},
		{whole, whole + "x", whole + "x.rio-md: there is no checkpoint of this name"},
		{whole + "x", whole, whole + "x.rio-md: there is no checkpoint of this name"},
		{twice, whole, twice + ": gid 2 occurs twice: "},
		{whole, originalName, whole + " and " + originalName + ": only one of them was stored by ROSS itself"},
	} {
		r := run("diff", x.a, x.b)
		require.Equal(t, 2, r.Status)
		require.Empty(t, r.Stdout)
		require.Contains(t, r.Stderr, "rossreader checkpoint diff: ross: checkpoint: "+x.says)
	}
	for _, args := range [][]string{{}, {whole}, {whole, whole, whole}, {whole, whole, "--most=-1"},
		{whole, whole, "--most=x"}, {"--nonsense"}} {
		require.Equal(t, 2, run(append([]string{"diff"}, args...)...).Status, args)
	}
	var stderr bytes.Buffer
	require.Equal(t, 2, cli.Run(Command(), []string{"diff", whole, whole}, full{}, &stderr))
	require.Contains(t, stderr.String(), "no space")
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space") }

func TestOriginalsAreCompared(t *testing.T) {
	same := copyOriginal(t, "", nil)
	require.Equal(t, "equal: 8 LPs, 8 events\n", good(t, originalName, same))

	changed := copyOriginal(t, ".rio-data-0", func(b []byte) []byte {
		b[80]++  // the first byte of the state of gid 0, which has 8
		b[671]++ // the last one of the first partition's last message
		return b
	})
	lines := differences(t, originalName, changed)
	require.Equal(t, "gid 0: state from byte 0 on, lengths 8 | 8", lines[0])
	require.Regexp(t, "^event only in A: .*, message .{14}00$", lines[1])
	require.Regexp(t, "^event only in B: .*, message .{14}01$", lines[2])
	require.Equal(t, "LPs that differ: 1. Events only in A: 1, only in B: 1.", lines[3])
}

// TestCountsAreThoseOfAComparisonOneByOne changes content at random, and compares with what a
// comparison of everything with everything finds.
func TestCountsAreThoseOfAComparisonOneByOne(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		a, b := makeContent(40), makeContent(40)
		for range rnd.IntN(6) {
			b.lps[rnd.IntN(40)].Digest = rnd.Uint64N(3) + 1000
		}
		for _, c := range []*content{a, b} {
			for range rnd.IntN(6) {
				c.events[rnd.IntN(80)].Bits = rnd.Uint32N(4)
			}
			for range rnd.IntN(6) {
				c.events = append(c.events, c.events[rnd.IntN(len(c.events))])
			}
			for range rnd.IntN(6) {
				at := rnd.IntN(len(c.events))
				c.events = append(c.events[:at], c.events[at+1:]...)
			}
		}
		lps, onlyA, onlyB := 0, 0, 0
		for gid := range a.lps {
			if !reflect.DeepEqual(a.lps[gid], b.lps[gid]) {
				lps++
			}
		}
		taken := make([]bool, len(b.events))
		onlyB = len(b.events)
	next:
		for _, e := range a.events {
			for k, f := range b.events {
				if !taken[k] && reflect.DeepEqual(e, f) {
					taken[k] = true
					onlyB--
					continue next
				}
			}
			onlyA++
		}
		nameA := a.saved(t, layout{parts: 1 + rnd.IntN(9), files: 1, backwards: rnd.IntN(2) == 0, share: true})
		nameB := b.saved(t, layout{parts: 1 + rnd.IntN(9), files: 1, compress: true})
		if lps+onlyA+onlyB == 0 {
			good(t, nameA, nameB)
			continue
		}
		lines := differences(t, nameA, nameB)
		require.Equal(t, fmt.Sprintf("LPs that differ: %d. Events only in A: %d, only in B: %d.", lps, onlyA, onlyB),
			lines[len(lines)-1])
	}
}

func writeFile(t testing.TB, path string, data []byte) {
	require.NoError(t, os.WriteFile(path, data, 0o600))
}

func Example() {
	cli.Run(Command(), []string{"info", "testdata/original/pholdio_checkpoint.rio-md"}, os.Stdout, os.Stderr)
	cli.Run(Command(), []string{"verify", "testdata/original/pholdio_checkpoint"}, os.Stdout, os.Stderr)
	// Output:
	// testdata/original/pholdio_checkpoint
	//   stored by      the original ROSS, whose files say no more about the run
	//   LPs            8, each with 1 streams
	//   partitions     2 in 1 data files
	//   events         8
	//   data           1024 bytes, not compressed
	//   file           testdata/original/pholdio_checkpoint.txt, 1842 bytes
	//   file           testdata/original/pholdio_checkpoint.rio-lp, 64 bytes
	//   file           testdata/original/pholdio_checkpoint.rio-md, 48 bytes
	//   file           testdata/original/pholdio_checkpoint.rio-data-0, 1024 bytes
	// testdata/original/pholdio_checkpoint: ok
}
