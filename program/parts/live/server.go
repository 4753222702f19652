// This file owns the HTTP server: start, end and paths; its address, and the choice of requests that it answers; and
// Go's profiles, and who may take one: a profile slows the run down.

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
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/instr"
	"github.com/ross-go/ross/internal/sys/guard"
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
	l, url, hosts, err := listen(text, sim.Rank(), stderr)
	if err != nil {
		return nil, err
	}
	s.url = url
	s.http = http.Server{
		Handler:           guard.Only(hosts, ownPages(s.newMux(sim))),
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
func (s *server) newMux(sim *ross.Simulation) *http.ServeMux {
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
		info := sim.RunInfo() // before the figures: if it shows that the run is over, these are the last
		sendJSON(w, rankDocument{info.ID, newFigures(sim.Snapshot())})
		s.audience.answered(r, over(&info), time.Now())
	})
	mux.HandleFunc("GET /history.json", func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, s.watch.past()) })
	mux.HandleFunc("GET /"+instr.RunName, func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, sim.RunInfo()) })
	mux.HandleFunc("GET /metrics", serveMetrics(sim))
	addProfiles(mux)
	return mux
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

// address is the value of --http.
type address struct {
	host string
	port int
}

const loopback = guard.Loopback

// parseAddress reads an address for a rank: the given port is that of rank 0, and port 0 means any
// free port.
func parseAddress(text string, rank int) (address, error) {
	host, port, err := guard.ParseAddress(text, rank)
	return address{host, port}, err
}

// listen opens an address. It returns the server's URL and, if only this machine can reach it, the
// hosts that requests may name.
func listen(text string, rank int, stderr io.Writer) (l net.Listener, url string, hosts []string, err error) {
	a, err := parseAddress(text, rank)
	if err != nil {
		return nil, "", nil, fmt.Errorf("ross: option --http=%s: %w: %w", text, err, ross.ErrUsage)
	}
	l, err = net.Listen("tcp", net.JoinHostPort(a.host, strconv.Itoa(a.port)))
	if err != nil {
		return nil, "", nil,
			fmt.Errorf("ross: option --http=%s: %w: give another port, 0 for any that is free, or leave --http out", text, err)
	}
	at := l.Addr().(*net.TCPAddr)
	hosts = guard.Hosts(at, a.host)
	name := at.IP.String()
	if hosts == nil {
		fmt.Fprintf(stderr,
			"ross: --http=%s: everybody who can reach this machine can read the figures and take profiles; --http=%d serves this machine only\n",
			text, a.port)
		if at.IP.IsUnspecified() {
			if name, err = os.Hostname(); err != nil {
				name = "localhost"
			}
		}
	}
	return l, "http://" + net.JoinHostPort(name, strconv.Itoa(at.Port)) + "/", hosts, nil
}

// profiles is the path of the profiles.
const profiles = "/debug/pprof/"

// addProfiles adds the profiles to a mux: only GET, and POST to symbol, as go tool pprof does.
func addProfiles(mux *http.ServeMux) {
	for path, handle := range map[string]http.HandlerFunc{
		"": pprof.Index, "cmdline": pprof.Cmdline, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		mux.HandleFunc("GET "+profiles+path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet { // HEAD, which would take the profile as well
				w.Header().Set("Allow", http.MethodGet)
				http.Error(w, "ross: profiles answer only GET", http.StatusMethodNotAllowed)
				return
			}
			handle(w, r)
		})
	}
	mux.HandleFunc("POST "+profiles+"symbol", pprof.Symbol)
}

// ownPages refuses requests of pages of other origins: such pages cannot read the answers, but a
// profile slows the run down. Links to figures work from everywhere; links to profiles do not,
// because following one takes the profile.
//
// A browser reports the origin to this machine and over TLS, but not to other hosts without TLS. So
// a request of a browser that does not report it gets no profile.
func ownPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		profile := strings.HasPrefix(r.URL.Path, profiles)
		switch {
		case guard.Foreign(r) && (!guard.Link(r) || profile):
			http.Error(w, "ross: requested by a page of another origin: type the address, or use curl or go tool pprof",
				http.StatusForbidden)
		case profile && r.URL.Path != profiles && r.Header.Get("Sec-Fetch-Site") == "" && browser(r):
			http.Error(w,
				"ross: this browser does not say which page takes the profile: use curl or go tool pprof, or a browser on the machine of the run", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// browser reports whether a browser sends the request. All of them name themselves so, and pages
// cannot change the name without asking first, which the server refuses.
func browser(r *http.Request) bool {
	return strings.HasPrefix(r.UserAgent(), "Mozilla/") || r.Header.Get("Accept-Language") != ""
}
