// Records that were altered at random: each alteration is found, and what was altered is named; by the seal, and by the
// new run if somebody has sealed the record again.

package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// copied returns a copy of a folder.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(to, os.DirFS(dir)))
	return to
}

// decoded returns run.json with all of its digits.
func decoded(t *testing.T, dir string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, instr.RunName))
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var all map[string]any
	require.NoError(t, d.Decode(&all))
	return all
}

func encode(t *testing.T, dir string, all map[string]any) {
	t.Helper()
	text, err := json.MarshalIndent(all, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, instr.RunName), text, 0o600))
}

// alter returns another value of the same type, and the name of the member in it.
func alter(random *rand.Rand, value any, path string) (any, string) {
	switch v := value.(type) {
	case map[string]any:
		if len(v) == 0 {
			return map[string]any{"new": "x"}, path + ".new"
		}
		names := slices.Sorted(maps.Keys(v))
		name := names[random.IntN(len(names))]
		all := maps.Clone(v)
		all[name], path = alter(random, v[name], strings.TrimPrefix(path+"."+name, "."))
		return all, path
	case []any:
		return append(slices.Clone(v), "x"), path
	case json.Number:
		return json.Number("1" + strings.TrimPrefix(v.String(), "-")), path
	case bool:
		return !v, path
	case nil:
		return "x", path
	}
	text := []byte(value.(string))
	if len(text) == 0 {
		return "x", path
	}
	text[random.IntN(len(text))] ^= 1
	return string(text), path
}

func TestAlteredMembersFilesAndBytesAreNamedByTheSeal(t *testing.T) {
	dir := record(t, "right")
	random := testrand.New(t)
	whole := decoded(t, dir)
	seal := whole["seal"]
	for range 70 { // a member
		to := copied(t, dir)
		delete(whole, "seal")
		changed, path := alter(random, whole, "")
		changed.(map[string]any)["seal"] = seal
		encode(t, to, changed.(map[string]any))
		status, out, _ := verify("--seal", to)
		require.Equal(t, 1, status, path)
		if _, err := instr.ReadRunInfo(to); err != nil { // it has another type now
			require.Contains(t, out, "altered: "+to)
			continue
		}
		requireLines(t, out, "altered: run.json: member "+path)
	}
	files := slices.Sorted(maps.Keys(mustRead(t, dir).Record.Files))
	require.Len(t, files, 5)
	for i := range 60 { // a byte of a file, or of run.json
		to := copied(t, dir)
		name := append(files, instr.RunName)[i%(len(files)+1)]
		path := filepath.Join(to, name)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		content[random.IntN(len(content))] ^= byte(1 + random.IntN(255))
		require.NoError(t, os.WriteFile(path, content, 0o600))
		status, out, errs := verify("--seal", to)
		if name == instr.RunName && status == 2 { // what says that there is a seal was altered
			require.Contains(t, errs, "it has no seal")
			continue
		}
		require.Equal(t, 1, status, "%s%s", out, errs)
		require.Contains(t, out, name)
	}
}

func mustRead(t *testing.T, dir string) *instr.RunInfo {
	t.Helper()
	info, err := instr.ReadRunInfo(dir)
	require.NoError(t, err)
	return info
}

// leaves returns the paths of all members of an object that the seal has, with a function that alters each.
func leaves(random *rand.Rand, object map[string]any, path string, all map[string]func()) {
	for name, value := range object {
		of := strings.TrimPrefix(path+"."+name, ".")
		if inner, is := value.(map[string]any); is && len(inner) > 0 {
			leaves(random, inner, of, all)
			continue
		}
		all[of] = func() { object[name], _ = alter(random, value, of) }
	}
}

func TestEachMemberIsNamedByTheSeal(t *testing.T) {
	dir := record(t, "right", "--event-trace=3", "--trace-exact=1", "--synch=3", "--pes=2")
	random := testrand.New(t)
	whole := decoded(t, dir)
	delete(whole, "seal")
	all := map[string]func(){}
	leaves(random, whole, "", all)
	names := slices.Sorted(maps.Keys(all))
	require.Equal(t, slices.Sorted(maps.Keys(mustRead(t, dir).Seal.Members)), names)
	for _, name := range names {
		altered := decoded(t, dir)
		seal := altered["seal"]
		delete(altered, "seal")
		one := map[string]func(){}
		leaves(random, altered, "", one)
		one[name]()
		altered["seal"] = seal
		to := t.TempDir()
		encode(t, to, altered)
		text, err := os.ReadFile(filepath.Join(to, instr.RunName))
		require.NoError(t, err)
		if _, changed, err := instr.CheckSealed(to); err == nil { // otherwise it has another type now
			require.Contains(t, strings.Join(changed, "\n")+"\n",
				"run.json: member "+name+": it is not as it was written", string(text))
		}
	}
}

func TestAlteredMembersThatWereSealedAgainAreFoundByTheRun(t *testing.T) {
	dir := record(t, "right")
	for _, c := range []struct {
		alter func(r *instr.RunInfo)
		want  string
	}{
		{func(r *instr.RunInfo) { r.Result.Digest = "0123456789abcdef" }, "digests of events"},
		{func(r *instr.RunInfo) { r.Result.StateDigest = "0123456789abcdef" }, "digest of states"},
		{func(r *instr.RunInfo) { r.Result.NetEvents++ }, "net events"},
		{func(r *instr.RunInfo) { r.Command = append(r.Command, "--seed=3") }, "digest of events"},
		{func(r *instr.RunInfo) { r.Command = append(r.Command, "--replication=1") },
			"member options.replication"},
		{func(r *instr.RunInfo) { r.Command = append(r.Command, "--end=19") }, "member end_time"},
		{func(r *instr.RunInfo) { r.Options["seed"] = "12" }, "member options.seed"},
		{func(r *instr.RunInfo) { r.Options["batch"] = "12" }, "member options.batch"},
		{func(r *instr.RunInfo) { r.Types[0].Name = "counter" }, "member lp_types"},
		{func(r *instr.RunInfo) { *r.EndTime++ }, "member end_time"},
		{func(r *instr.RunInfo) { r.Model = "others" }, "member model"},
		{func(r *instr.RunInfo) { r.Engine.Version = "1" }, "member engine.version"},
		{func(r *instr.RunInfo) { r.Engine.Go = "go1" }, "member engine.go"},
		{func(r *instr.RunInfo) { r.Record.Build.Module = "example.com/m" }, "member record.build.module"},
		{func(r *instr.RunInfo) { r.Record.Build.Compiler = "tcc" }, "member record.build.compiler"},
		{func(r *instr.RunInfo) { r.Record.Build.Settings["-tags"] = "x" },
			"member record.build.settings.-tags"},
	} {
		to := copied(t, dir)
		info := mustRead(t, to)
		c.alter(info)
		if c.want == "digests of events" { // the file with those of LPs contradicts it at once
			c.want = "altered: file ross-stats-lps.digests: its 8 LPs have the digest "
		}
		require.NoError(t, info.WriteSealed(to))
		status, out, errs := verify("--with=--synch=3 --pes=2", to)
		require.Equal(t, 1, status, "%s: %s%s", c.want, out, errs)
		require.Contains(t, out, c.want)
	}
	for _, c := range []struct {
		alter func(r *instr.RunInfo)
		want  string
	}{
		{func(r *instr.RunInfo) { r.Record.Build.SHA256 = "0123" + r.Record.Build.SHA256[4:] },
			"and the recorded run is one of 0123"},
		{func(r *instr.RunInfo) { r.Record.Inputs = map[string]instr.RunFile{"x.csv": {}} },
			"input file x.csv: "},
		{func(r *instr.RunInfo) { r.State = instr.RunFailed }, "did not come to its end"},
	} {
		to := copied(t, dir)
		info := mustRead(t, to)
		c.alter(info)
		require.NoError(t, info.WriteSealed(to))
		status, out, errs := verify(to)
		require.Equal(t, 2, status, out)
		require.Contains(t, errs, c.want)
	}
}

func TestDigestsOfLPsThatWereSealedAgainAreFoundByTheRun(t *testing.T) {
	dir := record(t, "right")
	path := filepath.Join(dir, "ross-stats-lps.digests")
	all, err := instr.ReadLPDigests(path)
	require.NoError(t, err)
	all[3].State++
	require.NoError(t, instr.WriteLPDigests(path, all))
	resealed(t, dir)
	status, out, _ := verify("--with=--synch=3 --pes=2", dir)
	require.Equal(t, 1, status)
	requireLines(t, out, "  digests of LPs: recorded 8 LPs, now 1 others, the first LP 3\n")
}

// journalOf makes a study of a model, and returns its journal.
func journalOf(t *testing.T, model string, words ...string) string {
	t.Helper()
	folder := t.TempDir()
	start(t, model, folder, append([]string{"--replications=4", "--vary=end=10,20", "--journal=runs"}, words...)...)
	return filepath.Join(folder, "runs")
}

func TestASampleOfAStudyRunsAgain(t *testing.T) {
	for _, words := range []string{"--workers=2", "--synch=3 --pes=2", "--nlp=3",
		"--seed=7 --result=twice=2*Wait"} {
		journal := journalOf(t, "right", strings.Fields(words)...)
		status, out, errs := verify("--sample=3", "--seed=12", journal)
		require.Zero(t, status, "%s: %s%s", words, out, errs)
		requireLines(t, out, "sealed: 10 lines of the journal\n", "sample: 3 of 8 replications, chosen by "+
			"--seed=12\n", "equal: --synch=")
		status, out, _ = verify("--sample=all", journal)
		require.Zero(t, status, out)
		requireLines(t, out, "sample: 8 of 8 replications, chosen by --seed=")
	}
	status, _, errs := verify("--sample=0", journalOf(t, "right"))
	require.Equal(t, 2, status)
	require.Contains(t, errs, "--sample=0: give a number of replications, or all")
}

func TestAStudyOfAModelThatReadsAClockIsDifferent(t *testing.T) {
	status, out, _ := verify("--sample=1", "--seed=1", journalOf(t, "late"))
	require.Equal(t, 1, status)
	require.Regexp(t, `  line \d+, point end=[12]0, replication \d, result "Wait": recorded [0-9.]+, now `, out)
}

func TestAlteredJournalsAreNamed(t *testing.T) {
	journal := journalOf(t, "right")
	good, err := os.ReadFile(journal)
	require.NoError(t, err)
	random := testrand.New(t)
	for range 70 { // a byte
		bad := slices.Clone(good)
		at := random.IntN(len(bad))
		bad[at] ^= byte(1 + random.IntN(255))
		require.NoError(t, os.WriteFile(journal, bad, 0o600))
		status, out, errs := verify("--seal", journal)
		require.Equal(t, 1, status, "%s%s", out, errs)
		line := 1 + bytes.Count(good[:at], []byte("\n"))
		require.True(t, strings.Contains(out, fmt.Sprintf("line %d", line)) || strings.Contains(out,
			fmt.Sprintf("line %d", line-1)) ||
			strings.Contains(out, "is not a journal") || strings.Contains(out,
			"other responses"), "line %d: %s", line, out)
	}
}

// again returns a line of a journal with the checksum of what it says now.
func again(line string) string {
	covered := line[:strings.LastIndex(line, `,"check":"`)]
	return fmt.Sprintf(`%s,"check":"%08x"}`, covered, crc32.Checksum([]byte(covered),
		crc32.MakeTable(crc32.Castagnoli)))
}

func TestAlteredLinesOfAJournalThatWereSealedAgainAreFoundByTheRuns(t *testing.T) {
	journal := journalOf(t, "right", "--workers=1") // so that the lines are in order
	content, err := os.ReadFile(journal)
	require.NoError(t, err)
	good := strings.Split(string(content), "\n")
	require.Len(t, good, 11)
	for _, c := range []struct {
		line     int
		old, new string
		status   int
		want     string
	}{
		{5, `"responses":{`, `"responses":{"Added":1,`, 1, `, result "Added": recorded 1, now none`},
		{6, `"Wait":`, `"Wait":1`, 1, "line 7, "},
		{4, `"point":"end=`, `"point":"end=1`, 1, "there is no point end=1"},
		{7, `"replication":`, `"replication":9`, 1, "line 8, point end="},
		{0, `"seed":0`, `"seed":5`, 1, "seed in line 1: recorded 5, now 0"},
		{0, `"parameters":["end"]`, `"parameters":["lps"]`, 1, "parameters in line 1: recorded [lps], now " +
			"[end]"},
		{0, `"experiment":"desks`, `"experiment":"other`, 2, "it is another study then: desks, instead of " +
			"other"},
		{1, `"--replications=4"`, `"--seed=6","--replications=4"`, 1, "seed in line 1: recorded 0, now 6"},
		{1, `"sha256":"`, `"sha256":"0000`, 2, "and the recorded run is one of 0000"},
	} {
		lines := slices.Clone(good)
		require.Contains(t, lines[c.line], c.old)
		lines[c.line] = again(strings.Replace(lines[c.line], c.old, c.new, 1))
		require.NoError(t, os.WriteFile(journal, []byte(strings.Join(lines, "\n")), 0o600))
		status, out, errs := verify("--sample=all", journal)
		require.Equal(t, c.status, status, "%s%s", out, errs)
		require.Contains(t, out+errs, c.want)
	}
}
