// This file owns ranks that are goroutines.

package statistic_test

import "sync"

// meeting lets goroutines exchange bytes.
type meeting struct {
	lock  sync.Mutex
	cond  *sync.Cond
	all   [][]byte
	came  int
	round int
	last  [][]byte
}

func newMeeting(n int) *meeting {
	m := &meeting{all: make([][]byte, n)}
	m.cond = sync.NewCond(&m.lock)
	return m
}

// gather returns what sends bytes of a rank to all.
func (m *meeting) gather(rank int) func([]byte) ([][]byte, error) {
	return func(own []byte) ([][]byte, error) {
		m.lock.Lock()
		defer m.lock.Unlock()
		m.all[rank] = own
		round := m.round
		if m.came++; m.came == len(m.all) {
			m.last, m.all = m.all, make([][]byte, len(m.all))
			m.came = 0
			m.round++
			m.cond.Broadcast()
		}
		for m.round == round {
			m.cond.Wait()
		}
		return m.last, nil
	}
}
