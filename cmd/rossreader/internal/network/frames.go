// This file owns frames: the values of all links by interval, and the form in which the page takes them.

package network

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"math"
)

// frames are intervals of virtual time, in order.
type frames struct {
	all     []frame
	missing int // intervals that are not whole, and left out
}

// frame is an interval.
type frame struct {
	from, to float64
	values   []float32 // by value and link; NaN: not known
}

func (f *frames) add(from, to float64, values []float32) {
	f.all = append(f.all, frame{from, to, values})
}

// chunk is some frames as the page takes them.
type chunk struct {
	First int       `json:"first"` // number of the first frame
	From  []float64 `json:"from"`
	To    []float64 `json:"to"`
	// Block has the values by interval, value and link: float32, little endian, compressed by gzip, in base64.
	Block string `json:"block"`
	Note  string `json:"note"`  // about what is shown
	State string `json:"state"` // of the run
	Ended bool   `json:"ended"` // nothing more comes
}

// chunk returns the frames from one on.
func (s *source) chunk(first int) (chunk, error) {
	first = min(max(first, 0), len(s.all))
	c := chunk{First: first, From: []float64{}, To: []float64{}, Note: s.note(), State: s.state(), Ended: s.final}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	var raw []byte
	for _, f := range s.all[first:] {
		c.From, c.To = append(c.From, f.from), append(c.To, f.to)
		raw = raw[:0]
		for _, x := range f.values {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		if _, err := zip.Write(raw); err != nil {
			return c, err
		}
	}
	if err := zip.Close(); err != nil {
		return c, err
	}
	c.Block = base64.StdEncoding.EncodeToString(packed.Bytes())
	return c, nil
}
