// This file owns the texts of networks, for command lines.

package topology

import (
	"slices"
	"strconv"
	"strings"
)

// format is a kind of network in a text: what its numbers are, and how it is made. Each argument is a list of
// numbers; most have one.
type format struct {
	Name, Numbers string // in Numbers, lists are those with an x
	make          func(n [][]int) (Network, error)
}

var formats = []format{
	{"torus", "LxLx..,TERMINALS", func(n [][]int) (Network, error) { return network(NewTorus(n[0], n[1][0])) }},
	{"mesh", "LxLx..,TERMINALS", func(n [][]int) (Network, error) { return network(NewMesh(n[0], n[1][0])) }},
	{"hypercube", "DIMENSIONS,TERMINALS", func(n [][]int) (Network, error) {
		return network(NewHypercube(n[0][0], n[1][0]))
	}},
	{"dragonfly", "ROUTERS,GLOBAL,TERMINALS", func(n [][]int) (Network, error) {
		return network(NewDragonfly(n[0][0], n[1][0], n[2][0]))
	}},
	{"dragonfly+", "LEAVES,SPINES,GLOBAL,TERMINALS,GROUPS", func(n [][]int) (Network, error) {
		return network(NewDragonflyPlus(n[0][0], n[1][0], n[2][0], n[3][0], n[4][0]))
	}},
	{"tree", "K,LEVELS", func(n [][]int) (Network, error) { return network(NewTree(n[0][0], n[1][0])) }},
	{"fattree", "PORTS,LEVELS", func(n [][]int) (Network, error) { return network(NewFatTree(n[0][0], n[1][0])) }},
	{"xgft", "DOWNxDOWNx..,UPxUPx..", func(n [][]int) (Network, error) { return network(NewXGFT(n[0], n[1])) }},
	{"slimfly", "Q,TERMINALS", func(n [][]int) (Network, error) { return network(NewSlimFly(n[0][0], n[1][0])) }},
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

// Parse returns the network of a text, such as torus:8x8x8,1 or dragonfly:8,4,4: its name, and the
// arguments of the function that makes it, see [Formats].
func Parse(text string) (Network, error) {
	name, rest, _ := strings.Cut(text, ":")
	i := slices.IndexFunc(formats, func(f format) bool { return f.Name == name })
	if i < 0 {
		return nil, shapeError("%q: give one of %s", text, strings.Join(Formats(), ", "))
	}
	f := formats[i]
	numbers, ok := f.parse(rest)
	if !ok {
		return nil, shapeError("%q: give %s:%s", text, f.Name, f.Numbers)
	}
	return f.make(numbers)
}

// parse returns the numbers of a text behind the name, and whether it has those of the format.
func (f format) parse(text string) (numbers [][]int, ok bool) {
	arguments, wanted := strings.Split(text, ","), strings.Split(f.Numbers, ",")
	if len(arguments) != len(wanted) {
		return nil, false
	}
	for i, argument := range arguments {
		var list []int
		for word := range strings.SplitSeq(argument, "x") {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, false
			}
			list = append(list, n)
		}
		if len(list) > 1 && !strings.Contains(wanted[i], "x") {
			return nil, false
		}
		numbers = append(numbers, list)
	}
	return numbers, true
}
