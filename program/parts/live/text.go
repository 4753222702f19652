// This file owns the text of the bar: it makes a line that fits from the figures.

package live

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross"
)

// fields returns the parts of the text, the most important first.
func fields(s *ross.Snapshot, rate float64) []string {
	if s.Phase < ross.PhaseRunning {
		return []string{s.Phase.String(), memory(s)}
	}
	gvt := "GVT " + strconv.FormatFloat(s.GVT, 'g', 6, 64)
	left := ""
	if !math.IsInf(s.End, 1) {
		gvt += "/" + strconv.FormatFloat(s.End, 'g', 6, 64)
		left = timeLeft(s)
	}
	all := []string{gvt, count(rate) + " ev/s", fmt.Sprintf("eff %.1f%%", s.Efficiency())}
	if left != "" {
		all = append(all, left+" left")
	}
	return append(all, count(float64(s.RollBacks()))+" rollbacks", memory(s))
}

func memory(s *ross.Snapshot) string {
	return "mem " + size(s.MemoryUsed) + "/" + size(s.MemoryLimit)
}

// fit joins as many fields as have room.
func fit(fields []string, room int) string {
	const gap = "  "
	var line strings.Builder
	for _, f := range fields {
		if line.Len() > 0 {
			f = gap + f
		}
		if line.Len()+len(f) > room {
			break
		}
		line.WriteString(f)
	}
	return line.String()
}

// fraction returns how much of a run is done: how much of it lies before GVT, 0 to 1, or 1 if
// it has ended before its time.
func fraction(s *ross.Snapshot) float64 {
	if s.Complete {
		return 1
	}
	if !(s.End > 0) || math.IsInf(s.End, 1) {
		return 0
	}
	return min(max(s.GVT/s.End, 0), 1)
}

// timeLeft returns how long a run still takes if GVT continues at its pace, "" while that
// is unknown.
func timeLeft(s *ross.Snapshot) string {
	f := fraction(s)
	seconds := s.Elapsed / f * (1 - f)
	if f == 0 || !(seconds < 100*365*24*3600) {
		return ""
	}
	switch d := time.Duration(math.Ceil(seconds)) * time.Second; {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	default:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
}

// count writes a number with three digits, and k, M, G, T for thousands.
func count(x float64) string { return scaled(x, 1000, "kMGT") }

// size writes bytes with three digits, and K, M, G, T for powers of 1024.
func size(bytes uint64) string { return scaled(float64(bytes), 1024, "KMGT") }

// binary writes bytes with three digits and a binary unit: 16.7 MiB.
func binary(bytes uint64) string {
	text := size(bytes)
	if unit := text[len(text)-1]; unit >= 'A' {
		return text[:len(text)-1] + " " + string(unit) + "iB"
	}
	return text + " B"
}

func scaled(x, base float64, units string) string {
	unit := ""
	for i := 0; i < len(units) && x >= 999.5; i++ {
		x, unit = x/base, units[i:i+1]
	}
	switch {
	case unit == "" || x >= 99.95:
		return fmt.Sprintf("%.0f%s", x, unit)
	case x >= 9.995:
		return fmt.Sprintf("%.1f%s", x, unit)
	}
	return fmt.Sprintf("%.2f%s", x, unit)
}

// recent computes the rate of a counter over its last readings.
type recent struct {
	seconds [readings]float64
	counts  [readings]uint64
	n       int
}

const readings = 12 // three seconds of the bar

func (r *recent) add(seconds float64, count uint64) {
	r.seconds[r.n%readings], r.counts[r.n%readings] = seconds, count
	r.n++
}

// rate returns the growth of the counter per second since the oldest reading kept.
func (r *recent) rate() float64 {
	if r.n == 0 {
		return 0
	}
	last, first := (r.n-1)%readings, max(r.n-readings, 0)%readings
	if d := r.seconds[last] - r.seconds[first]; d > 0 && r.counts[last] > r.counts[first] {
		return float64(r.counts[last]-r.counts[first]) / d
	}
	return 0
}
