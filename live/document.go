//go:build !nolive

// This file owns the figures as JSON.

package live

import (
	"math"

	"github.com/ross-go/ross"
)

// document is /snapshot.json. Names are those of ross.Snapshot, in JSON's usual style.
type document struct {
	Phase   string   `json:"phase"`
	Elapsed float64  `json:"elapsed_seconds"`
	GVT     float64  `json:"gvt"`
	End     *float64 `json:"end"` // null: never
	NumGVT  uint64   `json:"gvt_computations"`

	figures
	Efficiency  float64 `json:"efficiency_percent"`
	MemoryUsed  uint64  `json:"memory_bytes"`
	MemoryLimit uint64  `json:"memory_limit_bytes"`

	Rank  int          `json:"rank"`
	Ranks int          `json:"ranks"`
	PEs   []peDocument `json:"pes"`
}

// figures is what a run and a PE have in common.
type figures struct {
	Processed   uint64 `json:"events_processed"`
	RolledBack  uint64 `json:"events_rolled_back"`
	Committed   uint64 `json:"events_committed"`
	Aborted     uint64 `json:"events_aborted"`
	Remote      uint64 `json:"events_remote"`
	Pending     uint64 `json:"events_pending"`
	Uncommitted uint64 `json:"events_uncommitted"`
	Primary     uint64 `json:"primary_rollbacks"`
	Secondary   uint64 `json:"secondary_rollbacks"`
}

type peDocument struct {
	ID uint64 `json:"pe"`
	figures
	Efficiency float64 `json:"efficiency_percent"`
	Idle       float64 `json:"idle_seconds"`
}

func newDocument(s ross.Snapshot) document {
	d := document{
		Phase: s.Phase.String(), Elapsed: s.Elapsed, GVT: s.GVT, NumGVT: s.NumGVT,
		figures: figures{s.EventsProcessed, s.EventsRolledBack, s.EventsCommitted, s.EventsAborted, s.EventsRemote,
			s.EventsPending, s.EventsUncommitted, s.PrimaryRollBacks, s.SecondaryRollBacks},
		Efficiency: s.Efficiency(), MemoryUsed: s.MemoryUsed, MemoryLimit: s.MemoryLimit,
		Rank: s.Rank, Ranks: s.Ranks, PEs: make([]peDocument, len(s.PEs)),
	}
	if !math.IsInf(s.End, 1) {
		d.End = &s.End
	}
	for i, p := range s.PEs {
		d.PEs[i] = peDocument{ID: uint64(p.ID), Efficiency: p.Efficiency(), Idle: p.IdleSeconds,
			figures: figures{p.EventsProcessed, p.EventsRolledBack, p.EventsCommitted, p.EventsAborted, p.EventsRemote,
				p.EventsPending, p.EventsUncommitted, p.PrimaryRollBacks, p.SecondaryRollBacks}}
	}
	return d
}
