// This file owns the model's log as handlers see it: the logger of an LP, and what it makes of
// a call. The file logorder.go delivers the records.

package kernel

import (
	"context"
	"encoding"
	"fmt"
	"log/slog"
	"slices"
)

// noLog is the logger of LPs whose records nobody wants.
var noLog = slog.New(slog.DiscardHandler)

// Logger returns the logger of the LP.
func (lp *LP) Logger() *slog.Logger {
	log := lp.PE.Run.Log
	if log == nil {
		return noLog
	}
	log.first.Do(func() { log.loggers = make([]*slog.Logger, lp.PE.Run.NumLPs()) })
	l := &log.loggers[lp.Index()]
	if *l == nil {
		*l = noLog
		if label := lp.Type().LabelOf(lp.ID); log.only == nil || log.only(lp.ID, label) {
			h := &logHandler{lp: lp, scopes: make([]scope, 1), who: []slog.Attr{slog.Uint64("lp", lp.ID)}}
			if label != "" {
				h.who = append(h.who, slog.String("label", label))
			}
			*l = slog.New(h)
		}
	}
	return *l
}

// logHandler makes the records of an LP. It implements slog.Handler.
type logHandler struct {
	lp     *LP
	who    []slog.Attr // says which LP it is
	scopes []scope     // the open groups; the first has no name
}

// scope is a group with the attributes that all records have in it.
type scope struct {
	group string
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (h *logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.lp.PE.Run.Log.to.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *h
	with.scopes = slices.Clone(h.scopes)
	last := &with.scopes[len(with.scopes)-1]
	last.attrs = slices.Clip(last.attrs)
	for _, a := range attrs {
		last.attrs = append(last.attrs, freeze(a))
	}
	return &with
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	with := *h
	with.scopes = append(slices.Clip(h.scopes), scope{group: name})
	return &with
}

// Handle implements slog.Handler.
func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	var attrs []slog.Attr
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, freeze(a))
		return true
	})
	for i, s := range slices.Backward(h.scopes) {
		attrs = append(slices.Clip(s.attrs), attrs...)
		if i > 0 {
			attrs = []slog.Attr{{Key: s.group, Value: slog.GroupValue(attrs...)}}
		}
	}
	lp, pe := h.lp, h.lp.PE
	// The time is left out: when the record is delivered, and when the event was handled, says
	// nothing about the model.
	l := logged{lp: lp.ID, Record: slog.Record{Level: r.Level, Message: r.Message, PC: r.PC}}
	l.AddAttrs(h.who...)
	l.AddAttrs(slog.Float64("at", lp.Now), slog.Uint64("pe", lp.KP.Home.ID))
	l.AddAttrs(attrs...)
	if pe.Current == nil || pe.Sequential() {
		pe.Run.Log.deliver(&l)
		return nil
	}
	l.sig = pe.SignatureOf(pe.Current)
	if pe.Undoes() && pe.Running == lp {
		lp.note(Note{log: &l, to: pe.Run.Log})
		return nil
	}
	pe.Run.Log.keep(pe, &l)
	return nil
}

// freeze returns an attribute whose value does not change any more, although what it was made
// from may: the record is delivered when the LP has moved on.
func freeze(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
		all := slices.Clone(v.Group())
		for i := range all {
			all[i] = freeze(all[i])
		}
		v = slog.GroupValue(all...)
	case slog.KindAny:
		v = slog.StringValue(textOf(v.Any()))
	}
	a.Value = v
	return a
}

// textOf returns a value as text, as slog.TextHandler does.
func textOf(v any) string {
	switch v := v.(type) {
	case encoding.TextMarshaler:
		if text, err := v.MarshalText(); err == nil {
			return string(text)
		}
	case []byte:
		return string(v)
	}
	return fmt.Sprintf("%+v", v)
}
