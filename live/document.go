//go:build !nolive

// This file owns the figures as JSON.

package live

import (
	"math"

	"github.com/ross-go/ross"
)

// document is /snapshot.json. The names are those of ross.Snapshot, in the usual style
// of JSON.
type document struct {
	Phase   string   `json:"phase"`
	Elapsed float64  `json:"elapsed_seconds"`
	GVT     float64  `json:"gvt"`
	End     *float64 `json:"end"` // null: never
	NumGVT  uint64   `json:"gvt_computations"`
	// Complete says that no event is left, or that the model has stopped the run.
	Complete bool `json:"complete"`

	ross.Counters
	Efficiency  float64 `json:"efficiency_percent"` // hides the method of Counters
	MemoryUsed  uint64  `json:"memory_bytes"`
	MemoryLimit uint64  `json:"memory_limit_bytes"`

	Rank  int          `json:"rank"`
	Ranks int          `json:"ranks"`
	PEs   []peDocument `json:"pes"`
}

type peDocument struct {
	ID uint64 `json:"pe"`
	ross.Counters
	Efficiency float64 `json:"efficiency_percent"`
	Idle       float64 `json:"idle_seconds"`
}

func newDocument(s ross.Snapshot) document {
	d := document{
		Phase: s.Phase.String(), Elapsed: s.Elapsed, GVT: s.GVT, NumGVT: s.NumGVT, Complete: s.Complete,
		Counters: s.Counters, Efficiency: s.Efficiency(), MemoryUsed: s.MemoryUsed, MemoryLimit: s.MemoryLimit,
		Rank: s.Rank, Ranks: s.Ranks, PEs: make([]peDocument, len(s.PEs)),
	}
	if !math.IsInf(s.End, 1) {
		d.End = &s.End
	}
	for i, p := range s.PEs {
		d.PEs[i] = peDocument{ID: uint64(p.ID), Efficiency: p.Efficiency(), Idle: p.IdleSeconds, Counters: p.Counters}
	}
	return d
}
