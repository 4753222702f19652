// What a scheduler decides: tests repeat it until it has happened.

package modeltest

import "testing"

// mostAttempts is so many that what happens in one attempt of a hundred does happen.
const mostAttempts = 2000

// Until calls attempt until it reports that what the test is about has happened, which depends on how the operating
// system schedules threads. It fails the test if that does not happen in many attempts.
func Until(t testing.TB, what string, attempt func() bool) {
	t.Helper()
	for range mostAttempts {
		if attempt() {
			return
		}
	}
	t.Fatalf("in %d attempts there was no run in which %s", mostAttempts, what)
}
