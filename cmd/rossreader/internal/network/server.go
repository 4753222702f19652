// This file owns the pages of `rossreader network --http`: the picture, and what has come since.

package network

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// fresh is how long what was read is used.
const fresh = 500 * time.Millisecond

// policy is that of the page, which asks this server only.
const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// server serves one run.
type server struct {
	now   func() time.Time
	shown int

	lock sync.Mutex // held while the files are read
	s    *source
	last time.Time // when they were
}

func newServer(s *source, shown int) *server { return &server{now: time.Now, s: s, shown: shown} }

func (v *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", v.page)
	mux.HandleFunc("GET /data", v.data)
	return mux
}

// look reads what has come. The lock is held.
func (v *server) look() error {
	if now := v.now(); v.last.IsZero() || now.Sub(v.last) >= fresh || now.Before(v.last) {
		v.last = now
		if _, err := v.s.read(); err != nil {
			return err
		}
	}
	return nil
}

func (v *server) page(w http.ResponseWriter, _ *http.Request) {
	v.answer(w, "text/html; charset=utf-8", func(b *bytes.Buffer) error {
		page, err := v.s.page(v.shown, true)
		if err != nil {
			return err
		}
		return page.Write(b)
	})
}

// data hands out the intervals from the number that a request has on.
func (v *server) data(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.Atoi(r.URL.Query().Get("from"))
	if err != nil || from < 0 {
		http.Error(w, "rossreader: from: give the number of an interval, 0 or more", http.StatusBadRequest)
		return
	}
	v.answer(w, "application/json", func(b *bytes.Buffer) error {
		c, err := v.s.chunk(from)
		if err != nil {
			return err
		}
		return json.NewEncoder(b).Encode(c)
	})
}

// ask reads what has come, and makes an answer.
func (v *server) ask(b *bytes.Buffer, make func(b *bytes.Buffer) error) error {
	v.lock.Lock()
	defer v.lock.Unlock()
	if err := v.look(); err != nil {
		return err
	}
	return make(b)
}

// answer answers a request with what is made when the files have been read.
func (v *server) answer(w http.ResponseWriter, form string, make func(b *bytes.Buffer) error) {
	var b bytes.Buffer
	if err := v.ask(&b, make); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", form)
	w.Header().Set("Content-Security-Policy", policy)
	_, _ = w.Write(b.Bytes())
}
