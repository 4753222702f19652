// What New and Define refuse, and what becomes of events that must not be sent. And where labels appear, and that an
// error has each once.

package ross_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/testing/rosstest"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/report"
)

// typeOf returns a type with messages M, and nothing wrong but them.
func typeOf[M any]() ross.LPType {
	return ross.Type[none]{Name: "t", Event: ross.On(func(*none, *ross.LP, *M) {})}
}

func TestMessageWithAPointerIsRefusedByThePathOfItsField(t *testing.T) {
	type inner struct {
		OK   float64
		Name string
	}
	type withPointer struct{ P *int }
	type nested struct {
		A, B int
		In   struct{ Deep [2]inner }
	}
	type hidden struct {
		_ [3]uint8
		_ func()
	}
	type embedded struct {
		N int
		inner
	}
	for name, c := range map[string]struct {
		typ         ross.LPType
		where, kind string
	}{
		"pointer":              {typeOf[*int](), "*int", "ptr"},
		"string":               {typeOf[string](), "string", "string"},
		"slice":                {typeOf[[]byte](), "[]uint8", "slice"},
		"map":                  {typeOf[map[int]int](), "map[int]int", "map"},
		"interface":            {typeOf[any](), "interface {}", "interface"},
		"chan":                 {typeOf[chan int](), "chan int", "chan"},
		"func":                 {typeOf[func()](), "func()", "func"},
		"unsafe.Pointer":       {typeOf[unsafe.Pointer](), "unsafe.Pointer", "unsafe.Pointer"},
		"array":                {typeOf[[4]error](), "[4]error[0]", "interface"},
		"array of arrays":      {typeOf[[4][2]*int](), "[4][2]*int[0][0]", "ptr"},
		"field":                {typeOf[withPointer](), "ross_test.withPointer.P", "ptr"},
		"field far down":       {typeOf[nested](), "ross_test.nested.In.Deep[0].Name", "string"},
		"unexported field":     {typeOf[hidden](), "ross_test.hidden._", "func"},
		"field of an embedded": {typeOf[embedded](), "ross_test.embedded.inner.Name", "string"},
	} {
		t.Run(name, func(t *testing.T) {
			err := defineError(t, rosstest.Small(), c.typ)
			require.EqualError(t, err, `ross: LP type "t": message: `+c.where+" is a "+c.kind+
				": unusable model: messages travel as bytes, so use numbers, arrays and structs of them")
			require.ErrorIs(t, err, ross.ErrModel)
		})
	}
}

func TestMessageWithoutPointersIsTaken(t *testing.T) {
	type all struct {
		A bool
		B int8
		C [2]struct{ X, Y float32 }
		D complex128
		E uintptr
		F [0]*int
		_ uint64
	}
	for name, typ := range map[string]ross.LPType{
		"all kinds": typeOf[all](), "nothing": typeOf[struct{}](), "a number": typeOf[float64](),
		"an array": typeOf[[300]uint16](),
	} {
		t.Run(name, func(t *testing.T) { rosstest.Define(t, rosstest.Small(), typ) })
	}
}

// defineError returns what Define says about types.
func defineError(t *testing.T, cfg ross.Config, types ...ross.LPType) error {
	t.Helper()
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	err = sim.Define(types...)
	require.Error(t, err)
	return err
}

// elsewhere is a mapping that does not look at the numbers of the run, and nowhere one without places.
type elsewhere struct{}
type nowhere struct{}

func (elsewhere) Map(mapping.Shape) (*mapping.Map, error) { return mapping.NewLinear(3, 3, 1) }
func (nowhere) Map(mapping.Shape) (*mapping.Map, error)   { return nil, nil }

func TestDefineRefuses(t *testing.T) {
	good := typeOf[word]()
	noEvent := ross.Type[none]{Name: "mute"}
	unnamed := ross.Type[none]{}
	tracing := func(n int) ross.LPType {
		return ross.Type[none]{Name: "t", Event: ross.On(func(*none, *ross.LP, *word) {}), TraceSize: n}
	}
	laid := func(n int, layout string) ross.LPType {
		return ross.Type[none]{Name: "t", Event: ross.On(func(*none, *ross.LP, *word) {}), TraceSize: n, TraceLayout: layout}
	}
	mapTo := func(i int) func(*ross.Config) {
		return func(c *ross.Config) {
			c.TypeMap = func(gid ross.LPID) int {
				if gid == 2 {
					return i
				}
				return 0
			}
		}
	}
	nothing := func(*ross.Config) {}
	for name, c := range map[string]struct {
		set   func(*ross.Config)
		types []ross.LPType
		want  error
		text  string
	}{
		"no type": {nothing, nil, ross.ErrModel,
			"ross: Define: 0 types: unusable model: give 1 to 65535"},
		"types without a map": {nothing, []ross.LPType{good, good}, ross.ErrModel,
			"ross: Define: 2 types and no Config.TypeMap: unusable model: set it to say which type each LP has, or LPs of each type"},
		"no Event": {nothing, []ross.LPType{noEvent}, ross.ErrModel,
			`ross: LP type "mute": Event is nil: unusable model: give it what ross.On returns for a function, or ross.Events for several`},
		"no Event and no name": {nothing, []ross.LPType{unnamed}, ross.ErrModel,
			`ross: LP type "None": Event is nil: unusable model: give it what ross.On returns for a function, or ross.Events for several`},
		"negative TraceSize": {nothing, []ross.LPType{tracing(-1)}, ross.ErrModel,
			`ross: LP type "t": TraceSize is -1: unusable model: give 0 to 1048576 bytes`},
		"huge TraceSize": {nothing, []ross.LPType{tracing(1<<20 + 1)}, ross.ErrModel,
			`ross: LP type "t": TraceSize is 1048577: unusable model: give 0 to 1048576 bytes`},
		"layout of another size": {nothing, []ross.LPType{laid(8, "a:u32")}, ross.ErrModel,
			`ross: LP type "t": TraceLayout has 4 bytes, and TraceSize is 8: unusable model: make them agree, with fields _:xN for bytes without a meaning, or leave out TraceSize`},
		"layout of an unknown kind": {nothing, []ross.LPType{laid(4, "a:int")}, ross.ErrModel,
			`ross: LP type "t": TraceLayout: unusable model: field "a:int": unknown kind "int": give i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, or xN for N bytes, with [n] behind it for an array`},
		"huge layout": {nothing, []ross.LPType{laid(0, "a:x1048577")}, ross.ErrModel,
			`ross: LP type "t": TraceSize is 1048577: unusable model: give 0 to 1048576 bytes`},
		"type map beyond": {mapTo(2), []ross.LPType{good, good}, ross.ErrModel,
			"ross: Config.TypeMap: gives type 2 to LP 2: unusable model: give 0 to 1, an index into the types of Define"},
		"type map below": {mapTo(-1), []ross.LPType{good}, ross.ErrModel,
			"ross: Config.TypeMap: gives type -1 to LP 2: unusable model: give 0 to 0, an index into the types of Define"},
		"custom mapping to no PE": {func(c *ross.Config) {
			c.Mapping = mapping.Places{PE: func(gid uint64) uint64 { return gid / 3 }}
		}, []ross.LPType{good}, mapping.ErrCustom,
			"ross: custom mapping: LP 3: PE 1 does not exist: let Places.PE return 0 to 0"},
		"custom mapping without functions": {func(c *ross.Config) { c.Mapping = mapping.Places{} },
			[]ross.LPType{good}, mapping.ErrCustom,
			"ross: custom mapping: Places.PE is nil: give the function that returns the PE of a gid"},
		"the kind of a custom mapping": {func(c *ross.Config) { c.Mapping = mapping.Custom },
			[]ross.LPType{good}, mapping.ErrCustom,
			"ross: custom mapping: model defined is what a Map calls itself: give Linear, RoundRobin, Places or For"},
		"a mapping for another run": {func(c *ross.Config) { c.Mapping = elsewhere{} }, []ross.LPType{good}, ross.ErrModel,
			"ross: Config.Mapping: ross_test.elsewhere returned a Map of 9 LPs on 3 PEs for a run of 4 on 1: unusable model: make it for the numbers that it is given"},
		"a mapping of nothing": {func(c *ross.Config) { c.Mapping = nowhere{} }, []ross.LPType{good}, ross.ErrModel,
			"ross: Config.Mapping: ross_test.nowhere returned no Map: unusable model: return what package mapping makes"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			c.set(&cfg)
			err := defineError(t, cfg, c.types...)
			require.EqualError(t, err, c.text)
			require.ErrorIs(t, err, c.want)
			assert.Equal(t, 1, ross.ExitCode(err))
		})
	}
}

// What a failed Define took must not shift the types of the next one.
func TestDefineCanBeTriedAgain(t *testing.T) {
	cfg := rosstest.Small()
	cfg.TypeMap = func(gid ross.LPID) int { return int(gid % 2) }
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	defer sim.Close()
	first := ross.Type[none]{Name: "first", Event: ross.On(func(*none, *ross.LP, *word) {})}
	second := ross.Type[none]{Name: "second", Event: first.Event}
	require.Error(t, sim.Define(second, typeOf[string]()))
	require.NoError(t, sim.Define(first, second))
	for gid := range ross.LPID(4) {
		require.Equal(t, []string{"first", "second"}[gid%2], sim.LP(gid).TypeName(), "LP %d", gid)
	}
}

func TestNewRefusesSettingsThatNoRunCanHave(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*ross.Config)
		text string
	}{
		"no LPs": {func(c *ross.Config) { c.NLP = 0 }, "ross: option --nlp=0: out of range; give 1 or more"},
		"no KPs": {func(c *ross.Config) { c.NKP = 0 }, "ross: option --nkp=0: out of range; give 1 or more"},
		"end NaN": {func(c *ross.Config) { c.End = math.NaN() },
			"ross: option --end=NaN: out of range; give a virtual time of 0 or more, or inf"},
		"negative end": {func(c *ross.Config) { c.End = -1 },
			"ross: option --end=-1: out of range; give a virtual time of 0 or more, or inf"},
		"no streams": {func(c *ross.Config) { c.Streams.PerLP = 0 },
			"ross: Config.Streams.PerLP=0: out of range; give 1 to 2^32"},
		"hardly any memory": {func(c *ross.Config) { c.MaxMemory = 1000 },
			"ross: option --max-memory=1000: out of range; give 256K or more, or 0 for 80 % of free memory"},
		"unknown queue": {func(c *ross.Config) { c.Tuning.PQ = 3 },
			"ross: option --pq=Implementation(3): out of range; give c or go, or leave it out for the best there is"},
		"synch 7": {func(c *ross.Config) { c.Synch = 7 },
			"ross: option --synch=7: out of range; give 0 to 6, or auto"},
		"two PEs": {func(c *ross.Config) { c.PEs = 2 },
			"ross: option --pes=2: --synch=1 runs on one PE; use --pes=1, or --synch=3"},
		"points without end": {func(c *ross.Config) { c.Instruments.Engine, c.End = ross.SampleByVirtualTime, math.Inf(1) },
			"ross: option --vt-samp-end=0: in a run without an end, samples at virtual times need one; give this option or --end"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			c.set(&cfg)
			sim, err := ross.New(cfg)
			require.Nil(t, sim)
			require.EqualError(t, err, c.text)
			require.ErrorIs(t, err, ross.ErrUsage)
			require.Equal(t, 2, ross.ExitCode(err))
		})
	}
}

func TestSynch0And1AreSequentialRuns(t *testing.T) {
	for synch := range 2 {
		cfg := rosstest.Small()
		cfg.Synch = ross.Scheduler(synch)
		out := rosstest.Run(t, cfg, rosstest.Once(func(*ross.LP) {}))
		assert.Contains(t, out.Report, "*** START SEQUENTIAL SIMULATION ***", "--synch=%d", synch)
		assert.Equal(t, 1, out.Summary().Synch)
	}
}

// What becomes of events that must not be sent: Run returns an
// error that names the LP, its type, the time, the destination and the way out.

func TestBadSendEndsTheRunWithAnErrorThatNamesItAll(t *testing.T) {
	const (
		who    = "ross: LP 3 (once) at time 1.5: "
		delay  = ": bad delay: a delay must be finite and at least 0; likely cause"
		below  = delay + "s: a difference of times or its rounding, a distribution with negative values"
		nan    = delay + "s: 0/0, Inf-Inf, the root or logarithm of a negative number"
		inf    = delay + "s: a division by 0, the logarithm of 0"
		dest   = ": no such LP: ids go from 0 to 3"
		prio   = ": bad priority: a priority must be in [0, 1]"
		typing = ": wrong message type: send what its type's Event expects, rosstest.Word"
	)
	for name, c := range map[string]struct {
		do   func(lp *ross.LP)
		want error
		text string
	}{
		"negative delay": {func(lp *ross.LP) { ross.Send(lp, 2, -0.25, word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -0.25" + below},
		"least negative delay": {func(lp *ross.LP) { ross.Send(lp, 2, -math.SmallestNonzeroFloat64, word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -5e-324" + below},
		"delay NaN": {func(lp *ross.LP) { ross.Send(lp, 2, math.NaN(), word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay NaN" + nan},
		"delay Inf": {func(lp *ross.LP) { ross.Send(lp, 2, math.Inf(1), word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay +Inf" + inf},
		"delay -Inf": {func(lp *ross.LP) { ross.Send(lp, 2, math.Inf(-1), word{}) },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -Inf" + inf},
		"delay of an event filled in place": {func(lp *ross.LP) { ross.NewEvent[word](lp, 2, -1).N = 7 },
			ross.ErrDelay, "sent LP 2 an event (rosstest.Word) with delay -1" + below},
		"destination just beyond": {func(lp *ross.LP) { ross.Send(lp, 4, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP 4" + dest},
		"destination far beyond": {func(lp *ross.LP) { ross.Send(lp, math.MaxUint64, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP -1" + dest},
		"destination below": {func(lp *ross.LP) { ross.Send(lp, lp.ID()-6, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP -3" + dest},
		"negative destination and delay": {func(lp *ross.LP) { ross.Send(lp, lp.ID()-4, -1, word{}) },
			ross.ErrDelay, "sent LP -1 an event (rosstest.Word) with delay -1" + below},
		"destination beyond 32 bits": {func(lp *ross.LP) { ross.Send(lp, 1<<32, 1, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP 4294967296" + dest},
		"destination of an event after the end": {func(lp *ross.LP) { ross.Send(lp, 4, 1000, word{}) },
			ross.ErrDestination, "sent an event (rosstest.Word) to LP 4" + dest},
		"priority below 0": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, -0.5, word{}) },
			ross.ErrPriority, "sent LP 2 an event (rosstest.Word) with priority -0.5" + prio},
		"priority above 1": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, 1.5, word{}) },
			ross.ErrPriority, "sent LP 2 an event (rosstest.Word) with priority 1.5" + prio},
		"priority NaN": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, math.NaN(), word{}) },
			ross.ErrPriority, "sent LP 2 an event (rosstest.Word) with priority NaN" + prio},
		"before its own cause": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 0, 0.25, word{}) },
			ross.ErrOrder, "sent LP 2 an event (rosstest.Word) without delay and with priority 0.25, at priority 1 itself: " +
				"event would be before its sender's: give it at least the priority of the event that sends it, or a delay"},
		"before its own cause after a delay that is lost in rounding": {
			func(lp *ross.LP) { ross.SendPriority(lp, 2, 1e-300, 0.25, word{}) },
			ross.ErrOrder, "sent LP 2 an event (rosstest.Word) without delay and with priority 0.25, at priority 1 itself: " +
				"event would be before its sender's: give it at least the priority of the event that sends it, or a delay"},
		"message of a type never registered": {func(lp *ross.LP) { ross.Send(lp, 2, 1, 7) }, ross.ErrMessageType,
			"sent LP 2 (once) an event (int)" + typing},
		"message of another type of the same size": {func(lp *ross.LP) { ross.Send(lp, 2, 1, struct{ N int64 }{}) },
			ross.ErrMessageType, "sent LP 2 (once) an event (struct { N int64 })" + typing},
		"message of another type, filled in place": {func(lp *ross.LP) { ross.NewEvent[[3]int](lp, 2, 1)[2] = 1 },
			ross.ErrMessageType, "sent LP 2 (once) an event ([3]int)" + typing},
		"message of another type, with a priority": {func(lp *ross.LP) { ross.SendPriority(lp, 2, 1, 0.5, uint8(1)) },
			ross.ErrMessageType, "sent LP 2 (once) an event (uint8)" + typing},
		"timer with a message of another type": {func(lp *ross.LP) { ross.After(lp, 1, 7) }, ross.ErrMessageType,
			"sent LP 3 (once) an event (int)" + typing},
		"timer with a negative delay": {func(lp *ross.LP) { ross.After(lp, -1, word{}) }, ross.ErrDelay,
			"sent LP 3 an event (rosstest.Word) with delay -1" + below},
		"timer with a bad priority": {func(lp *ross.LP) { ross.AfterPriority(lp, 1, 2, word{}) },
			ross.ErrPriority, "set a timer with priority 2" + prio},
		"the first of several mistakes is what counts": {
			func(lp *ross.LP) { ross.Send(lp, 4, 1, word{}); ross.Send(lp, 2, -1, word{}) }, ross.ErrDestination,
			"sent an event (rosstest.Word) to LP 4" + dest},
	} {
		t.Run(name, func(t *testing.T) {
			out := rosstest.Try(t, rosstest.Small(), rosstest.Once(c.do))
			require.EqualError(t, out.Err, who+c.text)
			assert.ErrorIs(t, out.Err, c.want)
			var me *ross.ModelError
			require.ErrorAs(t, out.Err, &me)
			assert.Equal(t, []any{ross.LPID(3), "once", 1.5}, []any{me.LP, me.Type, me.Time})
			assert.Equal(t, 1, ross.ExitCode(out.Err))
		})
	}
}

// A message is checked against the LP that gets it, not against all types.
func TestMessageOfAnotherLPsTypeIsRefused(t *testing.T) {
	type other struct{ A, B float64 }
	var do func(lp *ross.LP)
	first := rosstest.Once(func(lp *ross.LP) { do(lp) })
	second := ross.Type[none]{Name: "second", Event: ross.On(func(*none, *ross.LP, *other) {})}
	cfg := rosstest.Small()
	cfg.TypeMap = func(gid ross.LPID) int { return int(1 - gid%2) }
	for name, c := range map[string]struct {
		do   func(lp *ross.LP)
		text string
	}{
		"the sender's": {func(lp *ross.LP) { ross.Send(lp, 2, 1, word{}) },
			"sent LP 2 (second) an event (rosstest.Word): wrong message type: send what its type's Event expects, ross_test.other"},
		"the other's": {func(lp *ross.LP) { ross.Send(lp, 1, 1, other{}) },
			"sent LP 1 (once) an event (ross_test.other): wrong message type: send what its type's Event expects, rosstest.Word"},
		"nobody's": {func(lp *ross.LP) { ross.Send(lp, 2, 1, 1.0) },
			"sent LP 2 (second) an event (float64): wrong message type: send what its type's Event expects, ross_test.other"},
	} {
		t.Run(name, func(t *testing.T) {
			do = c.do
			out := rosstest.Try(t, cfg, first, second)
			require.EqualError(t, out.Err, "ross: LP 3 (once) at time 1.5: "+c.text)
			require.ErrorIs(t, out.Err, ross.ErrMessageType)
		})
	}
	do = func(lp *ross.LP) { ross.Send(lp, 2, 1, other{}); ross.Send(lp, 1, 1, word{N: 1}) }
	require.Equal(t, 3, rosstest.Run(t, cfg, first, second).Net())
}

// outside is the error of a send by LP 3, which is at some time, to LP 2.
func outside(time string) string {
	return "ross: LP 3 (once) at time " + time +
		": sent LP 2 an event (rosstest.Word): send outside a handler: send from Init, PreRun or Event of the LP itself"
}

func TestSendOutsideAHandlerIsRefused(t *testing.T) {
	send := func(lp *ross.LP) { ross.Send(lp, 2, 1, word{N: 1}) }
	nothing := func(*ross.LP) {}
	third := func(pe *ross.PE) { send(pe.LP(3)) }

	other := rosstest.Once(func(lp *ross.LP) { ross.Send(lp, 0, 1, word{N: 1}) })
	other.Event = ross.On(func(_ *none, lp *ross.LP, m *word) { send(lp.PE().LP(3)) })
	other.Init = func(_ *none, lp *ross.LP) { ross.Send(lp, 0, 1, word{}) }
	commit := rosstest.Once(nothing)
	commit.Event = commit.Event.(ross.EventHandler[none, word]).Commit(func(_ *none, lp *ross.LP, _ *word) { send(lp) })
	final := rosstest.Once(nothing)
	final.Final = func(_ *none, lp *ross.LP) {
		if lp.ID() == 3 {
			send(lp)
		}
	}
	trace := rosstest.Once(nothing)
	trace.Event = trace.Event.(ross.EventHandler[none, word]).Trace(func(lp *ross.LP, _ ross.TraceKind, _ *word,
		_ []byte) bool {
		send(lp)
		return true
	})

	for name, c := range map[string]struct {
		typ  ross.LPType
		set  func(*ross.Config)
		time string
	}{
		"another LP's Event":    {other, func(*ross.Config) {}, "0"},
		"Commit":                {commit, func(*ross.Config) {}, "1.5"},
		"Final":                 {final, func(*ross.Config) {}, "1.5"},
		"Trace":                 {trace, func(c *ross.Config) { c.Instruments.Trace = ross.TraceAll }, "1.5"},
		"before the LPs' Init":  {rosstest.Once(nothing), func(c *ross.Config) { c.PE.PreLPInit = third }, "0"},
		"after the LPs' Init":   {rosstest.Once(nothing), func(c *ross.Config) { c.PE.PostLPInit = third }, "0"},
		"the PE's Final":        {rosstest.Once(nothing), func(c *ross.Config) { c.PE.Final = third }, "1.5"},
		"hook between events":   {rosstest.Once(nothing), func(c *ross.Config) { c.HookTrigger = ross.HookAt(1) }, "0"},
		"hook after the events": {rosstest.Once(nothing), func(c *ross.Config) { c.HookTrigger = ross.HookAt(2) }, "1.5"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := rosstest.Small()
			cfg.Instruments.Path = t.TempDir() + "/trace"
			cfg.GVTHook = func(pe *ross.PE, _ bool) { third(pe) }
			c.set(&cfg)
			out := rosstest.Try(t, cfg, c.typ)
			require.EqualError(t, out.Err, outside(c.time))
			require.ErrorIs(t, out.Err, ross.ErrOutsideHandler)
		})
	}
}

func TestSendFromMainBeforeRunIsReportedByRun(t *testing.T) {
	sim, _ := rosstest.Define(t, rosstest.Small(), rosstest.Once(func(*ross.LP) {}))
	ross.Send(sim.LP(3), 2, 1, word{})
	require.EqualError(t, sim.Run(context.Background()), outside("0"))
}

// There is no run any more that could return it.
func TestSendFromMainAfterRunIsReportedByClose(t *testing.T) {
	out := rosstest.Run(t, rosstest.Small(), rosstest.Once(func(*ross.LP) {}))
	ross.Send(out.LP(3), 2, 1, word{})
	require.EqualError(t, out.Close(), outside("1.5"))
	require.NoError(t, out.Close())
}

func TestErrorOfAModelIsReportedOnceByRunAndNotByClose(t *testing.T) {
	out := rosstest.Try(t, rosstest.Small(), rosstest.Once(func(lp *ross.LP) { lp.Fail(assert.AnError) }))
	require.Error(t, out.Err)
	require.NoError(t, out.Close())
}

// labelled runs a model of four LPs whose LP 2 does something at time 1.
func labelled(t *testing.T, set func(*ross.Config), label func(ross.LPID) string, do func(s *word, lp *ross.LP)) (
	*ross.Simulation, string, error) {
	t.Helper()
	var out bytes.Buffer
	cfg := rosstest.Small()
	cfg.Output = &out
	set(&cfg)
	sim, err := ross.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { _ = sim.Close() })
	require.NoError(t, sim.Define(ross.Type[word]{
		Name: "router", Label: label,
		Init: func(_ *word, lp *ross.LP) { ross.Send(lp, lp.ID(), 1, word{}) },
		Event: ross.On(func(s *word, lp *ross.LP, _ *word) {
			if lp.ID() == 2 {
				do(s, lp)
			}
		}).Reverse(func(*word, *ross.LP, *word) {}),
	}))
	err = sim.Run(context.Background())
	return sim, out.String(), err
}

// grid is a label of LPs in two columns.
func grid(id ross.LPID) string { return fmt.Sprintf("router (%d,%d)", id/2, id%2) }

func TestErrorsNameTheLPsByTheirLabels(t *testing.T) {
	full := errors.New("buffer is full")
	for name, c := range map[string]struct {
		do   func(s *word, lp *ross.LP)
		says string
	}{
		"its own": {func(_ *word, lp *ross.LP) { lp.Fail(full) },
			`ross: LP 2 "router (1,0)" (router) at time 1: the model gave up: buffer is full`},
		"engine's": {func(_ *word, lp *ross.LP) { lp.Fail(fmt.Errorf("ross: table: %w", full)) },
			`ross: LP 2 "router (1,0)" (router) at time 1: the model gave up: table: buffer is full`},
		"receiver": {func(_ *word, lp *ross.LP) { ross.Send(lp, 3, -1, word{}) },
			`LP 2 "router (1,0)" (router) at time 1: sent LP 3 "router (1,1)" an event (rosstest.Word) with delay -1`},
		"no such LP": {func(_ *word, lp *ross.LP) { ross.Send(lp, 9, 1, word{}) },
			`sent an event (rosstest.Word) to LP 9: no such LP`},
		"a panic": {func(_ *word, lp *ross.LP) { panic("ouch") }, `LP 2 "router (1,0)" (router) at time 1: panic: ouch`},
		"a message": {func(_ *word, lp *ross.LP) { ross.Send(lp, 3, 1, none{}) },
			`sent LP 3 "router (1,1)" (router) an event (rosstest.None)`},
		"priority": {func(_ *word, lp *ross.LP) { ross.SendPriority(lp, 0, 1, 3, word{}) },
			`sent LP 0 "router (0,0)" an event (rosstest.Word) with priority 3`},
	} {
		for _, synch := range []ross.Scheduler{1, 2, 3, 4, 6} {
			t.Run(fmt.Sprint(name, "/synch=", synch), func(t *testing.T) {
				_, _, err := labelled(t, func(c *ross.Config) {
					if c.Synch = synch; synch == 2 || synch == 3 {
						c.PEs, c.NLP = 2, 2
					}
				}, grid, c.do)
				require.ErrorContains(t, err, c.says)
				var mistake *ross.ModelError
				require.ErrorAs(t, err, &mistake)
				require.Equal(t, grid(2), mistake.Label)
			})
		}
	}
}

func TestCheckOfRollbackNamesTheSenderByItsLabel(t *testing.T) {
	_, _, err := labelled(t, func(c *ross.Config) { c.Synch = 6 }, grid, func(s *word, _ *ross.LP) { s.N++ })
	require.ErrorContains(t, err,
		`LP 2 "router (1,0)" (router) at time 1: Reverse of the event that LP 2 sent at time 0 left`)
}

func TestLabelsAreInTheReportAndTheFiles(t *testing.T) {
	dir := t.TempDir()
	sim, out, err := labelled(t, func(c *ross.Config) { c.Dir = dir }, grid, func(_ *word, lp *ross.LP) { lp.Stop() })
	require.NoError(t, err)
	require.Regexp(t, `Stopped by LP +2 "router \(1,0\)"\n`, out)
	require.Equal(t, "router (0,1)", sim.LP(1).Label())
	text, err := os.ReadFile(filepath.Join(dir, report.LPStatsDir, "pe_0.txt"))
	require.NoError(t, err)
	require.Regexp(t, `LPID: 3\t-  Processing time: [0-9.e+-]+\t-  Events processed: \d\t-  Label: "router \(1,1\)"\n`,
		string(text))
}

// TestLabelsThatCannotBeShownDoNoHarm has one that panics, one that is empty, and one with
// characters that would break the line.
func TestLabelsThatCannotBeShownDoNoHarm(t *testing.T) {
	for says, label := range map[string]func(ross.LPID) string{
		`ross: LP 2 (router) at time 1: the`:               func(id ross.LPID) string { return []string{"too short"}[id] },
		`ross: LP 2 (router) at time 1: the model`:         func(ross.LPID) string { return "" },
		`ross: LP 2 "a\nb\x1b[31m\"c" (router) at time 1:`: func(ross.LPID) string { return "a\nb\x1b[31m\"c" },
	} {
		_, _, err := labelled(t, func(c *ross.Config) { c.Synch = 3 }, label,
			func(_ *word, lp *ross.LP) { lp.Fail(errors.New("no")) })
		require.ErrorContains(t, err, says)
	}
}

// An error of a labelled LP has its label once, whatever the LP did to itself,
// and the labels of others.

func TestErrorsHaveALabelOnce(t *testing.T) {
	self := func(delay float64) func(*word, *ross.LP) {
		return func(_ *word, lp *ross.LP) { ross.Send(lp, lp.ID(), delay, word{}) }
	}
	same := func(*ross.Config) {}
	for name, c := range map[string]struct {
		do   func(s *word, lp *ross.LP)
		set  func(*ross.Config)
		err  error
		says string
	}{
		"a delay": {self(-1), same, ross.ErrDelay, "at time 1: sent LP 2 an event (rosstest.Word) with delay -1"},
		"a message": {func(_ *word, lp *ross.LP) { ross.Send(lp, 2, 1, none{}) }, same, ross.ErrMessageType,
			"at time 1: sent LP 2 (router) an event (rosstest.None)"},
		"a priority": {func(_ *word, lp *ross.LP) { ross.SendPriority(lp, 2, 1, 3, word{}) }, same, ross.ErrPriority,
			"at time 1: sent LP 2 an event (rosstest.Word) with priority 3"},
		"an order": {func(_ *word, lp *ross.LP) { ross.SendPriority(lp, 2, 0, 0.5, word{}) }, same, ross.ErrOrder,
			"at time 1: sent LP 2 an event (rosstest.Word) without delay"},
		"a timer": {func(_ *word, lp *ross.LP) { ross.After(lp, -1, word{}) }, same, ross.ErrDelay,
			"at time 1: sent LP 2 an event (rosstest.Word) with delay -1"},
		"outside": {func(_ *word, lp *ross.LP) {
			other := lp.PE().LP(1)
			ross.Send(other, 1, 1, word{})
		}, same, ross.ErrOutsideHandler, `sent LP 1 an event (rosstest.Word): send outside a handler`},
		"a chain": {self(0), func(c *ross.Config) { c.MaxChain = 50 }, ross.ErrChain,
			"at time 1: sent LP 2 an event (rosstest.Word) without delay, after a chain of 50 of them"},
		"a chain without memory": {func(_ *word, lp *ross.LP) {
			ross.Send(lp, lp.ID(), 0, word{})
			for range 8 {
				ross.Send(lp, lp.ID(), 1, word{})
			}
		}, func(c *ross.Config) { c.MaxChain, c.MaxMemory = 0, 1<<20 }, ross.ErrMemory,
			"events without delay from LP 2 at time 1"},
		"bits": {func(*word, *ross.LP) { panic("bits") }, same, ross.ErrPanic, "panic: bits"},
		"a block": {func(_ *word, lp *ross.LP) { ross.Alloc[int64](lp, -1) }, same, ross.ErrSave,
			"allocated -1 values of int64"},
		"a free": {func(_ *word, lp *ross.LP) {
			b := ross.Alloc[int64](lp, 1)
			ross.Free(lp, b)
			ross.Free(lp, b)
		}, same, ross.ErrSave, "freed a block of 8 bytes that had already been freed"},
		"a save": {func(_ *word, lp *ross.LP) { ross.Save(lp, new(int64)) }, func(c *ross.Config) { c.Synch = 3 },
			ross.ErrSave, "saved 8 bytes elsewhere"},
		"an end": {func(_ *word, lp *ross.LP) { lp.StopAfter(math.NaN()) }, same, ross.ErrDelay,
			"stopped the run after a delay of NaN"},
		"no lookahead": {func(_ *word, lp *ross.LP) { lp.Stop() }, cautious, ross.ErrLookahead,
			"stopped the run, but other PEs"},
		"too near": {func(_ *word, lp *ross.LP) { ross.Send(lp, 0, 0.25, word{}) }, cautious, ross.ErrLookahead,
			`sent LP 0 "router (0,0)" on PE 0 an event (rosstest.Word) with delay 0.25`},
		"a rollback": {func(s *word, _ *ross.LP) { s.N++ }, func(c *ross.Config) { c.Synch = 6 }, ross.ErrReverse,
			"Reverse of the event that LP 2 sent at time 0 left Word.N at 1"},
		"all rollbacks": {func(s *word, _ *ross.LP) { s.N++ }, func(c *ross.Config) { c.Synch = 4 }, ross.ErrReverse,
			"left Word.N at 1, it was 0 after Init"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := labelled(t, c.set, grid, c.do)
			require.ErrorIs(t, err, c.err)
			require.ErrorContains(t, err, c.says)
			var who ross.LPID = 2
			if name == "outside" {
				who = 1
			}
			require.ErrorContains(t, err, fmt.Sprintf("ross: LP %d %q (router)", who, grid(who)))
			require.Equal(t, 1, strings.Count(err.Error(), grid(who)), "%v", err)
		})
	}
}

// cautious has LPs 0 and 1 on one conservative PE and LPs 2 and 3 on another.
func cautious(c *ross.Config) { c.Synch, c.PEs, c.NLP, c.ConsLookahead = 2, 2, 2, 0.5 }

func TestTimersOfOthersAreNamedByTheirLabels(t *testing.T) {
	var kept ross.Timer
	out := rosstest.Try(t, rosstest.Small(), ross.Type[none]{
		Name: "router", Label: grid,
		Init: func(_ *none, lp *ross.LP) {
			if timer := ross.After(lp, 1, word{}); lp.ID() == 1 {
				kept = timer
			}
		},
		Event: ross.On(func(_ *none, lp *ross.LP, _ *word) {
			if lp.ID() != 1 {
				kept.Cancel(lp)
			}
		}),
	})
	require.ErrorIs(t, out.Err, ross.ErrTimer)
	require.ErrorContains(t, out.Err, `cancelled a timer of LP 1 "router (0,1)": timer cannot be cancelled`)
}
