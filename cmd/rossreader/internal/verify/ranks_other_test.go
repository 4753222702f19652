//go:build !linux

package verify

// hasRanks says that --ranks starts no processes here.
const hasRanks = false
