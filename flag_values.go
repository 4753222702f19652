// This file owns how flags of the engine read and write settings that are no plain numbers or texts.

package ross

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/ross-go/ross/cmdline"
)

// word and level keep package cmdline from taking a setting for a switch, and for a number with two decimals.
type (
	word  bool
	level float64
)

// either registers an option with two words: the setting is whether the second was given.
func either(g *Group, p *bool, name, help, no, yes string) {
	words := map[bool]string{false: no, true: yes}
	cmdline.Add(g, (*word)(p), name, "str", help, func(text string) (word, error) {
		if text != no && text != yes && text != "" {
			return false, fmt.Errorf("out of range; give %s or %s", no, yes)
		}
		return text == yes, nil
	}, func(x word) string { return words[bool(x)] })
	g.Choices(name, no, yes)
}

// onOff registers an option that is a number for ROSS, and here a switch; inverse says that the setting is true for 0.
func onOff(g *Group, p *bool, inverse bool, name, help string) {
	cmdline.Add(g, (*word)(p), name, "n", help, func(text string) (word, error) {
		n, err := cmdline.ParseInt(text)
		return word((n != 0) != inverse), err
	}, func(x word) string {
		if bool(x) != inverse {
			return "1"
		}
		return "0"
	})
}

// implementation registers an option that chooses between C and Go.
func implementation(g *Group, p *Implementation, name, help string) {
	cmdline.Add(g, p, name, "str", help, func(text string) (Implementation, error) {
		for i, name := range implementationNames {
			if text == name {
				return Implementation(i), nil
			}
		}
		return 0, errors.New("out of range; give c or go, or leave it out for the best there is")
	}, Implementation.String)
	g.Choices(name, "c", "go")
}

func parseForm(text string) (StatisticsForm, error) {
	const most = StatisticsInReport | StatisticsInFiles | StatisticsOfLPs
	n, err := cmdline.ParseInt(text)
	if err == nil && (n < 0 || n > int(most)) {
		err = fmt.Errorf("out of range; give 0 to %d", most)
	}
	return StatisticsForm(n), err
}

// The numbers of ROSS for ways to sample.
var samplingNumbers = [...]Sampling{0, SampleByGVT, SampleByRealTime, SampleByVirtualTime, SampleAll}

func parseSampling(text string) (Sampling, error) {
	n, err := cmdline.ParseInt(text)
	if err == nil && (n < 0 || n >= len(samplingNumbers)) {
		err = fmt.Errorf("out of range; give 0 to %d", len(samplingNumbers)-1)
	}
	if err != nil {
		return 0, err
	}
	return samplingNumbers[n], nil
}

// formatSampling returns the number of ROSS; two of the three ways have that of all.
func formatSampling(s Sampling) string {
	for n, of := range samplingNumbers {
		if s&^of == 0 {
			return strconv.Itoa(n)
		}
	}
	return strconv.Itoa(int(s))
}

// milliseconds returns a duration, or the longest there is.
func milliseconds(n uint64) time.Duration {
	return time.Duration(min(n, uint64(math.MaxInt64/time.Millisecond))) * time.Millisecond
}

func parseMilliseconds(text string) (time.Duration, error) {
	n, err := cmdline.ParseUint64(text)
	return milliseconds(n), err
}

func formatMilliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func parseSeconds(text string) (time.Duration, error) {
	x, err := cmdline.ParseFloat(text)
	if err == nil && !(x >= 0 && x <= maxIOInterval) {
		err = errors.New("out of range; give seconds, 0 or more, up to a billion")
	}
	return time.Duration(math.Ceil(x * float64(time.Second))), err
}

func formatSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) }

// parseMaxLookahead reads the virtual time of --max-opt-lookahead, whose default in ROSS is 2^64-1: no limit.
func parseMaxLookahead(text string) (level, error) {
	if n, err := cmdline.ParseUint64(text); err == nil && n == math.MaxUint64 {
		return level(math.Inf(1)), nil
	}
	x, err := cmdline.ParseFloat(text)
	if err == nil && !(x >= 0) {
		err = errors.New("out of range; give a virtual time of 0 or more")
	}
	return level(x), err
}

func formatMaxLookahead(x level) string {
	if math.IsInf(float64(x), 1) {
		return strconv.FormatUint(math.MaxUint64, 10)
	}
	return strconv.FormatFloat(float64(x), 'g', -1, 64)
}
