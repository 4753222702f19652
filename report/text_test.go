// This file owns the tests of the text report, most of them against reports
// that ROSS printed.

package report

import (
	"bytes"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReportEqualsTheOriginalByteForByte(t *testing.T) {
	for _, set := range allSets {
		t.Run(set, func(t *testing.T) {
			ref := readReference(t, set)
			var b bytes.Buffer
			rewriteHeader(t, &b, ref)
			s := ref.stats()
			require.NoError(t, WriteConfig(&b, s))
			b.WriteString(StartLine(s.Synch))
			rewriteMiddle(t, &b, ref)
			require.NoError(t, WriteEnd(&b, s))
			require.Equal(t, ref.text, b.String())
		})
	}
}

// rewriteHeader reprints what precedes the configuration; the model's own lines
// are passed through.
func rewriteHeader(t *testing.T, b *bytes.Buffer, ref reference) {
	lines := strings.Split(ref.text, "\n")
	now, err := time.Parse(time.ANSIC, lines[2])
	require.NoError(t, err)
	ranks := uint64(parseNumber(t, ref.find(`world size to be (\d+) $`)))
	require.NoError(t, WriteHeader(b, Header{
		Args: strings.Split(strings.TrimSuffix(lines[0], " "), " "),
		Now:  now, Version: ref.find(`^ROSS Version: (.*)$`), Ranks: ranks,
	}))
	_, model, _ := strings.Cut(ref.text, "world size to be "+strings.TrimSpace(ref.find(`world size to be (\d+ )$`))+" \n")
	model, _, _ = strings.Cut(model, "\nROSS Core")
	b.WriteString(model)
}

// rewriteMiddle reprints what lies between StartLine and the closing report;
// what the model's LPs print at the end is passed through.
func rewriteMiddle(t *testing.T, b *bytes.Buffer, ref reference) {
	_, middle, _ := strings.Cut(ref.text, " ***\n\n")
	middle, _, _ = strings.Cut(middle, "\n\t: Running Time")
	progress, after, found := strings.Cut(middle, "*** END")
	require.True(t, found)
	for _, l := range ref.progressLines() {
		require.NoError(t, WriteProgress(b, l))
	}
	require.Equal(t, 2*len(ref.progressLines()), strings.Count(progress, "\n"))
	b.WriteString(EndLine)
	_, after, _ = strings.Cut(after, "\n\n")
	for rank := range uint64(strings.Count(after, "bytes of data missed")) {
		require.NoError(t, WriteMissedBytes(b, rank, 0))
	}
	b.WriteString(regexp.MustCompile(`(?m)^PE \d+: There were .*\n`).ReplaceAllString(after, ""))
}

func TestHeaderPrintsNotesBetweenVersionAndWorldSize(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteHeader(&b, Header{
		Args:    []string{"phold", "--nlp=8"},
		Now:     time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Version: "1.0",
		Notes:   []string{"Arguments passed through --args-file:\n--nlp=8\n\n", "RNG Seeds: 1 2 3 4"},
	}))
	require.Equal(t, "phold --nlp=8 \n\nWed Mar  4 05:06:07 2026\n\nROSS Version: 1.0\n\n"+
		"Arguments passed through --args-file:\n--nlp=8\n\nRNG Seeds: 1 2 3 4\n"+
		"tw_net_start: Found world size to be 1 \n", b.String())
}

func TestStartLineNamesTheScheduler(t *testing.T) {
	for synch, mode := range map[int]string{
		0: "SEQUENTIAL SIMULATION",
		1: "SEQUENTIAL SIMULATION",
		2: "PARALLEL CONSERVATIVE SIMULATION",
		3: "PARALLEL OPTIMISTIC SIMULATION WITH SUSPEND LP FEATURE",
		4: "OPTIMISTIC DEBUG SIMULATION",
		5: "PARALLEL OPTIMISTIC SIMULATION WITH SUSPEND LP FEATURE AND REAL TIME GVT",
		6: "SEQUENTIAL ROLLBACK TEST SIMULATION",
	} {
		require.Equal(t, "*** START "+mode+" ***\n\n", StartLine(synch))
	}
}

func endText(t *testing.T, s *Stats) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, WriteEnd(&b, s))
	return b.String()
}

// TestNetEventsCanBeCutOut does what the scripts do that come with PHOLD-IO:
// grep "Net Events" | tr -s ' ' | cut -d' ' -f 4.
func TestNetEventsCanBeCutOut(t *testing.T) {
	digest := uint64(1)
	text := endText(t, &Stats{
		Counters: Counters{EventsProcessed: 6400, EventsRolledBack: 87},
		Ranks:    2, Synch: 2, Digest: &digest,
		Extra: []Figure{{"Peak memory (bytes)", "12"}},
	})
	var hits []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "Net Events") {
			squeezed := regexp.MustCompile(` +`).ReplaceAllString(strings.TrimSuffix(line, "\n"), " ")
			hits = append(hits, strings.Split(squeezed, " ")[3])
		}
	}
	require.Equal(t, []string{"6313"}, hits)
}

func TestOptionalLinesAppearWhereTheyMeanSomething(t *testing.T) {
	const network = "\nTW Network Statistics:\n" +
		"\tRemote sends                                                 3\n" +
		"\tRemote recvs                                                 4\n"
	const offset = "\tMinimum TS Offset Detected in Conservative Mode    0.250000000\n"
	s := Stats{RemoteSends: 3, RemoteRecvs: 4, MinOffset: 0.25}

	s.Synch, s.Ranks, s.TotalPEs = 3, 1, 2 // PEs of one process use no network
	require.NotContains(t, endText(t, &s), "Network Statistics")
	require.NotContains(t, endText(t, &s), "Minimum TS")
	s.Synch, s.Ranks = 2, 2
	require.Contains(t, endText(t, &s), network)
	require.Contains(t, endText(t, &s), offset)
	s.MinOffset = math.MaxFloat64
	require.Contains(t, endText(t, &s), "Conservative Mode            MAX\n")
}

func TestOwnLinesFollowTheLastOfTheOriginal(t *testing.T) {
	digest := uint64(0xabc)
	s := &Stats{Digest: &digest, Extra: []Figure{{"Peak memory (bytes)", "4096"}, {"Note", "none"}}}
	plain := endText(t, &Stats{})
	require.Equal(t, plain+"\nAdditional Statistics:\n"+
		"\tCommitted Event Digest                             0000000000000abc\n"+
		"\tPeak memory (bytes)                                       4096\n"+
		"\tNote                                                      none\n", endText(t, s))
	require.True(t, strings.HasSuffix(plain, "\tAverage Reduction / GVT                                   -nan\n"))

	s.Digest = nil
	require.NotContains(t, endText(t, s), "Digest")
	require.Contains(t, endText(t, s), "Peak memory")
}

func TestRunWithoutEventsPrintsNumbers(t *testing.T) {
	text := endText(t, &Stats{})
	require.Equal(t, 1, strings.Count(text, "nan"), "only the average reduction is none")
	require.NotContains(t, text, "inf")
	require.Contains(t, text, "\tEfficiency                                              100.00 %\n")
	require.Contains(t, text, "at 1.0000 GHz")
}

func TestRealTimeIntervalIsInCyclesAndSeconds(t *testing.T) {
	text := endText(t, &Stats{GVTRealTimeInterval: 40_000_000, ClockRate: 2_500_000_000})
	require.Contains(t, text, "at 2.5000 GHz")
	require.Contains(t, text, "\tGVT Real Time Interval (cycles)                    40000000\n")
	require.Contains(t, text, "\tGVT Real Time Interval (sec)                        0.01600000\n")
}

func TestEndlessRunPrintsItsEndAsC(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteConfig(&b, &Stats{End: math.Inf(1), Mapping: "model defined"}))
	require.Contains(t, b.String(), "\tSimulation End Time                                        inf\n")
	require.Contains(t, b.String(), "\tLP-to-PE Mapping                                   model defined\n")
}

func TestNumbersAreFormattedAsC(t *testing.T) {
	for _, c := range []struct {
		value    float64
		verb     byte
		decimals int
		want     string
	}{
		{0, 'f', 2, "0.00"},
		{-92.279, 'f', 2, "-92.28"},
		{0.125, 'f', 2, "0.12"}, // ties go to even, as in glibc
		{123456789.5, 'f', 1, "123456789.5"},
		{0, 'e', 6, "0.000000e+00"},
		{1.5e-7, 'e', 6, "1.500000e-07"},
		{1e100, 'e', 6, "1.000000e+100"},
		{math.NaN(), 'f', 2, "-nan"},
		{math.Inf(1), 'e', 6, "inf"},
		{math.Inf(-1), 'f', 4, "-inf"},
	} {
		require.Equal(t, c.want, formatC(c.value, c.verb, c.decimals))
	}
}

var errFull = errors.New("no space left")

type fullWriter struct{ writes int }

func (w *fullWriter) Write([]byte) (int, error) { w.writes++; return 0, errFull }

func TestEachPartIsOneWriteAndReportsItsError(t *testing.T) {
	for name, write := range map[string]func(*fullWriter) error{
		"header":   func(w *fullWriter) error { return WriteHeader(w, Header{}) },
		"config":   func(w *fullWriter) error { return WriteConfig(w, &Stats{}) },
		"progress": func(w *fullWriter) error { return WriteProgress(w, ProgressLine{}) },
		"missed":   func(w *fullWriter) error { return WriteMissedBytes(w, 0, 0) },
		"end":      func(w *fullWriter) error { return WriteEnd(w, &Stats{}) },
	} {
		t.Run(name, func(t *testing.T) {
			var w fullWriter
			err := write(&w)
			require.ErrorIs(t, err, errFull)
			require.ErrorContains(t, err, "ross: report")
			require.Equal(t, 1, w.writes)
		})
	}
}
