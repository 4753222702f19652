// This file is the package documentation: what a simulation program consists of.

// Package program makes a program of a model: a command line with the options of the model, of
// the engine and of its parts, such as the live view; a run that a signal stops; errors on standard error; and
// the exit status. A model adds its own options, and functions that build the simulation and use its
// results:
//
//	func main() {
//		cfg := ross.DefaultConfig()
//		cfg.LPs, cfg.End = stations, 100
//		bikes := program.Program{
//			Name:   "bikes",
//			Config: cfg,
//			Build:  func(sim *ross.Simulation) error { return sim.Define(station) },
//			Finish: func(sim *ross.Simulation) error { return printLost(sim) },
//		}
//		os.Exit(bikes.Main(os.Args[1:], os.Stdout, os.Stderr))
//	}
//
// The example has options of its own, too. The programs in the folder models are longer ones.
//
// # What happens, in order
//
//  1. Options registers the options of the model. Main adds those of the engine
//     (ross.Config.Register) and of the program's parts, and reads the command line. --help, --version, and errors in
//     the command line end the program here; with package parts also --man and --completion=bash (or zsh, fish: a
//     script that the shell reads).
//  2. Prepare checks the model's options, and sets what follows from them in the configuration.
//     A part may then do something else than one run, such as a study of many (package program/parts/study).
//  3. ross.New checks the configuration and prints the head of the report.
//  4. Build defines the LPs. It can ask the simulation how many there are, and load a checkpoint.
//  5. The run, and what parts show of it: a progress bar and a server, if the command line asks for them. After Ctrl-C
//     or SIGTERM it stops at the next GVT and the report says what it has committed.
//  6. Finish, if the run has reached its end: it prints results or stores a checkpoint.
//
// In a run over MPI all of this happens on all ranks. Whatever they print to
// [ross.Simulation.Report] appears once, and so does an error.
//
// # Design
//
// This is a package of its own, above the engine: package ross is also used without a command line, as in tests and
// experiments. Package cmdline is below the engine, which registers its options there, and so it cannot run a
// simulation.
//
// What not every program needs is a [Part], which the program names: the server of package live and package cobra,
// which makes --completion, with all that they import, would be two thirds of a small program. So what a program weighs
// is decided by what it imports, and not by a build tag that its users would have to know. Package parts has them
// together.
//
// A program without parts has 8.5 MB. Its first build with an empty cache takes some 26 seconds of a processor on the
// virtual machine of bench/README.md: 10 for what any program that prints has, and 6 for more of the standard library,
// half of them for encoding/gob, encoding/json, math/big and SHA-256. The engine's C takes 2. Go of this module, the
// compression of checkpoints, and linking take 8. Later builds compile what has changed, and link.
//
// Main returns the status instead of ending the process, and gets the words and both writers, so a
// test can call it like any function. A program that needs another order of things, or several
// simulations, calls the public functions that Main calls: ross.NewOptions, ross.New,
// ross.WithSignals, live.Options.Run, ross.ShouldPrint and ross.ExitCode.
package program
