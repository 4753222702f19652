package bank

import (
	"testing"

	"github.com/ross-go/ross/modeltest"
	"github.com/ross-go/ross/proc/proctest"
)

func TestBank(t *testing.T) {
	proctest.Run(t, modeltest.Model{Program: Program, Args: "--lps=4 --end=300"})
}
