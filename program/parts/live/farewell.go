// This file owns the end: who looks on has to learn of it before the server is gone.

package live

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	// attentive is how long after its last question a page still counts as looking on: it asks every
	// second, unless its tab is hidden.
	attentive = 3 * time.Second
	// patienceAtEnd is how long the server waits for pages to ask once more.
	patienceAtEnd = 2 * time.Second
	// mostPages is the number of pages that are waited for.
	mostPages = 64
)

// audience knows who looks on, by the names that pages give themselves.
type audience struct {
	lock  sync.Mutex
	pages map[string]attention
	news  chan struct{} // receives when a page has got the last figures
}

type attention struct {
	asked time.Time
	shown bool // it has the last figures
}

func newAudience() *audience {
	return &audience{pages: map[string]attention{}, news: make(chan struct{}, 1)}
}

// answered notes that a page was answered, and whether these were the last figures.
func (a *audience) answered(r *http.Request, last bool, now time.Time) {
	name := r.URL.Query().Get("page")
	if name == "" || len(name) > 40 {
		return
	}
	a.lock.Lock()
	defer a.lock.Unlock()
	for n, p := range a.pages {
		if now.Sub(p.asked) > attentive {
			delete(a.pages, n)
		}
	}
	if _, known := a.pages[name]; !known && len(a.pages) >= mostPages {
		return
	}
	a.pages[name] = attention{now, last}
	if last {
		select {
		case a.news <- struct{}{}:
		default:
		}
	}
}

// waits reports whether a page that looks on has not got the last figures.
func (a *audience) waits(now time.Time) bool {
	a.lock.Lock()
	defer a.lock.Unlock()
	for _, p := range a.pages {
		if !p.shown && now.Sub(p.asked) <= attentive {
			return true
		}
	}
	return false
}

// farewell returns when all pages have the last figures, or after patienceAtEnd.
func (a *audience) farewell() {
	end := time.NewTimer(patienceAtEnd)
	defer end.Stop()
	for a.waits(time.Now()) {
		select {
		case <-a.news:
		case <-end.C:
			return
		}
	}
}

// linger returns after d or when ctx ends, and when those who look on have the last figures. If ctx had ended before,
// it has stopped the run: that is no reason to hide how the run was.
func (s *server) linger(ctx context.Context, d time.Duration) {
	if d > 0 {
		ended := ctx.Done()
		if ctx.Err() != nil {
			ended = nil
		}
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ended:
		}
	}
	s.audience.farewell()
}
