// This file owns the text of numbers: the shortest that reads back as the same number.

package cli

import (
	"math"
	"strconv"
)

// AppendFloat appends v with as many digits as distinguish it from other numbers of
// its size in bits, 32 or 64, in the form of JSON; or Inf, -Inf, NaN.
func AppendFloat(dst []byte, v float64, size int) []byte {
	switch abs := math.Abs(v); {
	case abs <= math.MaxFloat64 && (abs >= 1e-6 && abs < 1e21 || abs == 0):
		return strconv.AppendFloat(dst, v, 'f', -1, size)
	case math.IsInf(v, 1):
		return append(dst, "Inf"...)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, size)
}

// FormatFloat returns what AppendFloat appends.
func FormatFloat(v float64, size int) string { return string(AppendFloat(nil, v, size)) }
