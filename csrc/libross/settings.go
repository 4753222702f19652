// This file owns the variables of ROSS that are settings: what a model sets before tw_init is the default of an option,
// and what it sets later counts in its place.

//go:build cgo && linux

package main

// #include "libross.h"
import "C"

import (
	"unsafe"

	"github.com/ross-go/ross"
)

// fromVariables sets what the variables say.
func fromVariables(cfg *ross.Config) {
	cfg.Synch = ross.Scheduler(C.g_tw_synchronization_protocol)
	if was := autoAs; was != 0 && cfg.Synch == was { // the variables have no number for it
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

// autoAs is what the variable says for --synch=auto: the scheduler that models take it for.
var autoAs ross.Scheduler

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
		synch, autoAs = ross.Optimistic, ross.Optimistic
	}
	C.g_tw_synchronization_protocol = C.tw_synch(synch)
	C.g_tw_ts_end, C.g_tw_lookahead = C.double(cfg.End), C.double(cfg.ConsLookahead)
	C.g_tw_nkp = C.tw_kpid(cfg.NKP)
	C.g_tw_mblock, C.g_tw_gvt_interval = C.uint(cfg.Tuning.Batch), C.uint(cfg.Tuning.GVTInterval)
	C.g_io_number_of_files = C.int(cfg.Checkpoints.Files)
	C.g_st_ev_trace = C.int(cfg.Instruments.Trace)
	C.g_st_model_stats, C.g_st_engine_stats = C.int(cfg.Instruments.Model), C.int(cfg.Instruments.Engine)
	if cfg.Streams.Seeds != ([4]uint64{}) {
		for i, x := range cfg.Streams.Seeds {
			C.ross_seeds[i] = C.uint32_t(x)
		}
	}
}
