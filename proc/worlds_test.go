package proc_test

// This file owns worlds with processes: models whose processes wait, travel, and end, in random configurations, on
// PEs and ranks whose turns a seed orders, while KPs move, PEs roll back what they need not, memory is refused, and
// runs end and go on from checkpoints. Each run leaves what a sequential one leaves. internal/run has worlds of random
// handlers.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/event"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks/world"
	"github.com/ross-go/ross/internal/ranks/world/worldtest"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/run/inside"
	"github.com/ross-go/ross/internal/testing/testlevel"
	"github.com/ross-go/ross/internal/testing/turns"
	"github.com/ross-go/ross/proc/internal/models"
)

// processWorld is how a model runs. A failure prints it, and ROSS_PROCESS_WORLD repeats it.
type processWorld struct {
	Model, End uint64
	Log        bool // banks, which have nothing else, are saved by log
	Order      uint64
	Synch      ross.Scheduler
	Ranks, PEs int
	NKP        int
	Batch, GVT int
	Window     float64
	Harass     float64 // probability that a PE rolls back what it need not
	Late       int     // percent of what is delayed between ranks
	Ring       int
	Shift      uint64  // GVTs between moves of KPs
	Refuses    float64 // probability that memory is refused
	Every      float64 // virtual time between checkpoints
	CancelAt   uint64  // turn at which the run is cancelled, and goes on from its newest checkpoint
}

// shaky is the model whose processes panic in impossible states.
const shaky = 5

// went counts the worlds that went on from a checkpoint, and those that found no memory.
var went struct{ on, without int }

// errCancelled ends a run on purpose.
var errCancelled = errors.New("cancelled")

func randomWorld(seed uint64) processWorld {
	r := rand.New(rand.NewPCG(seed, 11))
	w := processWorld{
		Model: r.Uint64N(5), End: 4 + r.Uint64N(16), Log: r.IntN(3) == 0, Order: r.Uint64(),
		Synch: []ross.Scheduler{ross.Optimistic, ross.Optimistic, ross.Optimistic, ross.OptimisticRealTime,
			ross.RollbackCheck, ross.Sequential, ross.Conservative}[r.IntN(7)],
		Ranks: 1, PEs: 1 + r.IntN(4), NKP: 1 + r.IntN(6), Batch: 1 + r.IntN(16), GVT: 1 + r.IntN(16),
	}
	if w.Synch == ross.Conservative && w.Model > 1 { // the others promise no lookahead
		w.Synch = ross.Optimistic
	}
	if w.Synch == ross.Sequential || w.Synch == ross.RollbackCheck {
		w.PEs = 1
	} else if r.IntN(2) == 0 {
		w.Ranks, w.PEs, w.Late = 2+r.IntN(2), 1+r.IntN(2), []int{0, 20, 80}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		w.Harass = 0.3 * r.Float64()
	}
	if r.IntN(3) == 0 {
		w.Window = 0.5 + r.Float64()
	}
	if r.IntN(2) == 0 {
		w.Ring = 1 << r.IntN(5)
	}
	if r.IntN(3) == 0 {
		w.Shift = 1 + r.Uint64N(8)
	}
	if r.IntN(6) == 0 {
		w.Refuses = []float64{0.02, 0.2, 0.5}[r.IntN(3)]
	}
	if r.IntN(2) == 0 {
		w.Every = float64(w.End) / float64(2+r.IntN(5))
		if r.IntN(3) > 0 {
			w.CancelAt = 1 + r.Uint64N(1<<(8+r.IntN(7)))
		}
	}
	return w
}

// types returns the types of the model. Some have processes that travel, and some have handlers next to them.
func (w *processWorld) types() []ross.LPType {
	saving := ross.SaveByDelta
	if w.Log {
		saving = ross.SaveByLog
	}
	switch w.Model {
	case 0:
		return (&models.Airport{Gates: 4, Planes: 3, Walk: 0.25}).Airports()
	case 1:
		return models.DeskTypes()
	case 2:
		return []ross.LPType{models.Lands(5)}
	case shaky:
		return []ross.LPType{models.Shakies()}
	}
	banks, shops, halls, all := models.Banks(2), models.Shops(2), models.Halls(2), models.ManyConstructs(2)
	quays, ferries := models.Quays(2), models.Ferries(2)
	banks.Saving = saving
	if w.Model == 3 {
		return []ross.LPType{banks, halls, quays, ferries}
	}
	return []ross.LPType{shops, all, banks}
}

func (w *processWorld) config(folder string, from bool) ross.Config {
	cfg := ross.Config{Synch: w.Synch, End: float64(w.End), PEs: w.PEs, NKP: w.NKP, Digest: true, MaxMemory: 63 << 20}
	cfg.Tuning.Batch, cfg.Tuning.GVTInterval, cfg.Tuning.MaxOptLookahead = w.Batch, w.GVT, w.Window
	if w.Every > 0 {
		cfg.Checkpoints.Name, cfg.Checkpoints.Keep, cfg.Checkpoints.VirtualInterval = filepath.Join(folder, "run"), 2, w.Every
	}
	if from {
		cfg.Checkpoints.Restart = "latest"
	}
	return cfg
}

// digests are what runs are compared by.
type digests struct{ events, states uint64 }

// sequential returns what a sequential run leaves.
func (w *processWorld) sequential() (digests, error) {
	sim, err := ross.Run(context.Background(), ross.Config{End: float64(w.End), Digest: true}, w.types()...)
	if err != nil {
		return digests{}, err
	}
	defer sim.Close()
	return digests{*sim.Summary().Digest, *sim.Summary().StateDigest}, nil
}

// play runs the model in its world.
func (w *processWorld) play(t *testing.T, folder string, from bool) (digests, error) {
	t.Helper()
	got, errs := make([]digests, w.Ranks), make([]error, w.Ranks)
	played := turns.Play(t, w.Order, func(tw *turns.World) {
		ctx, cancel := context.WithCancelCause(context.Background())
		at := w.CancelAt
		if at == 0 || from {
			at = math.MaxUint64
		}
		tw.At(at, func() { cancel(errCancelled) })
		var cluster *worldtest.Cluster
		if w.Ranks > 1 {
			cluster = worldtest.New(w.Ranks, w.Order, w.Late).WithTurns(tw)
		}
		left, over := w.Ranks, make(chan struct{})
		for rank := range w.Ranks {
			cfg := w.config(folder, from)
			dice := rand.New(rand.NewPCG(w.Order, uint64(rank)))
			knobs := settings.Knobs{Turn: tw.Turn, RingSize: w.Ring, Moves: w.Shift > 0, Shift: w.Shift}
			var mu sync.Mutex // PEs call Init at the same time
			refused := 0
			if w.Refuses > 0 {
				knobs.Refuse = func(uint64) bool {
					mu.Lock()
					defer mu.Unlock()
					if refused > 40 || dice.Float64() > w.Refuses {
						return false
					}
					refused++
					return true
				}
			}
			var ranks world.World
			if cluster != nil {
				ranks = cluster.Rank(rank)
			}
			*inside.Ross.Knobs(&cfg) = inside.Knobs{Knobs: knobs, World: ranks, Disturb: w.disturb(rank)}
			tw.Go(settings.Main(rank), func() {
				sim, err := ross.New(cfg)
				if err == nil {
					err = sim.Define(w.types()...)
				}
				if err == nil {
					err = sim.Run(ctx)
				}
				if err == nil {
					got[rank] = digests{*sim.Summary().Digest, *sim.Summary().StateDigest}
				}
				errs[rank] = err
				if left--; left == 0 {
					close(over)
				} else {
					<-over
					tw.Turn(settings.Main(rank), "over")
				}
				if sim != nil {
					errs[rank] = errors.Join(err, sim.Close())
				}
			})
		}
	})
	if played.Fault != "" {
		return digests{}, fmt.Errorf("%s\n%s", played.Fault, played.History())
	}
	for rank := range w.Ranks {
		if errs[rank] == nil && got[rank] != got[0] && errs[0] == nil {
			return digests{}, errors.New("ranks have different results")
		}
	}
	return got[0], errors.Join(errs...)
}

// disturb returns what each PE of a rank calls in each turn: now and then it rolls back what it need not.
func (w *processWorld) disturb(rank int) func(*run.PE) {
	if w.Harass == 0 {
		return nil
	}
	dice, times, round := map[int]*rand.Rand{}, make([]int, w.PEs), make([]uint64, w.PEs)
	for i := range w.PEs {
		dice[i] = rand.New(rand.NewPCG(w.Order, uint64(100+10*rank+i)))
	}
	return func(pe *run.PE) {
		i := pe.ID - pe.Engine.Base
		if round[i] != pe.Counts.GVTs {
			times[i], round[i] = 0, pe.Counts.GVTs
		}
		r := dice[int(i)]
		if times[i]++; r.Float64() >= w.Harass || times[i] > 20 || len(pe.Mine) == 0 ||
			pe.Member.Busy() && (!pe.Red || pe.Remote != nil) {
			return // it may have said that nothing before the next GVT will be undone
		}
		left := 1 << r.IntN(8)
		pe.Rollback(pe.Mine[r.IntN(len(pe.Mine))], func(_ event.Key, e *event.Event) bool {
			left--
			return left >= 0 && !pe.IsReached(e)
		})
		pe.Settle()
	}
}

// check says what is wrong with a world, or "".
func (w processWorld) check(t *testing.T) string {
	t.Helper()
	want, err := w.sequential()
	if err != nil {
		return fmt.Sprintf("a sequential run ends with %v", err)
	}
	folder := t.TempDir()
	got, err := w.play(t, folder, false)
	switch {
	case w.Refuses > 0 && err != nil && strings.Contains(err.Error(), ross.ErrMemory.Error()):
		went.without++
		return ""
	case w.CancelAt > 0 && errors.Is(err, errCancelled):
		if found, _ := filepath.Glob(filepath.Join(folder, "run*.rio-md")); len(found) == 0 {
			return ""
		}
		went.on++
		if got, err = w.play(t, folder, true); err != nil {
			return fmt.Sprintf("after a restart: %v", err)
		}
	}
	switch {
	case err != nil:
		return err.Error()
	case got != want:
		return fmt.Sprintf("digests %x, not %x", got, want)
	}
	return ""
}

// TestProcessesInWorlds runs worlds; ROSS_WORLDS=N runs more, and A-B those seeds.
func TestProcessesInWorlds(t *testing.T) {
	if text := os.Getenv("ROSS_PROCESS_WORLD"); text != "" {
		var w processWorld
		require.NoError(t, json.Unmarshal([]byte(text), &w))
		require.Empty(t, w.check(t))
		return
	}
	first, last := uint64(1), uint64(testlevel.Times(60, 15))
	if text := os.Getenv("ROSS_WORLDS"); text != "" {
		a, b, both := strings.Cut(text, "-")
		if !both {
			a, b = "1", text
		}
		var err error
		first, err = strconv.ParseUint(a, 10, 64)
		require.NoError(t, err)
		last, err = strconv.ParseUint(b, 10, 64)
		require.NoError(t, err)
	}
	for seed := first; seed <= last; seed++ {
		w := randomWorld(seed)
		if wrong := w.check(t); wrong != "" {
			text, _ := json.Marshal(w)
			t.Errorf("seed %d: %s\nROSS_PROCESS_WORLD='%s'", seed, wrong, text)
		}
	}
	t.Logf("%d worlds: %d went on from a checkpoint, %d found no memory", last-first+1, went.on, went.without)
}

// TestProcessesGoOnAfterAPanicThatWasUndone has a process panic in states that an optimistic run undoes. Handlers of
// its LP start processes after that.
func TestProcessesGoOnAfterAPanicThatWasUndone(t *testing.T) {
	before := models.Panics.Load()
	for order := range uint64(10) {
		w := processWorld{Model: shaky, End: 45, Order: order, Synch: ross.Optimistic, Ranks: 1, PEs: 2, NKP: 1, Batch: 4,
			GVT: 8}
		require.Empty(t, w.check(t))
	}
	require.NotEqual(t, before, models.Panics.Load(), "no order has led to an impossible state")
}
