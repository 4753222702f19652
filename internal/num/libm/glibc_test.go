// This file owns the comparison with the C library.

//go:build cgo && linux

package libm

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"

	"github.com/ross-go/ross/csrc/clibm"
	"github.com/ross-go/ross/internal/testing/testlevel"
)

// inC has the functions that are compared.
var inC = map[string]func([]float64){
	"log": clibm.Log, "exp": clibm.Exp, "sin": clibm.Sin, "cos": clibm.Cos, "tgamma": clibm.Gamma,
}

// promised returns how many float64 values a result may be from C's.
func promised(t *testing.T, name string, x float64) uint64 {
	var major, minor int
	_, _ = fmt.Sscanf(clibm.GLIBC, "%d.%d", &major, &minor)
	equal := major == 2 && minor >= 28 && runtime.GOARCH == "amd64" && cpu.X86.HasFMA && cpu.X86.HasAVX2
	switch {
	case name == "tgamma" && (!equal || minor > 42 || x >= 6.5):
		return 20 // 10 for each
	case equal:
		return 0
	}
	return 1
}

// millions is how many arguments of each kind are tried.
func millions(t *testing.T) float64 {
	if text := os.Getenv("ROSS_LIBM"); text != "" {
		n, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err, "ROSS_LIBM is a number of millions")
		return n
	}
	return testlevel.Pick([]float64{0.2}, []float64{0.05}, []float64{0.02})[0]
}

// TestFunctionsAreThoseOfC tries 0.2 million arguments of each kind, or ROSS_LIBM millions.
func TestFunctionsAreThoseOfC(t *testing.T) {
	r := random(t)
	for left := int(millions(t) * 1e6); left > 0; left -= 1 << 16 {
		for _, kind := range kinds {
			x := make([]float64, min(left, 1<<16))
			for i := range x {
				x[i] = kind.draw(r)
			}
			for name := range inC {
				compare(t, name, x)
			}
			for _, other := range kinds {
				y := make([]float64, len(x)/len(kinds))
				for i := range y {
					y[i] = other.draw(r)
				}
				comparePow(t, x[:len(y)], y)
			}
		}
	}
}

func TestFunctionsAreThoseOfCAtBorders(t *testing.T) {
	for name := range inC {
		compare(t, name, borders)
	}
	for _, y := range borders {
		comparePow(t, borders, slices.Repeat([]float64{y}, len(borders)))
	}
}

// compare requires that the function is C's at each x.
func compare(t *testing.T, name string, x []float64) {
	t.Helper()
	want := slices.Clone(x)
	inC[name](want)
	for i, f := 0, unary[name]; i < len(x); i++ {
		if got := f(x[i]); in(name, x[i]) && !same(got, want[i]) && apart(got, want[i]) >= 1+promised(t, name, x[i]) {
			t.Fatalf("%s(%v = %x) is %x, in C %x", name, x[i], x[i], got, want[i])
		}
	}
}

func comparePow(t *testing.T, x, y []float64) {
	t.Helper()
	want := slices.Clone(x)
	clibm.Pow(want, y)
	for i := range x {
		if got := Pow(x[i], y[i]); !same(got, want[i]) && apart(got, want[i]) >= 1+promised(t, "pow", x[i]) {
			t.Fatalf("pow(%v = %x, %v = %x) is %x, in C %x", x[i], x[i], y[i], y[i], got, want[i])
		}
	}
}
