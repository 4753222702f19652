// This file owns what other programs use of the processors, as Linux tells it.

package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"time"
)

// usage is what has been used of all processors of a machine since it was started.
type usage struct {
	known       bool
	busy, stole float64 // seconds: of work here, and of a hypervisor that gave the processor to another machine
	processors  int
	at          time.Time
}

// usageNow reads /proc/stat.
func usageNow() usage {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return usage{}
	}
	u := readUsage(string(text))
	u.at = time.Now()
	return u
}

// ticksPerSecond is the unit of /proc/stat (USER_HZ), which is the same on all systems that Go runs on.
const ticksPerSecond = 100

// readUsage reads a text as /proc/stat has it.
func readUsage(text string) (u usage) {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 5 || !strings.HasPrefix(f[0], "cpu") {
			continue
		}
		if f[0] != "cpu" {
			u.processors++
			continue
		}
		for i, word := range f[1:] {
			n, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return usage{}
			}
			switch i {
			case 0, 1, 2, 5, 6: // user, nice, system, irq, softirq; guests are in user and nice
				u.busy += n / ticksPerSecond
			case 7:
				u.stole = n / ticksPerSecond
			}
		}
	}
	u.known = u.processors > 0
	return u
}

// othersSince returns the share of all processors that others have used since before, if own is what this program and
// its processes have used; nil: not known.
func (u usage) othersSince(before usage, own time.Duration) *share {
	all := u.at.Sub(before.at).Seconds() * float64(u.processors)
	if !u.known || !before.known || all <= 0 {
		return nil
	}
	s := share(min(max((u.busy-before.busy+u.stole-before.stole-own.Seconds())/all, 0), 1))
	return &s
}

// pressure returns the share of the last ten seconds in which some thread waited for a processor; nil: not known.
func pressure() *share {
	f, err := os.Open("/proc/pressure/cpu")
	if err != nil {
		return nil
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if at := readPressure(s.Text()); at != nil {
			return at
		}
	}
	return nil
}

// readPressure reads a line such as "some avg10=12.5 avg60=3.00 avg300=1.00 total=123".
func readPressure(line string) *share {
	rest, found := strings.CutPrefix(line, "some avg10=")
	word, _, _ := strings.Cut(rest, " ")
	percent, err := strconv.ParseFloat(word, 64)
	if !found || err != nil {
		return nil
	}
	s := share(percent / 100)
	return &s
}
