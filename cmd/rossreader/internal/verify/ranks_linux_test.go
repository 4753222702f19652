package verify

// hasRanks says that --ranks starts processes here.
const hasRanks = true
