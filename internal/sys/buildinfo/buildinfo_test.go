// What --version prints, with and without what the build knows.

package buildinfo

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextNamesProgramLibraryRevisionAndGo(t *testing.T) {
	system := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	const unknown = "unknown (built outside version control, or by go run or go test)"
	info := &debug.BuildInfo{Main: debug.Module{Path: "example.com/bikes", Version: "v1.2.3"},
		Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123abcd"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
			{Key: "vcs.modified", Value: "true"}}}
	require.Equal(t, "bikes v1.2.3 (example.com/bikes)\nross      "+Ross+
		"\nrevision  0123abcd of 2026-01-02T03:04:05Z, with later changes\ngo        "+system, textOf("bikes", info))
	info.Main.Version, info.Settings = "(devel)", info.Settings[:1]
	require.Equal(t, "bikes (example.com/bikes)\nross      "+Ross+"\nrevision  0123abcd\ngo        "+system,
		textOf("bikes", info))
	require.Equal(t, "bikes\nross      "+Ross+"\nrevision  "+unknown+"\ngo        "+system, textOf("bikes", nil))
	require.Contains(t, Text("bikes"), "\nross      "+Ross+"\n")
}

func TestAskedIsTheOptionAlone(t *testing.T) {
	for _, c := range []struct {
		words string
		want  bool
	}{{"--version", true}, {"-version", true}, {"", false}, {"--version x", false}, {"version", false}} {
		var out strings.Builder
		require.Equal(t, c.want, Asked("bikes", strings.Fields(c.words), &out), c.words)
		require.Equal(t, c.want, strings.HasPrefix(out.String(), "bikes"))
	}
}

func TestTheVersionOfAModelIsThatOfItsModuleOrARevision(t *testing.T) {
	const revision = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct {
		version, revision, changed, want string
	}{
		{"v1.2.3", revision, "true", "v1.2.3"},
		{"v0.0.0-20261129010357-0123456789ab+dirty", revision, "true", "v0.0.0-20261129010357-0123456789ab+dirty"},
		{"v10.0.0-20261129010357-0123456789ab+dirty", revision, "true", "0123456789ab+changes"}, // of 41 bytes
		{"(devel)", revision, "false", "0123456789ab"},
		{"", "0123", "true", "0123+changes"},
		{"(devel)", "", "", ""},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: c.revision}, {Key: "vcs.modified", Value: c.changed}}}
		require.Equal(t, c.want, modelOf(info), c.version)
	}
	require.Empty(t, modelOf(nil))
	require.Empty(t, modelOf(&debug.BuildInfo{Path: "github.com/ross-go/ross/csrc/libross",
		Main: debug.Module{Version: "v0.1.0"}}), "it is not that of the model")
}
