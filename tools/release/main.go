// This file owns the program: its commands, and how they are called.

// Command release does what tools/release.sh leaves to Go:
//
//	release turn VERSION DATE FOLDER    write the texts of the repository in FOLDER as those of a release
//	release look VERSION FOLDER         print what is in the way of a release, and fail if anything is
//	release proxy VERSION REPOSITORY PROXY DIR...
//	                                    write the modules of the folders, as tagged, into a module proxy of files
//	release pack FOLDER FILE            write the files of a folder into an archive, without their times
package main

import (
	"fmt"
	"io"
	"os"
)

const usage = "usage: release turn VERSION DATE FOLDER | look VERSION FOLDER | proxy VERSION REPOSITORY PROXY DIR... | " +
	"pack FOLDER FILE"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit status of the program.
func run(args []string, out, messages io.Writer) int {
	if len(args) == 0 {
		args = []string{""}
	}
	var err error
	switch command, rest := args[0], args[1:]; {
	case command == "turn" && len(rest) == 3:
		err = turn(rest[0], rest[1], rest[2])
	case command == "look" && len(rest) == 2:
		var found []string
		if found, err = look(rest[0], rest[1]); err == nil && len(found) > 0 {
			for _, one := range found {
				fmt.Fprintln(out, one)
			}
			return 1
		}
	case command == "proxy" && len(rest) > 3:
		for _, folder := range rest[3:] {
			if err = publish(rest[0], rest[1], rest[2], folder); err != nil {
				break
			}
		}
	case command == "pack" && len(rest) == 2:
		err = pack(rest[0], rest[1])
	default:
		fmt.Fprintln(messages, usage)
		return 2
	}
	if err != nil {
		fmt.Fprintln(messages, "release: error:", err)
		return 1
	}
	return 0
}
