// Command samebits prints what must not depend on the processor: results of package libm, and draws of
// package rng. It reads a file of results, internal/num/libm/testdata/bits.txt, and takes the arguments from
// there. tools/arm64.sh runs it on different processors and compares what it prints.
//
// It is a program, not a test, because qemu runs it: a program without packages of tests takes a moment to
// build and to run there. It is here, not in tools, because tools is a module of its own, which
// requires no package of this one.
package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ross-go/ross/internal/num/libm"
	"github.com/ross-go/ross/rng"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := functions(out, os.Stdin)
	draws(out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "samebits:", err)
		os.Exit(1)
	}
}

var unary = map[string]func(float64) float64{
	"log": libm.Log, "exp": libm.Exp, "sin": libm.Sin, "cos": libm.Cos, "tgamma": libm.Gamma,
	"log1p": libm.Log1p, "expm1": libm.Expm1, "pow": nil,
}

// functions prints each line of in with the result of its function.
func functions(out io.Writer, in io.Reader) error {
	lines := bufio.NewScanner(in)
	n := 0
	for ; lines.Scan(); n++ {
		var name string
		var x, y, stored uint64
		if _, err := fmt.Sscanf(lines.Text(), "%s %x %x %x", &name, &x, &y, &stored); err != nil {
			return fmt.Errorf("line %d: %w", n+1, err)
		}
		f, known := unary[name]
		if !known {
			return fmt.Errorf("line %d: %s: unknown; give a function of package libm", n+1, name)
		}
		result := 0.0
		if name == "pow" {
			result = libm.Pow(math.Float64frombits(x), math.Float64frombits(y))
		} else {
			result = f(math.Float64frombits(x))
		}
		fmt.Fprintf(out, "%s %x %x %x\n", name, x, y, result)
	}
	if n == 0 {
		return fmt.Errorf("no lines: give internal/num/libm/testdata/bits.txt as standard input")
	}
	return lines.Err()
}

// draws prints draws of each distribution with a floating-point function in it, with several parameters.
func draws(out io.Writer) {
	seeder := rng.NewSeeder(rng.DefaultSeeds)
	for id := range uint64(50) {
		s, a := seeder.Stream(id), 0.1+float64(id)/7
		zipf, err := rng.NewZipf(1000, a)
		fmt.Fprintln(out, id, err)
		for range 20 {
			fmt.Fprintf(out, "%x %x %x %x\n", s.Exponential(a), s.Pareto(a, 2), s.Weibull(2, a), s.Gamma(a, 1.5))
			fmt.Fprintf(out, "%x %x %x %x\n", s.NormalSD(10, a), s.LogNormal(0.5, a), s.Erlang(uint32(id), a),
				s.Triangular(-a, 0, 1))
			fmt.Fprintf(out, "%x %x %x %x\n", s.Beta(a, 2), s.PERT(-a, 0, 1), s.TruncatedNormal(1, a, 0, 3),
				s.TruncatedNormal(-1, a, 0, math.Inf(1)))
			fmt.Fprintf(out, "%d %d %d %d\n", s.Poisson(100*a), s.Poisson(1000*a), s.Geometric(a*1e-8), zipf.Draw(&s))
		}
	}
}
