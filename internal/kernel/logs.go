// This file owns the logs of a run: what models log, and what the watch shows.

package kernel

import "errors"

// logs yields the logs that the run has.
func (r *Run) logs(yield func(*Log) bool) {
	if r.Log != nil && !yield(r.Log) {
		return
	}
	if r.Watch != nil {
		yield(r.Watch.log)
	}
}

// HandOverLogs is Log.HandOver of all logs.
func (r *Run) HandOverLogs(pe *PE, gvt float64) {
	for l := range r.logs {
		l.HandOver(pe, gvt)
	}
}

// FlushLogs is Log.Flush of all logs.
func (r *Run) FlushLogs() (err error) {
	for l := range r.logs {
		err = errors.Join(err, l.Flush())
	}
	return err
}

// SetActiveInLogs is Log.SetActive of all logs.
func (r *Run) SetActiveInLogs(n int) {
	for l := range r.logs {
		l.SetActive(n)
	}
}
