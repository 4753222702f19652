// This file owns what other packages of the module reach of this one, through package inside.

package ross

import (
	"github.com/ross-go/ross/internal/inside"
	"github.com/ross-go/ross/internal/kernel"
	"github.com/ross-go/ross/internal/run"
	"github.com/ross-go/ross/internal/settings"
)

func init() {
	inside.Ross = inside.Entrance{
		Engine: func(sim any) *run.Engine { return &sim.(*Simulation).r },
		PE:     func(pe any) *run.PE { return &pe.(*PE).r },
		Knobs:  func(cfg any) *inside.Knobs { return &cfg.(*Config).knobs },
		LPType: func(lps int, build func(*settings.Settings) (*kernel.Type, error)) any {
			return foreignType{lps, build}
		},
		Messages: func(handler any, typeName string) ([]*kernel.Message, error) {
			return handler.(Handler[struct{}]).messages(nil, typeName)
		},
	}
}

// foreignType is a type of LPs that is no Go type, which another package of the module makes.
type foreignType struct {
	n     int
	build func(set *settings.Settings) (*kernel.Type, error)
}

func (f foreignType) lps() int                                            { return f.n }
func (f foreignType) lpType(set *settings.Settings) (*kernel.Type, error) { return f.build(set) }
