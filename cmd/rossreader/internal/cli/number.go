// This file owns numbers in the JSON that runs write.

package cli

import (
	"encoding/json"
	"math"
)

// Number is a number in JSON. It is NaN where there is null, since a number does not exist or is infinite.
type Number float64

// UnmarshalJSON implements json.Unmarshaler.
func (x *Number) UnmarshalJSON(text []byte) error {
	f := math.NaN()
	err := json.Unmarshal(text, &f) // leaves it for null
	*x = Number(f)
	return err
}
