// This file pins that the engine gets every setting of Config that it has a field for.

package ross

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/settings"
)

// ownSettings are the fields of Config that settings.Settings has not: package ross uses them itself
// or gives them to the engine in another form, or they only appear in the report.
var ownSettings = []string{
	"NLP", "ExtraMem", "ReadBuffer", "SendBuffer", "SampleCount", "EventsPerPE", "IOEventsBuffered",
	"TotalLPs", "Custom", "TypeMap", "PE", "GVTHook", "HookTrigger", "Output", "Log", "ModelLog", "ModelLogOnly",
	"Args", "ArgsFileText", "Comm",
}

// fill sets a value to one that is not zero, and differs for each n.
func fill(t *testing.T, v reflect.Value, n int) {
	t.Helper()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Uint8:
		v.Set(reflect.ValueOf(n).Convert(v.Type()))
	case reflect.Uint, reflect.Uint64:
		v.SetUint(uint64(n))
	case reflect.Float64:
		v.SetFloat(float64(n))
	case reflect.String:
		v.SetString(string(rune('a' + n)))
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i), n+i)
		}
	default:
		require.Fail(t, "a setting of the engine has a type that this test does not know", "%v", v.Type())
	}
}

func TestTheEngineGetsEachSettingOfConfig(t *testing.T) {
	var c Config
	public := reflect.ValueOf(&c).Elem()
	var names []string
	for i := range public.NumField() {
		if f := public.Type().Field(i); f.IsExported() && !slices.Contains(ownSettings, f.Name) {
			fill(t, public.Field(i), i+1)
			names = append(names, f.Name)
		}
	}
	engine := reflect.ValueOf(c.settings()).Elem()
	for _, name := range names {
		got := engine.FieldByName(name)
		require.True(t, got.IsValid(), "settings.Settings has no %s: add it there and to Config.settings, or here to ownSettings", name)
		want := public.FieldByName(name)
		require.Equal(t, want.Interface(), got.Convert(want.Type()).Interface(), "Config.settings leaves out %s", name)
	}
	for i := range engine.NumField() {
		name := engine.Type().Field(i).Name
		if name != "Knobs" && name != "WithoutMode" { // those of tests, and of a former flag
			require.Contains(t, names, name, "Config has no %s, or ownSettings names it", name)
		}
	}
}

func TestKPsMoveByDefault(t *testing.T) {
	settings.DefaultBalance = "on"
	defer func() { settings.DefaultBalance = "off" }()
	for _, c := range []Config{DefaultConfig(), {}} {
		set := c.settings()
		require.Equal(t, "on", set.Balance)
	}
	c := DefaultConfig()
	c.Balance = "off"
	set := c.settings()
	require.Equal(t, "off", set.Balance)
}
