package ross

import (
	"bytes"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestProgramsShowWarningsOnStandardError(t *testing.T) {
	var errs bytes.Buffer
	c := DefaultConfig()
	o := NewOptions("phold")
	c.Register(o)
	_, ok := o.Main(nil, io.Discard, &errs)
	require.True(t, ok)
	sim, err := New(c)
	require.NoError(t, err)
	defer sim.Close()
	sim.r.Caution("checkpoint %s is late", "a")
	sim.warn("b")
	require.Equal(t, "phold: checkpoint a is late\nphold: b\n", errs.String())

	c = DefaultConfig()
	own := slog.New(slog.DiscardHandler)
	c.Log = own
	o = NewOptions("phold")
	c.Register(o)
	_, ok = o.Main(nil, io.Discard, &errs)
	require.True(t, ok)
	require.Same(t, own, c.Log, "the program's own")
}
