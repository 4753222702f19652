// This file tests the command line.

package checkpoint

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	rt "github.com/ross-go/ross/cmd/rossreader/internal/readertest"
)

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
