// How a program shows its run.

package live_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/program/parts/live"
)

func Example() {
	cfg := ross.DefaultConfig()
	cfg.NLP = 1
	var view live.Options
	options := ross.NewOptions("ticks")
	cfg.Register(options)
	view.Register(options)
	if code, ok := options.Main([]string{"--end=10", "--progress=off", "--http=0"}, os.Stdout, os.Stderr); !ok {
		fmt.Println("exit status", code)
	}

	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	var server *live.View
	err = sim.Define(ross.Type[struct{}]{
		Init: func(_ *struct{}, lp *ross.LP) { ross.Send(lp, 0, 1, struct{}{}) },
		Event: ross.On(func(_ *struct{}, lp *ross.LP, _ *struct{}) {
			if lp.Now() == 5 { // a reader asks for the figures
				answer, err := http.Get(server.URL() + "snapshot.json")
				if err == nil {
					text, _ := io.ReadAll(answer.Body)
					answer.Body.Close()
					fmt.Println(strings.Contains(string(text), `"phase":"running"`))
				}
			}
			ross.Send(lp, 0, 1, struct{}{})
		}),
	})
	if err == nil {
		server, err = live.Start(sim, view, io.Discard)
	}
	if err == nil {
		err = sim.Run(context.Background())
		_ = server.Stop()
	}
	fmt.Println(sim.Snapshot().EventsCommitted, err)
	// Output:
	// true
	// 9 <nil>
}
