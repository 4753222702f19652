//go:build !nolive

// This file owns the server's address, and the choice of requests that it answers.

package live

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/guard"
)

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
		return nil, "", nil, fmt.Errorf("ross: option --http=%s: %w: give another port, 0 for any that is free, or leave --http out", text, err)
	}
	at := l.Addr().(*net.TCPAddr)
	hosts = guard.Hosts(at, a.host)
	name := at.IP.String()
	if hosts == nil {
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
