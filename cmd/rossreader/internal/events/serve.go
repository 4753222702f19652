// This file owns the server: the page of the whole trace, and the answers to what it asks.

package events

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Limits of what a request may ask for.
const (
	mostLanes   = 2000
	mostColumns = 10_000
	mostMarks   = 500_000
	mostFound   = 20
)

// server answers for a trace.
type server struct {
	t    *Trace
	page []byte
}

func newServer(t *Trace) (*server, error) {
	a := t.about()
	var b bytes.Buffer
	err := writePage(&b, t, &pageData{About: a,
		Text: "All " + plural(len(t.entries), "event") + " of " + plural(len(t.lps), "LP") + " in " + t.path + "." + t.kindText(a)})
	return &server{t, b.Bytes()}, err
}

// handler returns the paths. Package serving protects them.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'; form-action 'none'; base-uri 'none'")
		_, _ = w.Write(s.page)
	})
	answer := func(path string, f func(q url.Values) (any, error)) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			found, err := f(r.URL.Query())
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(found)
		})
	}
	answer("/view", s.view)
	answer("/event", func(q url.Values) (any, error) { return s.t.story(number(q.Get("id"), none)) })
	answer("/search", func(q url.Values) (any, error) { return s.t.search(q.Get("q"), mostFound), nil })
	return mux
}

// number returns a whole number of a request, or another one without such a number.
func number(text string, otherwise int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return otherwise
}

// errorText is an error of a request.
type errorText string

func (e errorText) Error() string { return "rossreader: " + string(e) }

func (s *server) view(q url.Values) (any, error) {
	var of stretch
	for name, to := range map[string]*float64{"base": &of.base, "a": &of.a, "b": &of.b} {
		v, err := strconv.ParseFloat(q.Get(name), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errorText(name + ": no finite number")
		}
		*to = v
	}
	if !(of.b > of.a) {
		return nil, errorText("b: not above a")
	}
	var lanes []int
	for text := range strings.SplitSeq(q.Get("lanes"), ",") {
		lane := number(text, none)
		if lane < 0 || lane >= len(s.t.lps) || len(lanes) == mostLanes {
			return nil, errorText("lanes: up to " + strconv.Itoa(mostLanes) + " numbers below that of the lanes")
		}
		lanes = append(lanes, lane)
	}
	columns := min(max(number(q.Get("columns"), 1), 1), mostColumns)
	most := min(max(number(q.Get("most"), 0), 0), mostMarks/len(lanes))
	return s.t.view(lanes, of, columns, most, q.Get("fields") == "1")
}
