// This file tests that verify distinguishes whole checkpoints from damaged ones, and
// which one a restart would use.

package checkpoint

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
)

func TestVerifyTellsOfEachWhetherItIsWhole(t *testing.T) {
	c := makeContent(4)
	whole, damaged, index, missing := c.saved(t, plain), c.saved(t, plain), c.saved(t, plain), filepath.Join(t.TempDir(), "none")
	require.Equal(t, whole+": ok\n"+originalName+": ok\n", rt.Good(t, Command, "verify", whole+".rio-md", originalName+".txt"))
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
	require.Equal(t, rt.Result{Status: 1, Stdout: prefix + "-*: latest: none, a run would start from the beginning\n"}, none)
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
	require.Contains(t, r.Stderr, "name a folder that can be read")
}
