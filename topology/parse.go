// This file owns the texts of networks, for command lines.

package topology

import (
	"slices"
	"strconv"
	"strings"
)

// format is a kind of network in a text: what its numbers are, and how it is made.
type format struct {
	Name, Numbers string
	count         int // numbers behind the colon
	lengths       bool
	make          func(lengths, n []int) (Network, error)
}

var formats = []format{
	{"torus", "LxLx..,TERMINALS", 1, true, func(l, n []int) (Network, error) { return network(NewTorus(l, n[0])) }},
	{"mesh", "LxLx..,TERMINALS", 1, true, func(l, n []int) (Network, error) { return network(NewMesh(l, n[0])) }},
	{"hypercube", "DIMENSIONS,TERMINALS", 2, false, func(_, n []int) (Network, error) { return network(NewHypercube(n[0], n[1])) }},
	{"dragonfly", "ROUTERS,GLOBAL,TERMINALS", 3, false, func(_, n []int) (Network, error) { return network(NewDragonfly(n[0], n[1], n[2])) }},
	{"dragonfly+", "LEAVES,SPINES,GLOBAL,TERMINALS", 4, false, func(_, n []int) (Network, error) { return network(NewDragonflyPlus(n[0], n[1], n[2], n[3])) }},
	{"tree", "K,LEVELS", 2, false, func(_, n []int) (Network, error) { return network(NewTree(n[0], n[1])) }},
	{"slimfly", "Q,TERMINALS", 2, false, func(_, n []int) (Network, error) { return network(NewSlimFly(n[0], n[1])) }},
}

// network makes an interface of a network, which is nil after an error.
func network[N Network](n N, err error) (Network, error) {
	if err != nil {
		return nil, err
	}
	return n, nil
}

// Formats returns what [Parse] reads, such as "torus:LxLx..,TERMINALS".
func Formats() []string {
	var all []string
	for _, s := range formats {
		all = append(all, s.Name+":"+s.Numbers)
	}
	return all
}

// Parse returns the network of a text, such as torus:8x8x8,1 or dragonfly:8,4,4: its name, and the arguments of
// the function that makes it, see [Formats].
func Parse(text string) (Network, error) {
	name, rest, _ := strings.Cut(text, ":")
	i := slices.IndexFunc(formats, func(s format) bool { return s.Name == name })
	if i < 0 {
		return nil, shapeError("%q: give one of %s", text, strings.Join(Formats(), ", "))
	}
	s := formats[i]
	misfit := shapeError("%q: give %s:%s", text, s.Name, s.Numbers)
	words := strings.Split(rest, ",")
	var lengths, numbers []int
	if s.lengths {
		for word := range strings.SplitSeq(words[0], "x") {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, misfit
			}
			lengths = append(lengths, n)
		}
		words = words[1:]
	}
	for _, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, misfit
		}
		numbers = append(numbers, n)
	}
	if len(numbers) != s.count {
		return nil, misfit
	}
	return s.make(lengths, numbers)
}
