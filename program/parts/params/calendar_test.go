// This file owns the test of parameters whose type reads texts.

package params

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/program/parts/calendar"
)

func TestParametersMayBeCalendars(t *testing.T) {
	type desk struct {
		Clerks int
		Hours  calendar.Calendar
	}
	f, err := Parse("w.yaml", []byte("\"a.hours\": |\n  unit: h\n  # shorter\n  mon-fri 09:00-17:00: 3\nb.hours: |\n"+
		"  unit: h\n  mom: 3\nc.hours: [mon]\n"))
	require.NoError(t, err)
	a, err := One(f, "a", desk{})
	require.NoError(t, err)
	require.Equal(t, 9., a.Hours.Next(0))
	require.Equal(t, 3, a.Hours.Most())
	_, err = One(f, "b", desk{})
	require.EqualError(t, err, `ross: parameters: w.yaml:5: "b.hours": calendar: line 2, "mom: 3": "mom" is not a weekday: `+
		`write mon, tue, wed, thu, fri, sat or sun, or two with - between`)
	_, err = One(f, "c", desk{})
	require.EqualError(t, err, `ross: parameters: w.yaml:8: "c.hours": a list: write a text of several lines behind a |`)
}
