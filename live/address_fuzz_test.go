//go:build !nolive

// Whatever is given for an address, what comes of it can be listened at.

package live

import (
	"net"
	"strconv"
	"testing"
)

func FuzzAddress(f *testing.F) {
	for _, seed := range []string{"8080", ":0", "localhost:80", "[::1]:65535", "0.0.0.0:1", "a:b:c", "", "[", "-1", "[]:1"} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, text string, rank int) {
		rank &= 1<<20 - 1
		a, err := parseAddress(text, rank)
		if err != nil {
			return
		}
		if a.host == "" || a.port < 0 || a.port > 65535 || a.port > 0 && a.port < rank {
			t.Fatalf("%q, rank %d: %+v", text, rank, a)
		}
		again, err := parseAddress(net.JoinHostPort(a.host, strconv.Itoa(a.port)), 0)
		if err != nil || again != a {
			t.Fatalf("%q: %+v, and then %+v, %v", text, a, again, err)
		}
	})
}
