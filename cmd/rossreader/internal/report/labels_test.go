// This file pins that the traffic map names LPs by their labels, unless several share a row.

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

// trafficOf returns the rows of the traffic map of a run of 12 LPs, each with a label, beside which
// stands a file of labels with an end that is damaged or not.
func trafficOf(t *testing.T, end string) []string {
	dir := surveytest.Run{PEs: 2, KPs: 3, LPs: 2, Samples: 3, Events: 3000, SlowPE: -1, ThrashingPE: -1}.Write(t)
	f, err := os.Create(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix))
	require.NoError(t, err)
	require.NoError(t, labels.Write(f, 12, func(id uint64) string { return fmt.Sprintf("<b>%d", id) }))
	_, err = f.WriteString(end)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	c := load(t, dir).lpTraffic()
	require.Equal(t, c.Rows, c.Columns)
	require.Len(t, c.Rows, 12)
	return c.Rows
}

func TestTrafficMapNamesLPs(t *testing.T) {
	require.Equal(t, `LP 7 "<b>7"`, trafficOf(t, "")[7])
	require.Equal(t, "LP 7", trafficOf(t, "13,not")[7])
}
