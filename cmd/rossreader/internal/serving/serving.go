// This file owns the life of a server, and who can reach it.

// Package serving runs the servers of rossreader: it reads the address, says where the pages are, keeps pages of other
// origins out, and ends with a signal. Package guard has the rules.
package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/sys/guard"
)

const (
	patience = 10 * time.Second // for a request
	longest  = 10 * time.Minute // for an answer: pages of large files take time
	farewell = time.Second      // for answers under way when the server ends
)

// Help is the help of the option with an address.
const Help = "`PORT|HOST:PORT` to serve at; without a host only this machine can read it; port 0 is any free one"

// Server is what is served.
type Server struct {
	Name    string // of the subcommand
	What    string // such as "runs in results", for the line that says where the pages are
	Pages   string // what others can read then, such as "the reports"
	Address string // of --http
	Handler http.Handler
}

// Run serves until a signal comes or the context ends. Its errors name the option --http.
func (s *Server) Run(ctx context.Context, stdout, stderr io.Writer) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	host, port, err := guard.ParseAddress(s.Address, 0)
	if err != nil {
		return cli.Usagef("--http=%s: %w", s.Address, err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("--http=%s: %w: give another port, or 0 for any that is free", s.Address, err)
	}
	at := l.Addr().(*net.TCPAddr)
	hosts, name := guard.Hosts(at, host), at.IP.String()
	if hosts == nil {
		fmt.Fprintf(stderr,
			"rossreader %s: --http=%s: everybody who can reach this machine can read %s; --http=%d serves this machine only\n",
			s.Name, s.Address, s.Pages, at.Port)
		if at.IP.IsUnspecified() {
			name = "localhost"
		}
	}
	server := http.Server{
		Handler: Guard(hosts, s.Handler), ReadHeaderTimeout: patience, ReadTimeout: patience, WriteTimeout: longest,
		IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0), // of malformed requests
	}
	fmt.Fprintf(stdout, "%s at http://%s/ until Ctrl-C\n", s.What, net.JoinHostPort(name, strconv.Itoa(at.Port)))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("--http=%s: %w: give another address", s.Address, err)
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if server.Shutdown(limit) != nil {
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Guard returns a handler that refuses requests which name other hosts than these, nil for all, or come from pages of
// other origins, except links. Nothing that it hands out is kept.
func Guard(hosts []string, pages http.Handler) http.Handler {
	return guard.Only(hosts, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if guard.Foreign(r) && !guard.Link(r) {
			http.Error(w, "rossreader: requested by a page of another origin: type the address, or use curl",
				http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		pages.ServeHTTP(w, r)
	}))
}
