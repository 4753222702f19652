// What a run of ranks is for: the same events, whatever computes them.

//go:build mpi && cgo && !purego

package mpitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/ross-go/ross/internal/mpi/session"
)

func Example() {
	phold := filepath.Join(bin, "phold")
	digest := func(words ...string) string {
		cmd := exec.Command(words[0], append(words[1:], "--lookahead=0.1", "--end=20", "--digest")...)
		cmd.Env = append(os.Environ(), session.In(bin)...)
		cmd.Dir = bin
		report, _ := cmd.Output() // without a digest in it the texts differ
		return regexp.MustCompile(`Committed Event Digest +\w+`).FindString(string(report))
	}
	one := digest(phold, "--synch=1", "--nlp=32")
	two := digest(append(mpirun(2), phold, "--synch=3", "--pes=2", "--nlp=8")...)
	fmt.Println(one != "", one == two)
	// Output: true true
}
