// This file pins which requests are answered.

package guard

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyTheHostsOfThisMachineAreAnswered(t *testing.T) {
	hosts := Hosts(&net.TCPAddr{IP: net.ParseIP("127.0.0.1"), Port: 1}, "MyName")
	h := Only(hosts, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for host, want := range map[string]int{
		"localhost:1": 200, "127.0.0.1:1": 200, "[::1]:1": 200, "LOCALHOST": 200, "myname:9": 200, "evil.example": 403,
		"evil.example:1": 403, "": 403,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, want, w.Code, host)
	}
	require.Nil(t, Hosts(&net.TCPAddr{IP: net.ParseIP("10.0.0.1")}, "x"))
}

func TestPagesOfOtherOriginsAreForeign(t *testing.T) {
	for _, c := range []struct {
		site, origin string
		want         bool
	}{
		{"same-origin", "", false}, {"none", "", false}, {"", "", false}, {"", "http://here", false},
		{"", "http://there", true},
		{"cross-site", "", true}, {"same-site", "", true}, {"", "null", true},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = "here"
		r.Header.Set("Sec-Fetch-Site", c.site)
		r.Header.Set("Origin", c.origin)
		require.Equal(t, c.want, Foreign(r), c)
	}
}

func TestAddressesHaveAHostAndAPort(t *testing.T) {
	host, port, err := ParseAddress("8080", 3)
	require.NoError(t, err)
	require.Equal(t, Loopback, host)
	require.Equal(t, 8083, port)
	for _, bad := range []string{"a:b:c", "-1", "65536", "[", "x"} {
		_, _, err := ParseAddress(bad, 0)
		require.ErrorContains(t, err, "give a port", bad)
	}
}
