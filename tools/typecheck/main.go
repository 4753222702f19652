// Command typecheck reports what would not compile on another system, without compiling anything: all
// packages are read and type-checked from their sources, those of the standard library too, which
// takes a tenth of the time. FOLDER is that of the module:
//
//	typecheck FOLDER OS TAGS PACKAGE...
package main

import (
	"fmt"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: typecheck FOLDER OS TAGS PACKAGE...")
		return 2
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:        args[0],
		Env:        append(os.Environ(), "GOOS="+args[1], "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=" + args[2]},
		Tests:      true,
	}, args[3:]...)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "typecheck:", err)
		return 1
	case len(all) == 0:
		fmt.Fprintln(os.Stderr, "typecheck: no packages")
		return 1
	case packages.PrintErrors(all) > 0:
		return 1
	}
	return 0
}
