// This file owns the tracks, their numbers and names.

package chrome

import (
	"fmt"
	"math"

	"github.com/ross-go/ross/cmd/rossreader/internal/survey"
	"github.com/ross-go/ross/instr"
	lpnames "github.com/ross-go/ross/internal/sys/labels"
)

// ownTracks is the number of LPs not named by any sample that have separate tracks for
// their events; the others share one.
const ownTracks = 128

// engine lists the contents with samples of PEs and KPs.
var engine = []instr.Content{instr.GVTFile, instr.RTFile, instr.VTFile, instr.VTEngine}

var labels = map[instr.Content]string{
	instr.GVTFile: " (by GVT)", instr.RTFile: " (by real time)", instr.VTFile: " (at virtual times)",
	instr.VTEngine: " (at virtual times)",
}

// trackOf names a thread: that of a PE or a KP for the samples of a content, or, with
// content Trace, that of a KP for its events.
type trackOf struct {
	content instr.Content
	kp      survey.KP
	isKP    bool
}

// layout gives each track its place. Threads are numbered over all processes, because
// viewers confuse threads with equal numbers.
type layout struct {
	run                *survey.Run
	enc                *encoder
	tracks             map[trackOf]place
	lps                map[uint32]place // LPs without a KP
	others             place            // those that share a track
	label              map[instr.Content]string
	names              lpnames.Labels // what the model calls LPs
	threads, strangers int
}

func newLayout(run *survey.Run, enc *encoder) *layout {
	l := &layout{run: run, names: run.Labels(), enc: enc, tracks: map[trackOf]place{}, lps: map[uint32]place{},
		label: map[instr.Content]string{}}
	var with []instr.Content
	for _, c := range engine {
		if s := run.Sources[c]; s.PE+s.KP > 0 {
			with = append(with, c)
		}
	}
	if len(with) > 1 {
		l.label = labels
	}
	kps := run.KPs
	for i, pe := range run.PEs {
		pid := i + 1
		l.process(pid, fmt.Sprintf("PE %d", pe))
		for _, c := range with {
			if run.Sources[c].PE > 0 {
				l.tracks[trackOf{content: c, kp: survey.KP{PE: pe}}] = l.thread(pid, "activity"+l.label[c])
			}
		}
		for ; len(kps) > 0 && kps[0].PE == pe; kps = kps[1:] {
			l.kp(pid, kps[0], with)
		}
	}
	return l
}

func (l *layout) kp(pid int, kp survey.KP, with []instr.Content) {
	for _, c := range with {
		if l.run.Sources[c].KP > 0 {
			l.tracks[trackOf{c, kp, true}] = l.thread(pid, fmt.Sprintf("KP %d%s", kp.KP, l.label[c]))
		}
	}
	if l.run.Sources[instr.Trace].Events > 0 {
		l.tracks[trackOf{instr.Trace, kp, true}] = l.thread(pid, fmt.Sprintf("KP %d events", kp.KP))
	}
}

// ofEvents returns the track for the events of an LP.
func (l *layout) ofEvents(lp uint32) place {
	if home, ok := l.run.Home[lp]; ok {
		return l.tracks[trackOf{instr.Trace, home, true}]
	}
	if at, ok := l.lps[lp]; ok {
		return at
	}
	pid := len(l.run.PEs) + 1
	if l.strangers == 0 {
		l.process(pid, "event trace")
	}
	if l.strangers == ownTracks {
		if l.others == (place{}) {
			l.others = l.thread(pid, "other LPs")
		}
		return l.others
	}
	l.strangers++
	at := l.thread(pid, "LP "+l.names.Name(uint64(lp)))
	l.lps[lp] = at
	return at
}

func (l *layout) process(pid int, name string) {
	at := place{pid: pid}
	l.name("process_name", at, name)
	l.sort("process_sort_index", at, pid)
}

func (l *layout) thread(pid int, name string) place {
	l.threads++
	at := place{pid, len(l.run.PEs) + 1 + l.threads}
	l.name("thread_name", at, name)
	l.sort("thread_sort_index", at, at.tid)
	return at
}

func (l *layout) name(what string, at place, name string) {
	l.enc.begin('M', what, at, 0)
	l.enc.string("name", name)
	l.enc.end()
}

func (l *layout) sort(what string, at place, index int) {
	l.enc.begin('M', what, at, 0)
	l.enc.count64("sort_index", uint64(index))
	l.enc.end()
}

// clock turns real times into ticks since time 0 of the drawing.
type clock float64

func (c clock) ticks(real float64) int64 {
	ticks := math.Round((real - float64(c)) * ticksPerSecond)
	if !(ticks > 0) { // NaN too
		return 0
	}
	return int64(min(ticks, 1e15)) // up to there sums are exact
}
