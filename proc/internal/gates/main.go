// Command gates runs the gates and planes of package models, whose processes travel and get messages, with the options
// of other programs. Tests run it on ranks.
package main

import (
	"os"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc/internal/models"
	"github.com/ross-go/ross/program"
)

func main() {
	airport := &models.Airport{Gates: 8, Planes: 4, Walk: 0.25}
	os.Exit(program.Program{
		Name: "gates", Config: ross.Config{End: 100},
		Build: func(sim *ross.Simulation) error { return sim.Define(airport.Airports()...) },
	}.Main(os.Args[1:], os.Stdout, os.Stderr))
}
