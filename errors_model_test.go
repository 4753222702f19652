// This file pins what New and Define refuse: settings no run can have, types of
// LPs that cannot be simulated, type maps and mappings that lead nowhere.

package ross_test

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/mapping"
	"github.com/ross-go/ross/models/rosstest"
)

// typeOf returns a type with messages M, and nothing wrong but them.
func typeOf[M any]() ross.LPType {
	return ross.Type[none, M]{Name: "t", Event: func(*none, *ross.LP, *ross.Bits, *M) {}}
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
		"all kinds": typeOf[all](), "nothing": typeOf[struct{}](), "a number": typeOf[float64](), "an array": typeOf[[300]uint16](),
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

func TestDefineRefuses(t *testing.T) {
	good := typeOf[word]()
	mapped := ross.Type[none, word]{Event: func(*none, *ross.LP, *ross.Bits, *word) {}, Map: func(ross.LPID) ross.PEID { return 0 }}
	noEvent := ross.Type[none, word]{Name: "mute"}
	unnamed := ross.Type[none, word]{}
	tracing := func(n int) ross.LPType {
		return ross.Type[none, word]{Name: "t", Event: func(*none, *ross.LP, *ross.Bits, *word) {}, TraceSize: n}
	}
	laid := func(n int, layout string) ross.LPType {
		return ross.Type[none, word]{Name: "t", Event: func(*none, *ross.LP, *ross.Bits, *word) {}, TraceSize: n, TraceLayout: layout}
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
			"ross: Define: 2 types and no Config.TypeMap: unusable model: set it to say which type each LP has"},
		"no Event": {nothing, []ross.LPType{noEvent}, ross.ErrModel,
			`ross: LP type "mute": Event is nil: unusable model: give it a handler, or several with On`},
		"no Event and no name": {nothing, []ross.LPType{unnamed}, ross.ErrModel,
			`ross: LP type "None": Event is nil: unusable model: give it a handler, or several with On`},
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
			c.Mapping, c.Custom.PE = mapping.Custom, func(gid uint64) uint64 { return gid / 3 }
		}, []ross.LPType{good}, mapping.ErrCustom,
			"ross: custom mapping: LP 3: PE 1 does not exist: let CustomFuncs.PE return 0 to 0"},
		"custom mapping without functions": {func(c *ross.Config) { c.Mapping = mapping.Custom },
			[]ross.LPType{good}, ross.ErrModel,
			`ross: custom mapping: LP 0: type "t" has no Map: unusable model: give it one, or Config.Custom.PE`},
		"custom mapping by types that the map does not give": {func(c *ross.Config) {
			c.Mapping = mapping.Custom
			mapTo(5)(c)
		}, []ross.LPType{mapped}, ross.ErrModel,
			"ross: Config.TypeMap: gives type 5 to LP 2: unusable model: give 0 to 0, an index into the types of Define"},
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
	first := ross.Type[none, word]{Name: "first", Event: func(*none, *ross.LP, *ross.Bits, *word) {}}
	second := ross.Type[none, word]{Name: "second", Event: first.Event}
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
		"no LPs":             {func(c *ross.Config) { c.NLP = 0 }, "ross: option --nlp=0: out of range; give 1 or more"},
		"no KPs":             {func(c *ross.Config) { c.NKP = 0 }, "ross: option --nkp=0: out of range; give 1 or more"},
		"end NaN":            {func(c *ross.Config) { c.End = math.NaN() }, "ross: option --end=NaN: out of range; give a virtual time of 0 or more, or inf"},
		"negative end":       {func(c *ross.Config) { c.End = -1 }, "ross: option --end=-1: out of range; give a virtual time of 0 or more, or inf"},
		"no streams":         {func(c *ross.Config) { c.RNGsPerLP = 0 }, "ross: Config.RNGsPerLP=0: out of range; give 1 to 2^32"},
		"hardly any memory":  {func(c *ross.Config) { c.MaxMemory = 1000 }, "ross: option --max-memory=1000: out of range; give 256K or more, or 0 for 80 % of free memory"},
		"unknown queue":      {func(c *ross.Config) { c.PQ = "heap" }, "ross: option --pq=heap: out of range; give c or go, or leave it out for the best there is"},
		"synch 7":            {func(c *ross.Config) { c.Synch = 7 }, "ross: option --synch=7: out of range; give 0 to 6, or auto"},
		"two PEs":            {func(c *ross.Config) { c.PEs = 2 }, "ross: option --pes=2: --synch=1 runs on one PE; use --pes=1, or --synch=3"},
		"points without end": {func(c *ross.Config) { c.EngineStats, c.End = 3, math.Inf(1) }, "ross: option --vt-samp-end=0: in a run without an end, samples at virtual times need one; give this option or --end"},
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
		assert.Equal(t, 1, out.Stats().Synch)
	}
}
