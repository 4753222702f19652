// This file owns the text of Config.Quantiles.

package ross

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ross-go/ross/internal/statistic"
)

// parseQuantiles reads the value of --quantiles.
func parseQuantiles(text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	all, err := statistic.ParseQuantiles(text, ",")
	if err != nil {
		return nil, fmt.Errorf("give %w", err)
	}
	return all, nil
}

// formatQuantiles returns quantiles as parseQuantiles reads them.
func formatQuantiles(all []float64) string {
	var texts []string
	for _, q := range all {
		texts = append(texts, strconv.FormatFloat(q, 'g', -1, 64))
	}
	return strings.Join(texts, ",")
}

// quantilesError returns what is wrong with quantiles.
func quantilesError(all []float64) error {
	_, err := statistic.Quantiles(all)
	return err
}
