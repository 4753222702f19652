// This file owns what a process knows about its launcher before it is connected with the other
// ranks.

package ranks

import (
	"os"
	"strconv"
	"time"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/world"
)

// Environment variables that launchers of MPI programs set: those that show that there is a
// launcher, and those with the rank.
var (
	sizeNames = [...]string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}
	rankNames = [...]string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}
)

// Launcher returns the name of the environment variable that shows that an MPI launcher
// started the process, or "" if none did.
func Launcher() string {
	for _, name := range sizeNames {
		if os.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// Processes returns the number of processes that the launcher has started, 1 if the environment does not say.
func Processes() int {
	for _, name := range sizeNames {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && name != "PMIX_RANK" {
			return max(n, 1)
		}
	}
	return 1
}

// First reports whether the process is the first of those that a launcher started, or the only
// one, as far as this is known before MPI has started.
func First() bool {
	for _, name := range rankNames {
		if rank := os.Getenv(name); rank != "" {
			return rank == "0"
		}
	}
	return true
}

// AgreeOnUsage sends an error of the command line, with its exit status, to all ranks, which
// expect it in New.
func AgreeOnUsage(err error, code int) error {
	if !mpi.Enabled || Launcher() == "" || mpi.Started() {
		return err
	}
	w, cause := world.MPI(mpi.Serialized, nil)
	if cause != nil {
		return err
	}
	err = Agree(w, err, code)
	_ = w.Close()
	return err
}

// speech is how long the other ranks wait for the one that prints an error, if they cannot
// wait for it in Close: mpirun ends all ranks when the first one exits.
const speech = 300 * time.Millisecond

// YieldToReporter waits on the ranks that do not print the error, to give the one that does time for
// it.
func YieldToReporter(err error) {
	if !ShouldPrint(err) {
		time.Sleep(speech)
	}
}
