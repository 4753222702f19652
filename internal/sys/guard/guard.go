// This file owns the choice of requests that a server on this machine answers.

// Package guard protects HTTP servers that show figures on this machine from web pages of others:
// it parses their addresses, and refuses requests that name another host or come from a page of
// another origin.
package guard

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// Loopback is the host of an address that does not name one.
const Loopback = "127.0.0.1"

// ParseAddress reads a port or host:port for the server number n of several: the given port is that
// of server 0, and port 0 means any free port. The error says what to give.
func ParseAddress(text string, n int) (host string, port int, err error) {
	const fix = "give a port such as 8080, or host:port"
	if !strings.Contains(text, ":") {
		text = ":" + text
	}
	host, number, err := net.SplitHostPort(text)
	if err != nil {
		return "", 0, fmt.Errorf("no address; %s", fix)
	}
	p, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("port %q is not 0 to 65535; %s", number, fix)
	}
	if p > 0 {
		p += uint64(n)
	}
	if p > 65535 {
		return "", 0, fmt.Errorf("rank %d would have port %d; give one that leaves room for all ranks", n, p)
	}
	if host == "" {
		host = Loopback
	}
	return host, int(p), nil
}

// Hosts returns the hosts that requests may name to a server at an address that was given as host,
// nil if others than this machine can reach it.
func Hosts(at *net.TCPAddr, host string) []string {
	if !at.IP.IsLoopback() {
		return nil
	}
	return []string{"localhost", Loopback, "::1", at.IP.String(), strings.ToLower(host)}
}

// Only passes on requests that name one of the hosts; nil allows all. Other requests come from web
// pages of hosts whose names were made to resolve to this machine (DNS rebinding).
func Only(hosts []string, next http.Handler) http.Handler {
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

// Link reports whether a browser sends the request because the user follows a link.
func Link(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// Foreign reports whether a browser sends the request for a page of another origin. It says so in
// Sec-Fetch-Site, to this machine and over TLS, and in Origin where it must; other programs send
// neither. Another port of this machine is "same-site", and foreign as well.
func Foreign(r *http.Request) bool {
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
