// This file pins the LPs in the table and in findings, with their names.

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey/surveytest"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/labels"
)

// hotRun writes a run of 2 PEs with 2 KPs of 8 LPs each; LP 17, on KP 0 of PE 1, rolls back and
// handles most.
func hotRun(t *testing.T) string {
	var data []byte
	for n := 1; n <= 2; n++ {
		for pe := range uint32(2) {
			p := instr.PEStats{PE: pe, EventProcess: 0.95}
			kps := [2]instr.KPStats{{PE: pe}, {PE: pe, KP: 1}}
			var lps []instr.LPStats
			for i := range uint32(16) {
				s := instr.LPStats{PE: pe, KP: i / 8, LP: pe*16 + i, Processed: 100, RolledBack: i % 2}
				if s.LP == 17 {
					s.Processed, s.RolledBack = 6000, 1000
				}
				k := &kps[s.KP]
				k.Processed, k.RolledBack = k.Processed+s.Processed, k.RolledBack+s.RolledBack
				p.Processed, p.RolledBack = p.Processed+s.Processed, p.RolledBack+s.RolledBack
				lps = append(lps, s)
			}
			data = instr.AppendPE(data, float64(n), float64(n), &p)
			for _, k := range kps {
				data = instr.AppendKP(data, float64(n), float64(n), &k)
			}
			for _, l := range lps {
				data = instr.AppendLP(data, float64(n), float64(n), &l)
			}
		}
	}
	dir := t.TempDir()
	surveytest.Run{}.Put(t, dir, instr.GVTSuffix, data)
	var names strings.Builder
	require.NoError(t, labels.Write(&names, 32, func(id uint64) string { return fmt.Sprintf("router <%d>", id) }))
	require.NoError(t, os.WriteFile(filepath.Join(dir, instr.DefaultPrefix+instr.LabelsSuffix), []byte(names.String()), 0o644))
	return dir
}

func TestFindingsNameTheLPs(t *testing.T) {
	dir := hotRun(t)
	found := map[string]string{}
	for _, one := range load(t, dir).findings() {
		found[one.Rule] = one.Figure
	}
	require.Contains(t, found["storm"], `; most by LP 17 "router <17>" (2,000), LP 19 "router <19>" (2), LP 21 "router <21>" (2)`)
	require.Contains(t, found["uneven"], `; most of LP 17 "router <17>" (10,000), LP `)
	page := makePage(t, dir)
	require.Contains(t, page, `<tr><th scope="row">LP 17 &#34;router &lt;17&gt;&#34;</th><td data-name="PE and KP">PE 1 KP 0</td><td class="n" data-name="Events handled">12,000</td>`)
	require.Equal(t, shownLPs, strings.Count(page, "<td data-name=\"PE and KP\">PE "))
}

func TestWithoutSamplesOfLPsThereIsNoTableOfThem(t *testing.T) {
	require.NotContains(t, makePage(t, stored("storm-hub")), `id="lps"`)
}
