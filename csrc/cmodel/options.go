// This file owns the command line of a C program: the options of the model and of the engine, in the ways in which ROSS
// accepts them; and the variables of ROSS that are settings: what a model sets before tw_init is the default of an
// option, and what it sets later counts in its place.

//go:build cgo && linux

package cmodel

// #include "libross.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/engine/settings"
	"github.com/ross-go/ross/internal/ranks"
	"github.com/ross-go/ross/program/cmdline"
)

// readOptions reads a command line with the name of the program. It returns how many words at its end are left to the
// model: those after --, or from the first word on that is no option.
func readOptions(cfg *ross.Config, args []string) (rest int, err error) {
	name := "ross"
	if len(args) > 0 {
		name = program(args[0])
	}
	o := ross.NewOptions(name)
	for _, g := range C.ross_groups[:C.ross_ngroups] {
		if err := addGroup(o, unsafe.Slice(g, lengthOf(g))); err != nil {
			return 0, err
		}
	}
	o.KeepModelNames()
	cfg.Register(o)
	words := args[min(1, len(args)):]
	n, past := len(words), 0
	if i := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "--") || w == "--" }); i >= 0 {
		if n = i; words[i] == "--" {
			past = 1
		} else {
			warnOnce("Warning: %s is no option: it and all words after it are left to the model\n", strconv.Quote(words[i]))
		}
	}
	options := slices.Clone(words[:n])
	complete(o, options)
	if code, ok := o.Main(options, os.Stdout, os.Stderr); !ok {
		os.Exit(code)
	}
	cfg.Args = args
	return len(words) - n - past, nil
}

// warnOnce prints a line of a command line that all ranks have.
func warnOnce(format string, args ...any) {
	if ranks.First() {
		fmt.Printf(format, args...)
	}
}

// complete replaces the beginnings of names, which ROSS accepts before a "=", by the whole names: those of the first
// option that begins like that.
func complete(o *ross.Options, words []string) {
	var names []string
	for d := range o.Described() {
		names = append(names, d.Name)
	}
	for i, w := range words {
		name, value, given := strings.Cut(strings.TrimPrefix(w, "--"), "=")
		if !given || slices.Contains(names, name) {
			continue
		}
		if at := slices.IndexFunc(names, func(full string) bool { return strings.HasPrefix(full, name) }); at >= 0 {
			words[i] = "--" + names[at] + "=" + value
		}
	}
}

// lengthOf returns the number of options before the end of a group.
func lengthOf(g *C.tw_optdef) (n int) {
	for ; g._type != 0; n++ {
		g = (*C.tw_optdef)(unsafe.Add(unsafe.Pointer(g), unsafe.Sizeof(*g)))
	}
	return n
}

// addGroup adds a group of the model. What is before its heading is in one without a name.
func addGroup(o *ross.Options, defs []C.tw_optdef) error {
	var g *ross.Group
	for i := range defs {
		d := &defs[i]
		name, help := "", ""
		if d.name != nil {
			name = C.GoString(d.name)
		}
		if d.help != nil {
			help = C.GoString(d.help)
		}
		if d._type == C.TWOPTTYPE_GROUP {
			g = o.Group(help)
			continue
		}
		if g == nil {
			g = o.Group("Model")
		}
		if d.value == nil {
			return fmt.Errorf("option --%s: its definition has no variable: give TWOPT_... one", name)
		}
		if err := addOption(g, d._type, d.value, name, help); err != nil {
			return err
		}
	}
	return nil
}

// addOption adds an option whose value is written to memory of C.
func addOption(g *ross.Group, kind C.tw_opttype, p unsafe.Pointer, name, help string) error {
	switch kind {
	case C.TWOPTTYPE_UINT:
		unsigned(g, (*uint32)(p), name, help)
	case C.TWOPTTYPE_ULONG:
		if unsafe.Sizeof(C.ulong(0)) == 4 {
			unsigned(g, (*uint32)(p), name, help)
		} else {
			unsigned(g, (*uint64)(p), name, help)
		}
	case C.TWOPTTYPE_ULONGLONG:
		unsigned(g, (*uint64)(p), name, help)
	case C.TWOPTTYPE_DOUBLE, C.TWOPTTYPE_STIME:
		g.Float64((*float64)(p), name, help)
	case C.TWOPTTYPE_FLAG:
		flag := *(*uint32)(p) != 0
		cmdline.Add(g, &flag, name, "", help, func(text string) (bool, error) {
			on, err := strconv.ParseBool(text)
			if err != nil {
				return false, errors.New("not a switch; give 1 or 0")
			}
			*(*uint32)(p) = map[bool]uint32{true: 1}[on]
			return on, nil
		}, strconv.FormatBool)
	case C.TWOPTTYPE_CHAR:
		text := C.GoString((*C.char)(p))
		cmdline.Add(g, &text, name, "str", help, func(text string) (string, error) {
			to := unsafe.Slice((*byte)(p), len(text)+1)
			copy(to, text)
			to[len(text)] = 0
			return text, nil
		}, strconv.Quote)
	default:
		return fmt.Errorf(
			"option --%s: there is no type %d of options: use TWOPT_UINT, ULONG, ULONGLONG, DOUBLE, CHAR or FLAG", name, kind)
	}
	return nil
}

// unsigned adds an option for a whole number of at least 0. As in ROSS, no digits mean 0.
func unsigned[T uint32 | uint64](g *ross.Group, p *T, name, help string) {
	cmdline.Add(g, p, name, "n", help, func(text string) (T, error) {
		if text == "" {
			return 0, nil
		}
		x, err := cmdline.ParseUint64(text)
		if most := uint64(^T(0)); err == nil && x > most {
			err = fmt.Errorf("out of range; give a whole number, 0 to %d", most)
		}
		return T(x), err
	}, func(x T) string { return strconv.FormatUint(uint64(x), 10) })
}

// fromVariables sets what the variables say.
func fromVariables(cfg *ross.Config) {
	cfg.Synch = ross.Scheduler(C.g_tw_synchronization_protocol)
	if was := node.autoAs; was != 0 && cfg.Synch == was { // the variables have no number for it
		cfg.Synch = ross.Auto
	}
	cfg.End, cfg.ConsLookahead = float64(C.g_tw_ts_end), float64(C.g_tw_lookahead)
	cfg.NKP = int(C.g_tw_nkp)
	cfg.Tuning.Batch, cfg.Tuning.GVTInterval = int(C.g_tw_mblock), int(C.g_tw_gvt_interval)
	cfg.Streams.PerLP = int(C.g_tw_nRNG_per_lp)
	readSeeds(&cfg.Streams.Seeds, C.g_tw_rng_seed)
	readSeeds(&cfg.Streams.CoreSeeds, C.g_tw_core_rng_seed)
	cfg.Checkpoints.Files = int(C.g_io_number_of_files)
	cfg.AskEvents(uint64(C.g_tw_events_per_pe), uint64(C.g_tw_events_per_pe_extra))
}

// readSeeds sets four seeds, if the variable has any.
func readSeeds(to *[4]uint64, from C.tw_seed) {
	if from == nil {
		return
	}
	for i, x := range unsafe.Slice((*int32)(unsafe.Pointer(from)), len(to)) {
		to[i] = uint64(x)
	}
}

// toVariables tells the model what the options say.
func toVariables(cfg *ross.Config) {
	synch := cfg.Synch
	switch synch {
	case 0:
		synch = ross.Sequential
	case ross.Auto:
		synch, node.autoAs = ross.Optimistic, ross.Optimistic
	}
	C.g_tw_synchronization_protocol = C.tw_synch(synch)
	C.g_tw_ts_end, C.g_tw_lookahead = C.double(cfg.End), C.double(cfg.ConsLookahead)
	C.g_tw_nkp = C.tw_kpid(cfg.NKP)
	C.g_tw_mblock, C.g_tw_gvt_interval = C.uint(cfg.Tuning.Batch), C.uint(cfg.Tuning.GVTInterval)
	C.g_io_number_of_files = C.int(cfg.Checkpoints.Files)
	C.g_st_ev_trace = C.int(cfg.Instruments.Trace)
	C.g_st_model_stats, C.g_st_engine_stats = C.int(cfg.Instruments.Model), C.int(cfg.Instruments.Engine)
	C.g_st_use_analysis_lps = 0
	if settings.Asks(uint8(cfg.Instruments.Model)|uint8(cfg.Instruments.Engine), settings.SampleByVT) {
		C.g_st_use_analysis_lps = 1
	}
	if cfg.Streams.Seeds != ([4]uint64{}) {
		for i, x := range cfg.Streams.Seeds {
			C.ross_seeds[i] = C.uint32_t(x)
		}
	}
}
