// The page of an experiment.

package page_test

import (
	"context"
	"fmt"
	"html"
	"log"
	"regexp"
	"strings"

	"github.com/ross-go/ross/program/parts/experiment"
	"github.com/ross-go/ross/program/parts/page"
)

// toss is how often a coin comes up heads.
func toss(_ context.Context, t *experiment.Trial) (experiment.Responses, error) {
	heads := 0
	for i := range t.Int("tosses") {
		if (i+int(t.Replication))%3 > 0 { // a real model draws random numbers
			heads++
		}
	}
	return experiment.Responses{"heads": float64(heads)}, nil
}

func Example() {
	results, err := experiment.Experiment{Name: "coin", Replications: 6, Run: toss,
		Points: experiment.Grid(experiment.Over("tosses", 10, 20, 40))}.Do(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	s := page.Of(results, nil)
	s.Program = "coin"
	var b strings.Builder // or a file: coin.html
	if err := s.Write(&b); err != nil {
		log.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`<h2[^>]*>(.*)</h2><p>(.*)</p>`).FindAllStringSubmatch(b.String(), -1) {
		fmt.Println(html.UnescapeString(found[1] + ": " + found[2]))
	}
	// Output:
	// heads: Means from 6.67 ± 0.54 at tosses=10 to 26.67 ± 0.54 at tosses=40.
}
