//go:build cgo && linux

package proc_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/csrc/cmodel"
	"github.com/ross-go/ross/csrc/cmodel/testdata/mixed"
	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/proc/proctest"
)

// TestProcessesAskServersOfC has processes that send jobs to servers of C, and wait for their answers.
func TestProcessesAskServersOfC(t *testing.T) {
	types := func() []ross.LPType {
		mixed.Setup{Gap: 0.1}.Mixed() // sets up the servers
		clerk := mixed.Clerk()
		servers := cmodel.Type[models.Job]{C: clerk.C, MessageSize: clerk.MessageSize, Name: "clerk", LPs: mixed.Servers}
		return []ross.LPType{
			models.Clients(mixed.Sources, mixed.Work, mixed.Sources, mixed.Sources+mixed.Servers-1), servers.LPType(),
		}
	}
	cfg := ross.Config{End: 20}
	cfg.Streams.PerLP = 2
	proctest.Run(t, modeltest.Model{Config: cfg, Types: types, Short: true})
	sim, err := ross.Run(context.Background(), cfg, types()...)
	require.NoError(t, err)
	defer sim.Close()
	c := ross.StateOf[models.Client](sim.LP(0))
	require.Greater(t, c.Got, c.Sent/2)
	require.NotZero(t, c.Sum)
}
