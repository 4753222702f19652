// The size of the loads under the race detector, which makes each event ten
// times as expensive.

//go:build race

package ross

const loadStart = 2 // events of an LP at the start
