//go:build !nolive

// This file owns the HTTP server: start, end, and paths.

package live

import (
	"context"
	_ "embed" // the page
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ross-go/ross"
)

//go:embed page.html
var page []byte

const (
	// patience is how long a client may take to send its request.
	patience = 10 * time.Second
	// longest is how long an answer may take: a profile takes as long as requested.
	longest = 10 * time.Minute
	// farewell is how long answers under way may take when the run is over.
	farewell = time.Second
)

// server serves the figures of a run.
type server struct {
	http   http.Server
	url    string
	broken chan error // how it ended
}

// serve starts a server for sim.
func serve(sim *ross.Simulation, text string, stderr io.Writer) (*server, error) {
	mux, err := newMux(sim)
	if err != nil {
		return nil, err
	}
	l, url, hosts, err := listen(text, sim.Rank(), stderr)
	if err != nil {
		return nil, err
	}
	s := &server{url: url, broken: make(chan error, 1), http: http.Server{
		Handler:           only(hosts, ownPages(mux)),
		ReadHeaderTimeout: patience,
		ReadTimeout:       patience,
		WriteTimeout:      longest,
		IdleTimeout:       time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // of malformed requests
	}}
	fmt.Fprintf(stderr, "ross: live figures at %s\n", url)
	go s.run(l)
	return s, nil
}

func (s *server) run(l net.Listener) { s.broken <- s.http.Serve(l) }

// stop ends the server and everything it does.
func (s *server) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	if err := <-s.broken; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("ross: live figures: %w: leave --http out, or give another address", err)
	}
	return nil
}

// newMux returns the handlers of all paths.
func newMux(sim *ross.Simulation) (*http.ServeMux, error) {
	registry, err := newRegistry(sim)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy",
			"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(page)
	})
	mux.HandleFunc("GET /snapshot.json", func(w http.ResponseWriter, _ *http.Request) {
		text, err := json.Marshal(newDocument(sim.Snapshot()))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(text)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	for path, handle := range map[string]http.HandlerFunc{
		"": pprof.Index, "cmdline": pprof.Cmdline, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		mux.HandleFunc("GET "+profiles+path, handle) // and HEAD
	}
	mux.HandleFunc("POST "+profiles+"symbol", pprof.Symbol) // as go tool pprof does
	return mux, nil
}
