// This file owns the model's log, as models write to it.

package ross

import "log/slog"

// Log returns the logger of the LP. A record reaches Config.ModelLog when its event is
// committed, and is dropped if the event is undone. It carries, before its own attributes:
//
//	lp     id of the LP
//	label  what the model calls it, if it has a name (Type.Label)
//	at     virtual time
//	pe     PE of the LP
//
// Records arrive in the order of the events of this rank, so all schedulers make the same log,
// apart from pe. In a parallel run they arrive when GVT has passed their time. Records of Init,
// PreRun, hooks and Final arrive at once. They have no wall-clock time, which would only say
// when the event happened to be handled.
//
// Values of types other than those of slog, also errors and structs, are turned into text at
// once, as slog.TextHandler does it, because the state may have changed when the record
// arrives.
//
// Without Config.ModelLog, or if Config.ModelLogOnly leaves the LP out, or if the handler does
// not want the level, a call returns at once. Only handlers of the LP itself may log.
func (lp *LP) Log() *slog.Logger { return lp.k.Logger() }
