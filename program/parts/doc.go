// Package parts has what this module offers to a program besides its model: the live view (--progress, --http; see
// package live), the completion of options by a shell (--completion) and a manual page (--man).
//
//	os.Exit(program.Program{
//		Name:  "bikes",
//		Parts: parts.All(),
//		// Config, Build
//	}.Main(os.Args[1:], os.Stdout, os.Stderr))
//
// It is a package of its own because of its weight: a program that does not import it links neither a server nor
// libraries for metrics and command lines. The models of this module have all parts.
package parts
