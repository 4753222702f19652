// The torus: which router is where, and which way leads to which.

package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross"
)

const (
	maxDims   = 5
	maxHosts  = 4
	maxPorts  = 2*maxDims + maxHosts
	maxLength = 1 << 10
	maxLPs    = 1 << 24
)

// torus is a torus of routers with hosts. Each router is followed by its hosts in the order of
// LPs. Port 2d of a router leads down in dimension d and port 2d+1 up; the other ports lead to its
// hosts. What leaves through port 2d arrives at port 2d+1, and the reverse.
type torus struct {
	size  []int    // of each dimension
	at    []uint16 // coordinates of each router
	next  []uint32 // for each router and each port to another one: the LP to which it leads
	links int      // ports of a router to others
	ports int      // of a router
	group int      // LPs of a router and its hosts
	lps   uint64
}

// parseTorus returns the torus of a text such as 16x16x8.
func parseTorus(text string, hosts int) (t torus, err error) {
	routers := 1
	for word := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 2 || n > maxLength || len(t.size) == maxDims || routers*n*(1+hosts) > maxLPs {
			return t, fmt.Errorf("option --dims=%s: must be 1 to %d lengths of 2 to %d, and at most 2^24 LPs: %w", text, maxDims,
				maxLength, ross.ErrUsage)
		}
		t.size = append(t.size, n)
		routers *= n
	}
	t.links, t.group = 2*len(t.size), 1+hosts
	t.ports, t.lps = t.links+hosts, uint64(routers*t.group)
	for r := range routers {
		below := 1 // routers of one step in this dimension
		for _, n := range t.size {
			at := r / below % n
			t.at = append(t.at, uint16(at))
			for _, to := range [2]int{(at + n - 1) % n, (at + 1) % n} {
				t.next = append(t.next, uint32((r+(to-at)*below)*t.group))
			}
			below *= n
		}
	}
	return t, nil
}

// kindOf returns the type of an LP.
func (t *torus) kindOf(id ross.LPID) int { return min(int(id)%t.group, 1) }

// route returns the port of a router that leads to a host: along the first dimension in which it
// is elsewhere (dimension-order routing), the shorter way.
func (t *torus) route(router ross.LPID, host uint32) int {
	from, to := int(router)/t.group, int(host)/t.group
	if from == to {
		return t.links + int(host)%t.group - 1
	}
	a, b := t.at[from*len(t.size):], t.at[to*len(t.size):]
	d := 0
	for a[d] == b[d] {
		d++
	}
	up := int(b[d]) - int(a[d])
	if up < 0 {
		up += t.size[d]
	}
	if 2*up <= t.size[d] {
		return 2*d + 1
	}
	return 2 * d
}

// across returns the LP to which a port of a router leads.
func (t *torus) across(router ross.LPID, port int) ross.LPID {
	if port >= t.links {
		return router + ross.LPID(port-t.links+1)
	}
	return ross.LPID(t.next[int(router)/t.group*t.links+port])
}

// label returns the name of an LP.
func (t *torus) label(id ross.LPID) string {
	at := strings.Join(strings.Fields(fmt.Sprint(t.at[int(id)/t.group*len(t.size):][:len(t.size)])), ",")
	at = "(" + strings.Trim(at, "[]") + ")"
	if host := int(id) % t.group; host > 0 {
		return fmt.Sprintf("host %d of %s", host-1, at)
	}
	return "router " + at
}
