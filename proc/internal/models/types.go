package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

//go:generate go run github.com/ross-go/ross/cmd/rossproc

// Banks returns the type of n banks.
func Banks(n int) ross.Type[Bank] {
	return proc.Type(ross.Type[Bank]{LPs: n, Init: (*Bank).init})
}
