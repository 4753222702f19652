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
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/guard"
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
	http     http.Server
	url      string
	watch    *watch
	audience *audience
	broken   chan error // how it ended
}

// serve starts a server for sim.
func serve(sim *ross.Simulation, text string, stderr io.Writer) (*server, error) {
	s := &server{watch: newWatch(sim), audience: newAudience(), broken: make(chan error, 1)}
	mux, err := s.newMux(sim)
	if err != nil {
		return nil, err
	}
	l, url, hosts, err := listen(text, sim.Rank(), stderr)
	if err != nil {
		return nil, err
	}
	s.url = url
	s.http = http.Server{
		Handler:           guard.Only(hosts, ownPages(mux)),
		ReadHeaderTimeout: patience,
		ReadTimeout:       patience,
		WriteTimeout:      longest,
		IdleTimeout:       time.Minute,
		ErrorLog:          log.New(io.Discard, "", 0), // of malformed requests
	}
	sim.Announce(announce(l.Addr().(*net.TCPAddr), sim.RunInfo().ID))
	fmt.Fprintf(stderr, "ross: live figures at %s\n", url)
	go s.run(l)
	s.watch.start()
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
	s.watch.stop()
	if err := <-s.broken; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("ross: live figures: %w: leave --http out, or give another address", err)
	}
	return nil
}

// policy is the content security policy of the page: it needs nothing from elsewhere.
const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// newMux returns the handlers of all paths.
func (s *server) newMux(sim *ross.Simulation) (*http.ServeMux, error) {
	registry, err := newRegistry(sim)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store") // the next run may be another program
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(page)
	})
	mux.HandleFunc("GET /snapshot.json", func(w http.ResponseWriter, r *http.Request) {
		d := s.watch.document()
		sendJSON(w, d)
		s.audience.answered(r, d.Goodbye, time.Now())
	})
	mux.HandleFunc("GET /rank.json", func(w http.ResponseWriter, r *http.Request) {
		info := sim.RunInfo() // before the figures: if it says that the run is over, these are the last
		sendJSON(w, rankDocument{info.ID, newFigures(sim.Snapshot())})
		s.audience.answered(r, over(&info), time.Now())
	})
	mux.HandleFunc("GET /history.json", func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, s.watch.past()) })
	mux.HandleFunc("GET /"+instr.RunName, func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, sim.RunInfo()) })
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	addProfiles(mux)
	return mux, nil
}

// sendJSON answers with a document.
func sendJSON(w http.ResponseWriter, document any) {
	text, err := json.Marshal(document)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(text)
}
