// C models have the events and states of the originals, under every scheduler and on any number of PEs.

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/testkit"
	"github.com/ross-go/ross/internal/testlevel"
)

// schedulers returns the schedulers with which a model is compared: all of them, or few.
func schedulers() []string {
	return testlevel.Pick([]string{
		"--synch=1", "--synch=2 --pes=1", "--synch=2 --pes=3", "--synch=3 --pes=1", "--synch=3 --pes=2", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2",
		"--synch=5 --pes=2 --gvt-interval=1", "--synch=6", "--synch=auto --pes=2",
	}, []string{"--synch=1", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2"},
		[]string{"--synch=1", "--synch=2 --pes=2", "--synch=3 --pes=3 --nkp=2 --batch=2 --gvt-interval=2"})
}

func TestPHOLDHasTheEventsOfROSS(t *testing.T) {
	p := compiled(t, compile(t, "phold"))
	t.Chdir("../../models/phold")
	for _, set := range testlevel.Pick([]string{"ties-default", "lookahead01", "ties-remote1", "stagger", "startevents4"}, []string{"lookahead01", "startevents4"}, []string{"stagger"}) {
		want := testkit.Reference(t, set, "trace_by_dest.csv")
		for _, line := range schedulers() {
			t.Run(set+"/"+line, func(t *testing.T) {
				got, _ := p.Like(t, set, append(strings.Fields(line), "--event-trace=3")...)
				require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
			})
		}
	}
}

// Each of these models is in C what the model of the same name in folder models is in Go. The lookahead of airport is
// too small, and that of torus not one of all LPs, for a conservative run on several PEs.
func TestClassicModelsHaveTheEventsAndStatesOfTheOriginals(t *testing.T) {
	for _, c := range []struct{ model, line, ends string }{
		{"airport", "--end=30 --nplanes=1", "Number of planes 1024\n"},
		{"qhold", "--nlp_per_pe=16 --end=20000000000", "globalHash: 15267503129902814464\n"},
		{"torus", "--end=170", " total generate:       52; \n total hops:           2.400000; \n average travel time:  78.318714; \nMax latency is 117.413592\n"},
	} {
		t.Run(c.model, func(t *testing.T) {
			p := compiled(t, compile(t, c.model))
			t.Chdir(filepath.Join("../../models", c.model))
			for _, scheduler := range schedulers() {
				if strings.HasPrefix(scheduler, "--synch=2 --pes") {
					scheduler += " --pes=1"
				}
				require.Contains(t, p.LikeOriginal(t, "small", c.line+" "+scheduler), c.ends, scheduler)
			}
		})
	}
}

var hash = regexp.MustCompile(`(?m)^LPHASH .*$`)

// The model has chains without delay, priorities, texts of tw_output, and data of its own in the trace.
func TestChainsWithoutDelayAreThoseOfROSS(t *testing.T) {
	p := compiled(t, compile(t, "zerotie"))
	p.Payload = func(b []byte) string {
		prio := math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		return fmt.Sprintf("%d,%.9g", int32(binary.LittleEndian.Uint32(b)), prio)
	}
	t.Chdir("../../models/zerotie")
	const set = "zerotie-np1"
	want := testkit.ByDest(testkit.Reference(t, set, "trace.csv"))
	hashes := hash.FindAllString(testkit.Report(t, set), -1)
	require.Len(t, hashes, 8)
	for _, line := range append(schedulers(), "--synch=3 --pes=2 --useprio=1") {
		t.Run(line, func(t *testing.T) {
			got, out := p.Like(t, set, append(strings.Fields(line), "--event-trace=3")...)
			if strings.Contains(line, "useprio") {
				require.NotEqual(t, hashes, hash.FindAllString(out, -1), "priorities change the order")
				return
			}
			require.NoError(t, testkit.Compare(testkit.ByDest(got), want))
			require.Equal(t, hashes, hash.FindAllString(out, -1))
		})
	}
}

// What C leaves in a message before it sends it, and addresses in a state, are in no digest.
func TestDigestDoesNotDependOnTheScheduler(t *testing.T) {
	path := compile(t, "phold")
	t.Chdir(t.TempDir())
	var digests []string
	for _, line := range append(schedulers(), "--synch=3 --pes=2 --max-memory=600K") { // memory is short
		status, out, errs := play(t, path, line+" --nlp=8 --end=100 --lookahead=0.1 --digest")
		require.Zero(t, status, errs)
		digests = append(digests, testkit.Figure(t, out, "Committed Event Digest"))
		require.Contains(t, out, "received 851\n")
	}
	for _, d := range digests {
		require.Equal(t, digests[0], d)
	}
}
