// Builds without C, or on another system than Linux, have no C types.

//go:build !cgo || !linux

package cmodel

import (
	"fmt"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
)

func prepare() {}

func build(f *facts, _ *settings.Settings, _ *kernel.Message) (*kernel.Type, error) {
	return nil,
		fmt.Errorf(
			"ross: LP type %q: this program has no C types: %w: build it with cgo (CGO_ENABLED=1 and a C compiler) and on Linux",
			f.Name, ross.ErrModel)
}
