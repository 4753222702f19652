//go:build !nolive

// This file owns the server's address, and the choice of requests that it answers.

package live

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/ross-go/ross"
)

// address is the value of --http.
type address struct {
	host string
	port int
}

const loopback = "127.0.0.1"

// parseAddress reads an address for a rank: the given port is that of rank 0, and port 0 means any
// free port.
func parseAddress(text string, rank int) (address, error) {
	const fix = "give a port such as 8080, or host:port"
	if !strings.Contains(text, ":") {
		text = ":" + text
	}
	host, number, err := net.SplitHostPort(text)
	if err != nil {
		return address{}, fmt.Errorf("no address; %s", fix)
	}
	port, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return address{}, fmt.Errorf("port %q is not 0 to 65535; %s", number, fix)
	}
	if port > 0 {
		port += uint64(rank)
	}
	if port > 65535 {
		return address{}, fmt.Errorf("rank %d would have port %d; give one that leaves room for all ranks", rank, port)
	}
	if host == "" {
		host = loopback
	}
	return address{host, int(port)}, nil
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
		return nil, "", nil, fmt.Errorf("ross: option --http=%s: %w: give another port, 0 for any that is free, or leave --http out", text, err)
	}
	at := l.Addr().(*net.TCPAddr)
	name := at.IP.String()
	switch {
	case at.IP.IsLoopback():
		hosts = []string{"localhost", loopback, "::1", name, strings.ToLower(a.host)}
	default:
		fmt.Fprintf(stderr, "ross: --http=%s: everybody who can reach this machine can read the figures and take profiles; --http=%d serves this machine only\n",
			text, a.port)
		if at.IP.IsUnspecified() {
			if name, err = os.Hostname(); err != nil {
				name = "localhost"
			}
		}
	}
	return l, "http://" + net.JoinHostPort(name, strconv.Itoa(at.Port)) + "/", hosts, nil
}

// only passes on requests that name one of the hosts. Other requests come from web pages of hosts
// whose names were made to resolve to this machine (DNS rebinding).
func only(hosts []string, next http.Handler) http.Handler {
	if hosts == nil {
		return next
	}
	allowed := map[string]bool{}
	for _, h := range hosts {
		allowed[h] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil { // the host has no port
			host = strings.Trim(r.Host, "[]")
		}
		if !allowed[strings.ToLower(host)] {
			http.Error(w, fmt.Sprintf("ross: host %q: not this server's: ask for localhost", host), http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// profiles is the path of the handlers that slow the run down.
const profiles = "/debug/pprof/"

// ownPages refuses requests of pages of other origins for profiles: such pages cannot read the
// answers, but a profile slows the run down. A browser reports the origin in Sec-Fetch-Site, to
// this machine and over TLS, and in Origin where it must; other programs send neither. Another port
// of this machine is "same-site", and is refused as well. Links to figures work from everywhere;
// links to profiles do not, because following one takes the profile.
func ownPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := r.Header
		link := h.Get("Sec-Fetch-Mode") == "navigate" && h.Get("Sec-Fetch-Dest") == "document"
		if foreign(r) && (!link || strings.HasPrefix(r.URL.Path, profiles)) {
			http.Error(w, "ross: requested by a page of another origin: type the address, or use curl or go tool pprof", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// foreign reports whether a browser sends the request for a page of another origin.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "":
		origin := r.Header.Get("Origin")
		_, host, _ := strings.Cut(origin, "://") // a proxy may add TLS
		return origin != "" && !strings.EqualFold(host, r.Host)
	}
	return true
}
