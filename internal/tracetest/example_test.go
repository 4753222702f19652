// What a difference looks like.

package tracetest_test

import (
	"fmt"

	"github.com/ross-go/ross/internal/tracetest"
)

func ExampleCompare() {
	want := []tracetest.Record{
		{Src: 0, Dest: 0, Send: 0, Recv: 1},
		{Src: 3, Dest: 1, Send: 0, Recv: 1},
		{Src: 1, Dest: 0, Send: 1, Recv: 2},
	}
	got := []tracetest.Record{want[0], want[2], want[1]}
	fmt.Println(tracetest.Compare(got, want))
	fmt.Println(tracetest.Compare(tracetest.ByDest(got), tracetest.ByDest(want)))
	// Output:
	// ross: traces of 3 and 3 records differ at record 1:
	//        0  got 0,0,0,1                              want 0,0,0,1
	// !      1  got 1,0,1,2                              want 3,1,0,1
	// !      2  got 3,1,0,1                              want 1,0,1,2
	// <nil>
}
