// Package held asks fields of states what they hold, in the words of a modeller: the processes of package proc. A state
// has them as bytes in containers, which say nothing to anybody.
//
//	--watch                bank.go:34: Bank.customer #17 sleeps
//	--synch=4, --synch=6   needs of Bank.customer #17 at bank.go:34
//	the end of a run       what is left, and what will be left for ever
//
// A field takes part if its type has the methods of Holder.
package held
