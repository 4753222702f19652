// This file owns the runnable example.

package flat_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/flat"
)

func Example() {
	type result struct {
		Name    string
		samples []float64
	}
	codec, err := flat.For[result]()
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := codec.Append(nil, &result{"queue", []float64{1, 2.5}})
	fmt.Println(len(b), "bytes", err)
	var got result
	rest, err := codec.Read(b, &got)
	fmt.Println(got, len(rest), err)
	_, err = flat.For[struct{ Done chan int }]()
	fmt.Println(err)
	// Output:
	// 23 bytes <nil>
	// {queue [1 2.5]} 0 <nil>
	// struct { Done chan int }.Done is a chan, which cannot be sent to other ranks: use numbers, strings, slices, maps, pointers and structs of these
}
