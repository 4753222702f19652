// The seal of a record, and the digests of LPs: whatever is changed is found, and named.

package instr_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/testing/testrand"
)

// sealed returns a folder with a record.
func sealed(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "below"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "below", "table.csv"), []byte("a,b\n1,2\n"), 0o600))
	files, err := instr.FilesIn(dir)
	require.NoError(t, err)
	require.Contains(t, files, "below/table.csv")
	end := 12.5
	r := &instr.RunInfo{Version: instr.RunVersion, ID: "1", State: instr.RunComplete, Model: "m",
		Command: []string{"m", "--a=<b>"},
		EndTime: &end, LPs: 1 << 63, Options: map[string]string{"seed": "7", "a.b": "c"},
		Result: &instr.RunResult{Digest: "0123456789abcdef", NetEvents: 1<<63 + 1},
		Record: &instr.RunRecord{Build: instr.RunBuild{SHA256: "ab"}, Files: files}}
	require.NoError(t, r.WriteSealed(dir))
	return dir
}

func TestASealedRecordIsAsItWasWritten(t *testing.T) {
	dir := sealed(t)
	r, changed, err := instr.CheckSealed(dir)
	require.NoError(t, err)
	require.Empty(t, changed)
	require.Contains(t, r.Seal.Members, "result.digest")
	require.Contains(t, r.Seal.Members, "record.files.below/table.csv.sha256")
	require.NoError(t, r.WriteSealed(dir)) // again
	_, changed, err = instr.CheckSealed(dir)
	require.NoError(t, err)
	require.Empty(t, changed)
}

func TestWhatWasChangedInARecordIsNamed(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"seed": "7"`, `"seed": "8"`, "member options.seed: it is not as it was written"},
		{`"digest": "0123456789abcdef"`, `"digest": "0123456789abcdee"`, "member result.digest: it is not"},
		{`"lps": 9223372036854775808`, `"lps": 9223372036854775809`,
			"member lps: it is not"}, // a float64 has not all digits
		{`"id": "1",`, ``, "member id: it was removed"},
		{`"id": "1",`, `"id": "1", "new": 1,`, "member new: it was added"},
		{`"id": "1",`, `"id":  "1",`, "member seal.text: the text was changed between its members"},
		{`"id": "1",`, `"id": "2", "id": "1",`, "member seal.text: the text"},
		{`"--a=<b>"`, `"--a=<c>"`, "member command: it is not"},
	} {
		dir := sealed(t)
		path := filepath.Join(dir, instr.RunName)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(text), c.old)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o600))
		_, changed, err := instr.CheckSealed(dir)
		require.NoError(t, err)
		require.Len(t, changed, 1, c.new)
		require.Contains(t, changed[0], c.want)
	}
}

func TestWhatWasChangedInTheFolderIsNamed(t *testing.T) {
	for want, change := range map[string]func(dir string) error{
		"file below/table.csv: it is not as": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "below", "table.csv"), []byte("a,b\n1,3\n"), 0o600)
		},
		"file below/table.csv: it is missing": func(dir string) error {
			return os.Remove(filepath.Join(dir,
				"below", "table.csv"))
		},
		"file new: it was not there": func(dir string) error {
			return os.WriteFile(filepath.Join(dir,
				"new"), nil, 0o600)
		},
	} {
		dir := sealed(t)
		require.NoError(t, change(dir))
		_, changed, err := instr.CheckSealed(dir)
		require.NoError(t, err)
		require.Len(t, changed, 1)
		require.Contains(t, changed[0], want)
	}
}

func TestARunWithoutASealIsNoRecord(t *testing.T) {
	dir := t.TempDir()
	_, _, err := instr.CheckSealed(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, (&instr.RunInfo{Version: instr.RunVersion}).Write(dir))
	_, _, err = instr.CheckSealed(dir)
	require.ErrorIs(t, err, instr.ErrNotSealed)
}

func TestDigestsOfLPsAreReadAsTheyWereWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x"+instr.DigestsSuffix)
	for _, n := range []int{0, 1, 3, 5000} {
		all := make([]instr.LPDigest, n)
		for i := range all {
			all[i] = instr.LPDigest{Events: uint64(i) << 60, State: uint64(i * i)}
		}
		require.NoError(t, instr.WriteLPDigests(path, all))
		got, err := instr.ReadLPDigests(path)
		require.NoError(t, err)
		require.Equal(t, all, got)
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Len(t, content, 16+16*n+4) // as doc.go says
		require.Equal(t, "ROSSLPD1", string(content[:8]))
		require.EqualValues(t, n, binary.LittleEndian.Uint64(content[8:]))
	}
}

func TestEachDamagedByteOfDigestsOfLPsIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, instr.WriteLPDigests(path, []instr.LPDigest{{1, 2}, {3, 4}}))
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	random := testrand.New(t)
	for at := range good {
		bad := append([]byte{}, good...)
		bad[at] ^= byte(1 + random.IntN(255))
		require.NoError(t, os.WriteFile(path, bad, 0o600))
		_, err := instr.ReadLPDigests(path)
		require.ErrorContains(t, err, path, "byte %d", at)
		require.NoError(t, os.WriteFile(path, good[:at], 0o600))
		_, err = instr.ReadLPDigests(path)
		require.ErrorContains(t, err, "restore the file", "%d bytes", at)
	}
	require.NoError(t, os.WriteFile(path, fmt.Append(good, "x"), 0o600))
	_, err = instr.ReadLPDigests(path)
	require.ErrorContains(t, err, "which is not the size of a file about 2 LPs")
}
