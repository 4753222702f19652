// This file prints summaries of files, for people or as JSON.

package cli

import (
	"encoding/json"
	"fmt"
	"io"
)

// Summarise prints a summary of each input to standard output: with print as they are made, or all
// of them as a JSON array. It returns [ErrBad] if one reports an error.
func Summarise[In, Summary any](inputs []In, asJSON bool, stdout io.Writer, of func(In) Summary, print func(Summary, io.Writer), good func(Summary) bool) error {
	out, err := Create("", stdout)
	if err != nil {
		return err
	}
	bad := false
	all := []Summary{}
	for _, in := range inputs {
		s := of(in)
		bad = bad || !good(s)
		all = append(all, s)
		if !asJSON {
			print(s, out)
		}
	}
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		if err := e.Encode(all); err != nil {
			return fmt.Errorf("ross: output: %w: report this as a mistake of rossreader", err)
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	if bad {
		return ErrBad
	}
	return nil
}
