// This file owns what Go programs call: Type, State and WriteHeaders.

package cmodel

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/kernel"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/run/inside"
)

// Type is a type of LPs that is written in C (tw_lptype), for a simulation that may also have types of Go. M is the
// message that LPs of C receive and send: a Go struct without pointers that has the layout of the C struct, such as
// cgo's own type for it, C.struct_job. All C types of a simulation have the same M, as all LPs of ROSS have one size of
// messages; a C struct with a union of several kinds is an array of bytes, or of numbers, there. LPs of Go types send
// an M, and have a handler for it (ross.On) if LPs of C send to them.
type Type[M any] struct {
	// C is the address of the tw_lptype, which must not change: unsafe.Pointer(&C.server).
	C unsafe.Pointer
	// MessageSize is the size of the C struct in bytes, C.sizeof_struct_job. It must be that of M.
	MessageSize int
	// Name appears in reports, errors, statistics and files. Default: "C type".
	Name string
	// LPs, Label, Lookahead and NeverStops are those of ross.Type.
	LPs        int
	Label      func(gid ross.LPID) string
	Lookahead  float64
	NeverStops bool
}

// facts are the fields of a Type.
type facts struct {
	C           unsafe.Pointer
	MessageSize int
	Name        string
	LPs         int
	Label       func(gid ross.LPID) string
	Lookahead   float64
	NeverStops  bool
}

// LPType returns the type as ross.Run and Simulation.Define accept it. Define returns what is wrong with it, an error
// that is ErrModel: no address, an initialiser of a former version of ROSS, a size that is not that of M, another C
// type with another M, or variables of ROSS that a Go program has fields of ross.Config for. Several ranks are an
// ErrUsage. Run returns an ErrModel if another simulation with C types is running in this process.
func (t Type[M]) LPType() ross.LPType {
	prepare()
	f := facts(t)
	if f.Name == "" {
		f.Name = "C type"
	}
	handler := ross.On(func(*struct{}, *ross.LP, *M) {}) // says what M is
	return inside.Ross.LPType(f.LPs, func(set *settings.Settings) (*kernel.Type, error) {
		messages, err := inside.Ross.Messages(handler, f.Name)
		if err != nil {
			return nil, err
		}
		switch m := messages[0]; {
		case f.C == nil:
			return nil, fmt.Errorf("ross: LP type %q: C is nil: %w: give it the address of the tw_lptype", f.Name, ross.ErrModel)
		case m.Size != uintptr(f.MessageSize):
			return nil,
				fmt.Errorf(
					"ross: LP type %q: message %s has %d bytes, and MessageSize is %d: %w: give it the size of the C struct, "+
						"and the Go struct its fields, in the same order and with its padding, or use cgo's type for it", f.Name, m.Name,
					m.Size, f.MessageSize, ross.ErrModel)
		default:
			return build(&f, set, m)
		}
	}).(ross.LPType)
}

// stateWord stands for the Go type that states of C do not have.
var stateWord byte

// State returns the address of the state of an LP of a C type, nil if lp is nil or of a Go type. The memory is that of
// C, and valid until the simulation is closed.
func State(lp *ross.LP) unsafe.Pointer {
	if lp == nil {
		return nil
	}
	k := inside.LP(lp)
	if k.Type().StateType != unsafe.Pointer(&stateWord) {
		return nil
	}
	return k.State
}

//go:embed ross*.h mpi/mpi.h
var headers embed.FS

// WriteHeaders writes the headers of the interface of ROSS, which C files of a Go program include (ross.h), into a
// folder, which it makes. Files of these names that are there are replaced.
func WriteHeaders(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	return fs.WalkDir(headers, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := headers.ReadFile(name)
		if err != nil {
			return err
		}
		if name == "ross.h" {
			text = append([]byte("#define ROSS_IN_GO 1\n"), text...)
		}
		return replace(filepath.Join(folder, filepath.Base(name)), text)
	})
}

// replace writes a file that appears under its name when it is complete.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".ross-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if more := f.Close(); err == nil {
		err = more
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
