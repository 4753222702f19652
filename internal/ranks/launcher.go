// This file owns what a process knows of the launcher that has started it, before a world
// connects it with the other ranks.

package ranks

import (
	"os"
	"time"

	"github.com/ross-go/ross/internal/mpi"
	"github.com/ross-go/ross/internal/world"
)

// Launchers of MPI programs tell their processes how many they are, and which.
var (
	sizeNames = [...]string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}
	rankNames = [...]string{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}
)

// Launcher returns the name of what shows that a launcher of MPI has started the
// process, "" if none has.
func Launcher() string {
	for _, name := range sizeNames {
		if os.Getenv(name) != "" {
			return name
		}
	}
	return ""
}

// First reports whether the process is the first of those that a launcher has started,
// or the only one, as far as can be told before MPI has started.
func First() bool {
	for _, name := range rankNames {
		if rank := os.Getenv(name); rank != "" {
			return rank == "0"
		}
	}
	return true
}

// AgreeOnUsage makes an error of the command line, with an exit status, that of all ranks,
// which expect it in New.
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

// speech is how long the others wait for the rank that tells an error, when they cannot
// wait for it in Close: mpirun ends all when the first one exits.
const speech = 300 * time.Millisecond

// LetSpeak gives the rank that prints an error the time to do so, on the others.
func LetSpeak(err error) {
	if !Speaks(err) {
		time.Sleep(speech)
	}
}
