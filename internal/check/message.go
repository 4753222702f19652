// This file owns the copies of messages with which the check compares them.

package check

import (
	"github.com/ross-go/ross/internal/deep"
	"github.com/ross-go/ross/internal/kernel"
)

// copierOf returns what compares messages, or nil if the model does not know of them. The number
// of a timer, behind the message, depends on nothing but the LP, and is not compared.
func copierOf(m *kernel.Message) *deep.Copier {
	if m.To.Hidden {
		return nil
	}
	return deep.NewCopier(m.Go)
}
