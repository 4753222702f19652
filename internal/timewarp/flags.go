// This file owns the flags of a GVT report, by which PEs agree on what happens at the next
// GVT.

package timewarp

// Flags of a GVT report. Each is set if some PE sets it.
const (
	FlagStop       = 1 << iota // the run ends at this GVT
	FlagFailed                 // the run ends because of an error: states may be invalid
	FlagTight                  // a PE lacks memory: all uncommitted work is undone
	FlagBusy                   // a PE has events left, or uncommitted ones
	FlagUnsure                 // the event at GVT may be cancelled: its anti-message is under way
	FlagFlush                  // a PE has collected enough instrumentation data to write it
	FlagCheckpoint             // a checkpoint is due
	FlagWriting                // the previous checkpoint is not on the disk yet
	FlagUnderWay               // of a PE that stands still, something is still under way
	FlagEarly                  // an event of Init, for a time below the lookahead, is under way
	FlagLimit                  // a rank has collected as much data as it may: all ranks stop
	FlagHurried                // GVT is early for lack of memory or buffers
	FlagInterval               // a PE has done a whole interval: samples despite FlagHurried
	FlagLeave                  // the PEs leave their loops, with events left
	FlagAway                   // KPs are not where the mapping puts them
)
