// This file owns what rank 0 knows of the other ranks: it asks their servers.

package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	// askFor is how long a rank may take to answer.
	askFor = 2 * time.Second
	// askAtOnce is how many ranks are asked at the same time.
	askAtOnce = 16
	// askEvery is the time between two questions to as many ranks.
	askEvery = time.Second
	// mostBytes is more than the figures of a rank have.
	mostBytes = 64 << 20
)

// announcement is what a rank reports to rank 0 about its server (ross.Simulation.Announce).
type announcement struct {
	Host string // name of the machine
	IP   string // to which the server is bound
	Port int
	ID   string // of the run, on that rank
}

// announce returns the announcement of a server.
func announce(at *net.TCPAddr, id string) string {
	host, _ := os.Hostname()
	text, _ := json.Marshal(announcement{host, at.IP.String(), at.Port, id}) // it never fails
	return string(text)
}

// url returns the address at which this machine reaches the server.
func (a *announcement) url() (string, error) {
	here, _ := os.Hostname()
	ip := net.ParseIP(a.IP)
	name := a.IP
	switch {
	case ip == nil:
		return "", fmt.Errorf("its server has the address %q, which is not an IP address", a.IP)
	case a.Host == here && ip.IsUnspecified():
		name = loopback
	case a.Host != here && ip.IsLoopback():
		return "", fmt.Errorf("its server on %s answers only its own machine: give --http=0.0.0.0:PORT", a.Host)
	case ip.IsUnspecified():
		name = a.Host
	}
	return "http://" + net.JoinHostPort(name, strconv.Itoa(a.Port)) + "/", nil
}

// other is what rank 0 knows of another rank.
type other struct {
	at      announcement
	url     string
	trouble string
	f       *figures // nil: none yet
}

// others are the other ranks.
type others struct {
	client http.Client
	lock   sync.Mutex // guards all
	all    []other    // by rank; that of this rank is not used
}

func newOthers() *others {
	return &others{client: http.Client{Timeout: askFor, Transport: &http.Transport{ // no proxy
		MaxIdleConns: askAtOnce, MaxIdleConnsPerHost: 1, IdleConnTimeout: 10 * time.Second}}}
}

// meet takes the announcements of the ranks.
func (o *others) meet(texts []string) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.all = make([]other, len(texts))
	for rank, text := range texts {
		k := &o.all[rank]
		if text == "" {
			k.trouble = "it has no server: give --http to all ranks"
			continue
		}
		err := json.Unmarshal([]byte(text), &k.at)
		if err == nil {
			k.url, err = k.at.url()
		}
		if err != nil {
			k.trouble = err.Error()
		}
	}
}

// ask asks all ranks that have a server.
func (o *others) ask() {
	o.lock.Lock()
	all := o.all
	o.lock.Unlock()
	var asked sync.WaitGroup
	slots := make(chan struct{}, askAtOnce)
	for rank := 1; rank < len(all); rank++ {
		if all[rank].url == "" { // url and at do not change
			continue
		}
		slots <- struct{}{}
		asked.Go(func() {
			f, err := o.askOne(rank, &all[rank])
			<-slots
			o.lock.Lock()
			defer o.lock.Unlock()
			if all[rank].trouble = ""; err != nil {
				all[rank].trouble = err.Error()
				return
			}
			all[rank].f = f
		})
	}
	asked.Wait()
}

// askOne returns the figures of a rank.
func (o *others) askOne(rank int, k *other) (*figures, error) {
	answer, err := o.client.Get(k.url + "rank.json?page=rank0")
	if err != nil {
		var t interface{ Timeout() bool }
		if errors.As(err, &t) && t.Timeout() {
			return nil, fmt.Errorf("its server has not answered within %v", askFor)
		}
		return nil, errors.New("its server does not answer")
	}
	defer answer.Body.Close()
	var d rankDocument
	if err = json.NewDecoder(io.LimitReader(answer.Body, mostBytes)).Decode(&d); err != nil ||
		answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("its server answers %s", answer.Status)
	}
	if d.ID != k.at.ID || d.Rank != rank {
		return nil, errors.New("another program has taken its port: the rank has ended")
	}
	return &d.figures, nil
}

// addTo adds the figures of the other ranks to those of this one, and reports what is known of each. It
// reports whether all of them have ended, or do not answer.
func (o *others) addTo(f *figures) (answers []knownRank, ended bool) {
	answers, ended = []knownRank{{Rank: f.Rank, MemoryUsed: f.MemoryUsed, MemoryLimit: f.MemoryLimit}}, true
	if f.Rank != 0 || f.Ranks == 1 {
		return answers, true
	}
	o.lock.Lock()
	defer o.lock.Unlock()
	for rank := 1; rank < f.Ranks; rank++ {
		k := other{trouble: "not asked yet"}
		if rank < len(o.all) {
			k = o.all[rank]
		}
		h := knownRank{Rank: rank, Trouble: k.trouble, Address: k.url}
		if k.f != nil {
			h.MemoryUsed, h.MemoryLimit = k.f.MemoryUsed, k.f.MemoryLimit
			f.add(k.f)
		}
		if k.trouble == "" && (k.f == nil || k.f.Phase != "ended") {
			ended = false
		}
		answers = append(answers, h)
	}
	return answers, ended
}

func (o *others) close() { o.client.CloseIdleConnections() }
