// This file owns the browser that the tests of a package share.

package browsertest

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// shared is the browser of a package's tests. Starting one takes a second of processor time, a part of it a fifth.
var shared struct {
	lock sync.Mutex
	b    *Browser
}

// Of returns a browser for a test, as if it had just been started, until the test ends. The tests of a package share a
// process, which Main ends.
func Of(t testing.TB) *Browser {
	t.Helper()
	part, err := partOfShared()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := part.Close(); err != nil {
			t.Error(err)
		}
	})
	return part
}

// partOfShared returns a part of the shared browser. The first call starts that, and so does one after it has crashed.
func partOfShared() (*Browser, error) {
	shared.lock.Lock()
	defer shared.lock.Unlock()
	if shared.b != nil {
		select {
		case <-shared.b.gone:
			_ = shared.b.Close()
			shared.b = nil
		default:
		}
	}
	if shared.b == nil {
		b, err := Start()
		if err != nil {
			return nil, err
		}
		shared.b = b
	}
	return shared.b.Part()
}

// Main runs the tests of a package that call Of, and returns the status of the program: for TestMain.
func Main(m *testing.M) int {
	status := m.Run()
	if shared.b != nil {
		if err := shared.b.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return max(status, 1)
		}
	}
	return status
}
