package params_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/params"
	"github.com/ross-go/ross/program"
)

// ward is what the lines of a file set for each ward.
type ward struct {
	Beds int
	Stay float64 // mean, hours
}

// hospital has the parameters of all wards. Its methods are the handlers.
type hospital struct {
	file  params.File
	wards []ward
}

type (
	beds    struct{ Free int64 }
	patient struct{ Leaves bool }
)

func (h *hospital) init(s *beds, lp *ross.LP) {
	s.Free = int64(h.wards[lp.ID()].Beds)
	ross.Send(lp, lp.ID(), 0, patient{})
}

func (h *hospital) event(s *beds, lp *ross.LP, m *patient) {
	if m.Leaves {
		s.Free++
		return
	}
	if s.Free > 0 {
		s.Free--
		ross.Send(lp, lp.ID(), lp.RNG().Exponential(h.wards[lp.ID()].Stay), patient{Leaves: true})
	}
	ross.Send(lp, lp.ID(), lp.RNG().Exponential(1), patient{})
}

const wards = 3

func name(i int) string { return fmt.Sprintf("ward[%d]", i) }

// In a program, main is os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)).
func run(args []string, stdout, stderr io.Writer) int {
	var h hospital
	cfg := ross.DefaultConfig()
	cfg.LPs, cfg.End = wards, 1000
	return program.Program{
		Name:   "hospital",
		Config: cfg,
		Options: func(o *ross.Options, _ *ross.Config) {
			params.Option(o.Group("Hospital"), &h.file, "params", "parameters of the wards")
		},
		Prepare: func(*ross.Config) (err error) {
			if h.wards, err = params.Each(&h.file, wards, name, ward{Beds: 30, Stay: 20}); err != nil {
				return err
			}
			return h.file.Done()
		},
		Build: func(sim *ross.Simulation) error {
			return sim.Define(ross.Type[beds]{Init: h.init, Event: ross.On(h.event), Label: func(id ross.LPID) string { return name(int(id)) }})
		},
		Finish: func(*ross.Simulation) error {
			fmt.Println(h.wards)
			return nil
		},
	}.Main(args, stdout, stderr)
}

func Example() {
	dir, err := os.MkdirTemp("", "params")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	here, err := os.Getwd()
	if err != nil || os.Chdir(dir) != nil {
		panic("no folder")
	}
	defer os.Chdir(here)
	for _, text := range []string{
		"\"ward[0].beds\": 60\n\"ward[*]\":\n  beds: 40\n  stay: 44.5\n",
		"\"ward[0].beds\": 60\n\"ward[1].bed\": 50\n",
		"\"ward[*].beds\": 40\n\"ward[2].beds\": 50\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "hospital.yaml"), []byte(text), 0o666); err != nil {
			panic(err)
		}
		fmt.Println("status", run([]string{"--params=hospital.yaml", "--synch=3"}, io.Discard, os.Stdout))
	}
	// Output:
	// [{60 44.5} {40 44.5} {40 44.5}]
	// status 0
	// hospital: ross: parameters: hospital.yaml:2: "ward[1].bed" sets nothing: no parameter has that name: there are ward[0]. to ward[2]. (3) with beds, stay
	// status 2
	// hospital: ross: parameters: hospital.yaml:2: "ward[2].beds" sets nothing: what it matches is set by line 1: put it before that line, or remove it
	// status 2
}

func BenchmarkEach(b *testing.B) {
	f, err := params.Parse("b.yaml", lines(20))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := params.Each(f, 10_000, name, struct{ Beds, Stay, Patience float64 }{}); err != nil {
			b.Fatal(err)
		}
	}
}

// lines returns n lines for a ward each, and one for all.
func lines(n int) []byte {
	text := ""
	for i := range n {
		text += fmt.Sprintf("\"**.ward[%d].beds\": %d\n", i, i)
	}
	return []byte(text + "\"**\": 3\n")
}
