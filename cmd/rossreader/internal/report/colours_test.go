// This file pins that colours of charts can be told apart.

package report

import (
	"encoding/hex"
	"math"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// linear returns the light of a colour #rrggbb.
func linear(t *testing.T, colour string) (l [3]float64) {
	t.Helper()
	b, err := hex.DecodeString(colour[1:])
	require.NoError(t, err)
	for i := range l {
		if c := float64(b[i]) / 255; c <= 0.04045 {
			l[i] = c / 12.92
		} else {
			l[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return l
}

func matrix(m [3][3]float64, l [3]float64) (r [3]float64) {
	for i := range r {
		r[i] = m[i][0]*l[0] + m[i][1]*l[1] + m[i][2]*l[2]
	}
	return r
}

// withoutGreen is what eyes without green cones see (Machado, Oliveira and Fernandes, 2009).
func withoutGreen(l [3]float64) [3]float64 {
	l = matrix([3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}, l)
	for i := range l {
		l[i] = min(max(l[i], 0), 1)
	}
	return l
}

// apart is the distance of two colours in CIELAB; about 2 can just be seen.
func apart(a, b [3]float64) float64 {
	lab := func(l [3]float64) [3]float64 {
		c := matrix([3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}, l)
		for i, white := range []float64{0.95047, 1, 1.08883} {
			if c[i] /= white; c[i] > 0.008856 {
				c[i] = math.Cbrt(c[i])
			} else {
				c[i] = 7.787*c[i] + 16.0/116
			}
		}
		return [3]float64{116*c[1] - 16, 500 * (c[0] - c[1]), 200 * (c[1] - c[2])}
	}
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// contrast is that of two colours in WCAG.
func contrast(a, b [3]float64) float64 {
	of := func(l [3]float64) float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] + 0.05 }
	return max(of(a), of(b)) / min(of(a), of(b))
}

func TestColoursDifferForAllEyes(t *testing.T) {
	themes := regexp.MustCompile(`card: "(#\w+)".*\n\s*colours: \[(.*)\]`).FindAllStringSubmatch(pageJS, -1)
	require.Len(t, themes, 2)
	for _, theme := range themes {
		ground := linear(t, theme[1])
		colours := regexp.MustCompile(`#\w{6}`).FindAllString(theme[2], -1)
		require.Len(t, colours, 8)
		for i, a := range colours {
			la := linear(t, a)
			require.GreaterOrEqual(t, contrast(la, ground), 3.0, a)
			for _, b := range colours[:i] {
				lb := linear(t, b)
				require.Greater(t, apart(la, lb), 15.0, "%s and %s", a, b)
				require.Greater(t, apart(withoutGreen(la), withoutGreen(lb)), 15.0, "%s and %s without green cones", a, b)
			}
		}
	}
}
