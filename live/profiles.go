//go:build !nolive

// This file owns Go's profiles, and who may take one: a profile slows the run down.

package live

import (
	"net/http"
	"net/http/pprof"
	"strings"

	"github.com/ross-go/ross/internal/guard"
)

// profiles is the path of the profiles.
const profiles = "/debug/pprof/"

// addProfiles adds the profiles to a mux: only GET, and POST to symbol, as go tool pprof does.
func addProfiles(mux *http.ServeMux) {
	for path, handle := range map[string]http.HandlerFunc{
		"": pprof.Index, "cmdline": pprof.Cmdline, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		mux.HandleFunc("GET "+profiles+path, func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet { // HEAD, which would take the profile as well
				w.Header().Set("Allow", http.MethodGet)
				http.Error(w, "ross: profiles answer only GET", http.StatusMethodNotAllowed)
				return
			}
			handle(w, r)
		})
	}
	mux.HandleFunc("POST "+profiles+"symbol", pprof.Symbol)
}

// ownPages refuses requests of pages of other origins: such pages cannot read the answers, but a
// profile slows the run down. Links to figures work from everywhere; links to profiles do not,
// because following one takes the profile.
//
// A browser reports the origin to this machine and over TLS, but not to other hosts without TLS. So
// a request of a browser that does not report it gets no profile.
func ownPages(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		profile := strings.HasPrefix(r.URL.Path, profiles)
		switch {
		case guard.Foreign(r) && (!guard.Link(r) || profile):
			http.Error(w, "ross: requested by a page of another origin: type the address, or use curl or go tool pprof", http.StatusForbidden)
		case profile && r.URL.Path != profiles && r.Header.Get("Sec-Fetch-Site") == "" && browser(r):
			http.Error(w, "ross: this browser does not say which page takes the profile: use curl or go tool pprof, or a browser on the machine of the run", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// browser reports whether a browser sends the request. All of them name themselves so, and pages
// cannot change the name without asking first, which the server refuses.
func browser(r *http.Request) bool {
	return strings.HasPrefix(r.UserAgent(), "Mozilla/") || r.Header.Get("Accept-Language") != ""
}
