// This file compares lives with what the model itself has noted: each field at each event, queues, statistics and
// timers.

package life

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/container"
	"github.com/ross-go/ross/stats"
)

// guest is a message, and waits in queues.
type guest struct {
	N    uint32
	Size float64
}

// alarm is the message of timers.
type alarm struct{ N uint32 }

// stall is the state. Its handlers change it at random.
type stall struct {
	Count  int64
	Load   float64
	Open   bool
	Parts  [3]struct{ Left, Right int32 }
	Many   [30]int16
	Queue  container.Queue[guest]
	Waits  stats.Tally
	Length stats.Level
	Moved  stats.Level
	Served stats.Counter
	Timer  ross.Timer
}

// noted is what a stall was after an event.
type noted struct {
	at      float64
	by      ross.LPID
	sent    float64
	values  map[string]any
	queue   []string
	waits   []float64 // recorded in this event
	length  float64
	served  int
	sends   []string // "receiver for time"
	waiting bool     // the timer
}

// diary has what stalls note, by LP. Only a sequential run notes.
type diary struct {
	lps   map[ross.LPID][]noted
	queue map[ross.LPID][]string
	last  map[ross.LPID]noted
	calm  bool // no event changes more than a text shows
}

const stalls = 4

func (s *stall) values() map[string]any {
	v := map[string]any{"Count": float64(s.Count), "Load": s.Load, "Open": s.Open, "Queue": float64(s.Queue.Len())}
	for i, p := range s.Parts {
		v[fmt.Sprintf("Parts[%d].Left", i)], v[fmt.Sprintf("Parts[%d].Right", i)] = float64(p.Left), float64(p.Right)
	}
	for i, n := range s.Many {
		v[fmt.Sprintf("Many[%d]", i)] = float64(n)
	}
	return v
}

func label(id ross.LPID) string { return fmt.Sprintf(`stall "%d"`, id) }

// model returns the type; d is nil if nothing is to be noted.
func model(d *diary) ross.Type[stall] {
	note := func(s *stall, lp *ross.LP, n noted) {
		if d == nil {
			return
		}
		n.at, n.by, n.sent, n.values = lp.Now(), lp.Sender(), lp.SentAt(), s.values()
		n.queue = slices.Clone(d.queue[lp.ID()])
		d.lps[lp.ID()] = append(d.lps[lp.ID()], n)
		d.last[lp.ID()] = n
	}
	return ross.Type[stall]{
		Name: "stall", Saving: ross.SaveByDelta, Label: label,
		Init: func(s *stall, lp *ross.LP) {
			s.Count, s.Load = int64(lp.ID())*10, 0.5
			ross.Send(lp, lp.ID(), 0.25, guest{N: 1})
		},
		Event: ross.Events[stall](
			ross.On(func(s *stall, lp *ross.LP, m *guest) {
				n := noted{}
				if d != nil {
					last := d.last[lp.ID()]
					n.length, n.served, n.waiting = last.length, last.served, last.waiting
				}
				r := lp.RNG()
				switch r.Integer(0, 7) {
				case 0:
					s.Count += 3
				case 1:
					s.Load = r.Unif()*100 - 50
				case 2:
					s.Open = !s.Open
				case 3:
					s.Parts[m.N%3].Left--
					s.Parts[m.N%3].Right += 2
				case 4:
					for i := range s.Many { // more than the text shows
						if d == nil || !d.calm || i < 10 {
							s.Many[i] += int16(r.Integer(0, 2))
						}
					}
				case 5:
					for range r.Integer(1, 3) {
						s.Queue.Push(lp, *m)
						if d != nil {
							d.queue[lp.ID()] = append(d.queue[lp.ID()], fmt.Sprintf("%+v", *m))
						}
					}
				case 6:
					if g, ok := s.Queue.Pop(lp); ok {
						s.Waits.Add(lp, g.Size)
						s.Served.Inc(lp)
						n.waits, n.served = append(n.waits, g.Size), n.served+1
						if d != nil {
							d.queue[lp.ID()] = d.queue[lp.ID()][1:]
						}
					}
				case 7:
					if s.Timer.Cancel(lp) {
						n.waiting = false
					} else {
						s.Timer = ross.After(lp, 0.7, alarm{m.N})
						n.waiting = true
						n.sends = append(n.sends, fmt.Sprintf("timer for %v", lp.Now()+0.7))
					}
				}
				s.Length.Set(lp, float64(s.Queue.Len()))
				s.Moved.Add(lp, 1)
				n.length = float64(s.Queue.Len())
				to, delay := ross.LPID(r.Integer(0, stalls-1)), 0.1+r.Exponential(0.3)
				ross.Send(lp, to, delay, guest{m.N + 1, r.Unif()})
				name := "itself"
				if to != lp.ID() {
					name = lpName(uint64(to), label(to))
				}
				n.sends = append(n.sends, fmt.Sprintf("%s for %v", name, lp.Now()+delay))
				note(s, lp, n)
			}),
			ross.On(func(s *stall, lp *ross.LP, _ *alarm) {
				n := noted{}
				s.Load = -1
				if d != nil {
					last := d.last[lp.ID()]
					n.length, n.served = last.length, last.served
				}
				note(s, lp, n)
			}),
		),
	}
}

// runOf runs the model, and returns the text.
func runOf(t testing.TB, option string, d *diary, change func(*ross.Config)) string {
	t.Helper()
	var out bytes.Buffer
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End, cfg.Output, cfg.Watch, cfg.WatchLimit, cfg.MaxMemory = stalls, 40, &out, option, 0, 64<<20
	change(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	require.NoError(t, sim.Define(model(d)))
	require.NoError(t, sim.Run(context.Background()))
	return out.String()
}

func newDiary() *diary {
	return &diary{map[ross.LPID][]noted{}, map[ross.LPID][]string{}, map[ross.LPID]noted{}, false}
}

// lives returns the data of a page with a text.
func lives(t testing.TB, text string) *scene {
	t.Helper()
	h, s := newTexts(), &scene{}
	require.NoError(t, h.read("run.txt", strings.NewReader(text)))
	ids, err := choose(h, nil, nil)
	require.NoError(t, err)
	for _, id := range ids {
		s.LPs = append(s.LPs, h.tell(s, h.lps[id]))
	}
	s.Unknown = h.lost
	s.finish(nil)
	return s
}

// at returns what steps are at a time; the last one of a time counts.
func at(times []float64, values []any, time float64) any {
	i := len(times) - 1
	for i >= 0 && times[i] > time {
		i--
	}
	if i < 0 {
		return nil
	}
	return values[i]
}

func find(t *testing.T, l *life, path string) *field {
	t.Helper()
	for i := range l.Fields {
		if l.Fields[i].Path == path {
			return &l.Fields[i]
		}
	}
	return nil
}

func TestEveryFieldIsWhatTheModelHasNoted(t *testing.T) {
	require.Zero(t, unknownOf(t, true))
	require.NotZero(t, unknownOf(t, false), "some changes are not in the text")
}

// unknownOf compares all fields, and returns how often one is unknown.
func unknownOf(t *testing.T, calm bool) (unknown int) {
	d := newDiary()
	d.calm = calm
	s := lives(t, runOf(t, "0,1,2,3", d, func(*ross.Config) {}))
	require.Zero(t, s.Unknown)
	require.Len(t, s.LPs, stalls)
	compared := 0
	for _, l := range s.LPs {
		notes := d.lps[ross.LPID(l.ID)]
		require.Greater(t, len(notes), 50)
		require.Len(t, l.In.At, len(notes))
		require.Equal(t, []any{0.0, 40.0, "the run ended", label(ross.LPID(l.ID)), "stall"}, []any{l.From, l.To, l.Ends, l.Label, l.Type})
		var sent []string
		for i, to := range l.Out.To {
			name := s.Words[to]
			if strings.HasPrefix(name, "timer ") {
				name = "timer"
			}
			sent = append(sent, fmt.Sprintf("%s for %v", name, l.Out.Due[i].(float64)))
		}
		var want []string
		for i, n := range notes {
			require.Equal(t, n.at, l.In.At[i])
			require.Equal(t, n.sent, l.In.Sent[i])
			by := "itself"
			if n.by != ross.LPID(l.ID) {
				by = lpName(uint64(n.by), label(n.by))
			}
			require.Equal(t, by, s.Words[l.In.By[i]])
			want = append(want, n.sends...)
			for path, x := range n.values {
				f := find(t, l, path)
				if f == nil {
					continue
				}
				got := at(f.At, f.Value, n.at)
				if compared++; got == nil {
					unknown++
					require.NotEqual(t, "Queue", path, "%s of LP %d at %v", path, l.ID, n.at)
					continue
				}
				require.Equal(t, x, got, "%s of LP %d at %v", path, l.ID, n.at)
			}
			if f := find(t, l, "Queue"); f != nil {
				require.ElementsMatch(t, n.queue, inside(f, n.at))
			}
			waits := false
			for k, name := range l.Timers.Name {
				require.NotNil(t, l.Timers.Set[k], name)
				end := l.Timers.End[k]
				waits = waits || *l.Timers.Set[k] <= n.at && (end == nil || *end > n.at)
			}
			require.Equal(t, n.waiting, waits, "the timer of LP %d at %v", l.ID, n.at)
		}
		require.Equal(t, want, sent)
		first := map[string]any{"Count": float64(l.ID) * 10, "Load": 0.5, "Open": false, "Queue": 0.0, "Parts[1].Left": 0.0}
		for path, x := range first {
			if f := find(t, l, path); f != nil && calm {
				require.Equal(t, x, at(f.At, f.Value, 0), "%s at the beginning", path)
			}
		}
		figures(t, l, notes)
	}
	require.Greater(t, compared, 2*unknown)
	return unknown
}

// inside returns what is in a list at a time.
func inside(f *field, time float64) (all []string) {
	for i := 0; i < len(f.When) && f.When[i] <= time; i++ {
		if f.What[i] == came {
			all = append(all, f.Item[i])
		} else if k := slices.Index(all, f.Item[i]); k >= 0 {
			all = slices.Delete(all, k, k+1)
		}
	}
	return all
}

// figures compares statistics.
func figures(t *testing.T, l *life, notes []noted) {
	var waits []any
	var moved, served float64
	for _, n := range notes {
		for _, w := range n.waits {
			waits = append(waits, w)
		}
	}
	for _, f := range l.Stats {
		switch f.Path {
		case "Waits":
			require.Equal(t, "value", f.Kind)
			require.Equal(t, waits, f.Value)
		case "Served":
			require.Equal(t, "count", f.Kind)
			served = float64(len(f.At))
		case "Length":
			require.Equal(t, "level", f.Kind)
			require.Nil(t, f.Value[0], "before the first time it is set")
			for _, n := range notes {
				require.Equal(t, n.length, at(f.At, f.Value, n.at))
			}
		case "Moved":
			require.Equal(t, "change", f.Kind)
			moved = f.Value[len(f.Value)-1].(float64)
		}
	}
	require.Equal(t, float64(notes[len(notes)-1].served), served)
	events := 0
	for _, n := range notes {
		if len(n.sends) > 0 {
			events++
		}
	}
	require.Equal(t, float64(events), moved)
}

func TestAnOptimisticRunHasTheSamePage(t *testing.T) {
	page := func(text string) string {
		s := lives(t, text)
		for _, l := range s.LPs { // the reports around the texts differ, the lives do not
			require.Equal(t, 40.0, l.To)
		}
		out, err := json.Marshal(s)
		require.NoError(t, err)
		return string(out)
	}
	want := page(runOf(t, "0,1,2,3", nil, func(*ross.Config) {}))
	for _, pes := range []int{1, 2, 3} {
		require.Equal(t, want, page(runOf(t, "0,1,2,3", nil, func(c *ross.Config) {
			c.Synch, c.PEs, c.NKP, c.Tuning.Batch, c.ShortReport = ross.Optimistic, pes, 2, 2, pes == 2
		})))
	}
}

func TestWhatIsNotWatchedIsUnknownAndNotWrong(t *testing.T) {
	d := newDiary()
	s := lives(t, runOf(t, `1@..10,1@20..30,2@5..15,"stall \"3\""@35..`, d, func(*ross.Config) {}))
	require.Zero(t, s.Unknown)
	seen := map[uint64][]span{1: {{0, 10}, {20, 30}}, 2: {{5, 15}}, 3: {{35, 40}}}
	for _, l := range s.LPs {
		spans := seen[l.ID]
		require.Equal(t, spans[0].From, l.From)
		require.Equal(t, spans[len(spans)-1].To, l.To)
		known := 0
		for _, n := range d.lps[ross.LPID(l.ID)] {
			within := slices.ContainsFunc(spans, func(s span) bool { return s.From <= n.at && n.at <= s.To })
			for path, x := range n.values {
				if f := find(t, l, path); f != nil && within {
					if got := at(f.At, f.Value, n.at); got != nil {
						require.Equal(t, x, got, "%s of LP %d at %v", path, l.ID, n.at)
						known++
					}
				}
			}
			if f := find(t, l, "Count"); f != nil && l.ID == 1 && n.at > 10 && n.at < 20 {
				require.Nil(t, at(f.At, f.Value, n.at))
			}
		}
		require.Greater(t, known, 20)
	}
	require.Equal(t, []span{{10, 20}}, s.LPs[0].Gaps)
}

func TestALimitOfLinesEndsWhatIsKnown(t *testing.T) {
	text := runOf(t, "0", nil, func(c *ross.Config) { c.WatchLimit = 100 })
	l := lives(t, text).LPs[0]
	require.Equal(t, l.In.At[len(l.In.At)-1], l.To)
	require.Contains(t, l.Ends, "--watch-limit")
	require.Less(t, l.To, 40.0)
	cut := text[:strings.Index(text, "Watch: ended")]
	l = lives(t, cut).LPs[0]
	require.Equal(t, l.In.At[len(l.In.At)-1], l.To)
	require.Equal(t, "the text ends", l.Ends)
	require.False(t, math.IsInf(l.To, 0))
}
