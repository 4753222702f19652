// This file owns --result: results that are computed from others.

package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/internal/sys/usage"
	"github.com/ross-go/ross/program/cmdline"
	"github.com/ross-go/ross/program/parts/experiment"
)

// formula is a result that is computed from others.
type formula struct {
	name, text string
	of         []string // the names of the others
	program    *vm.Program
}

// operands finds the results in a formula: identifiers, and names in quotes.
type operands struct{ names []string }

// Visit implements ast.Visitor.
func (o *operands) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok { // visited before, as an operand
			if i := slices.Index(o.names, callee.Value); i >= 0 {
				o.names = slices.Delete(o.names, i, i+1)
			}
		}
	case *ast.IdentifierNode:
		o.names = append(o.names, n.Value)
	case *ast.StringNode:
		o.names = append(o.names, n.Value)
		ast.Patch(node, &ast.MemberNode{Node: &ast.IdentifierNode{Value: "$env"}, Property: &ast.StringNode{Value: n.Value}})
	}
}

// functions are those of package math that formulas have besides the library's own, such as min and abs.
var functions = map[string]func(float64) float64{"sqrt": math.Sqrt, "exp": math.Exp, "log": math.Log}

// addFormula reads a value of --result.
func (s *study) addFormula(text string) error {
	name, body, given := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !given || name == "" || strings.ContainsAny(name, `,"`) {
		return fmt.Errorf(`no formula; give a name and how it is computed, such as cost=3*busy+"waiting time"`)
	}
	if slices.ContainsFunc(s.formulas, func(f formula) bool { return f.name == name }) {
		return fmt.Errorf("%s is computed twice; give another name", name)
	}
	wrong := func(err error) error {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return fmt.Errorf("%s; give an expression of results, whose names stand in double quotes if they have other "+
			"characters than letters and digits", first)
	}
	tree, err := parser.Parse(body)
	if err != nil {
		return wrong(err)
	}
	var o operands
	ast.Walk(&tree.Node, &o)
	slices.Sort(o.names)
	o.names = slices.Compact(o.names)
	known := map[string]float64{}
	for _, name := range o.names {
		known[name] = 0
	}
	options := []expr.Option{expr.Env(known), expr.AsFloat64(), expr.Patch(&operands{})}
	for name, f := range functions {
		options = append(options, expr.Function(name, func(args ...any) (any, error) { return f(number(args[0])), nil },
			new(func(float64) float64), new(func(int) float64)))
	}
	program, err := expr.Compile(body, options...)
	if err != nil {
		return wrong(err)
	}
	s.formulas = append(s.formulas, formula{name, text, o.names, program})
	return nil
}

// number returns an operand of a function.
func number(x any) float64 {
	if i, ok := x.(int); ok {
		return float64(i)
	}
	return x.(float64)
}

// compute adds the results that are computed, in the order of the options, so that one may use those before it, and
// options of the run that are numbers. It is NaN if one of the results that it needs has no number in this run.
func (s *study) compute(r experiment.Responses, options *ross.Options) error {
	for _, f := range s.formulas {
		if _, is := r[f.name]; is {
			return resultError{usage.Errorf("option --result=%s: the model has a result of this name; give another name",
				cmdline.Quote(f.text))}
		}
		missing, values := false, map[string]float64(maps.Clone(r))
		for _, name := range f.of {
			x, known := r[name]
			if !known {
				x, known = numberOf(options, name)
			}
			if values[name] = x; !known {
				return resultError{usage.Errorf("option --result=%s: %s is neither a result nor an option that is a number; %sgive those of %s, in double quotes "+
					"if they have other characters than letters and digits", cmdline.Quote(f.text), cmdline.Quote(name),
					meant(name, slices.Sorted(maps.Keys(r))), strings.Join(slices.Sorted(maps.Keys(r)), ", "))}
			}
			missing = missing || x != x
		}
		r[f.name] = math.NaN()
		if missing {
			continue
		}
		x, err := expr.Run(f.program, values)
		if err != nil {
			return resultError{usage.Errorf("option --result=%s: %v", cmdline.Quote(f.text), err)}
		}
		r[f.name] = x.(float64)
	}
	return nil
}

// numberOf returns the value of an option, if that is a number.
func numberOf(options *ross.Options, name string) (x float64, is bool) {
	text, known := options.Value(name)
	x, err := strconv.ParseFloat(text, 64)
	return x, known && err == nil
}

// meant asks whether a known name was meant, or returns "".
func meant(name string, known []string) string {
	best := ""
	least := min(len(name)/2, 3) + 1
	for _, k := range known {
		if d := usage.Distance(name, k, least); d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", cmdline.Quote(best))
}
