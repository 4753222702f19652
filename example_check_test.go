// The example of the rollback check: a Reverse handler that forgets a field, and
// what --synch=6 says of it.

package ross_test

import (
	"context"
	"fmt"

	"github.com/ross-go/ross"
)

// Account is the state of a bank account, Deposit what it receives.
type (
	Account struct{ Balance, Deposits int64 }
	Deposit struct{ Amount int64 }
)

func (a *Account) Init(lp *ross.LP) { ross.Send(lp, lp.ID(), 1.5, Deposit{Amount: 100}) }

func (a *Account) Event(_ *ross.LP, d *Deposit) {
	a.Balance += d.Amount
	a.Deposits++
}

func (a *Account) Reverse(_ *ross.LP, d *Deposit) { a.Balance -= d.Amount }

func ExampleErrReverse() {
	bank := ross.Type[Account]{
		Name: "bank", Init: (*Account).Init, Event: ross.On((*Account).Event).Reverse((*Account).Reverse),
	}
	cfg := ross.DefaultConfig()
	cfg.NLP, cfg.Synch = 1, 6
	sim, err := ross.New(cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sim.Close()
	if err := sim.Define(bank); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sim.Run(context.Background()))
	// Output:
	// ross: LP 0 (bank) at time 1.5: Reverse of the event that LP 0 sent at time 0 left Account.Deposits at 1, it was 0 before: bad rollback: undo in Reverse all that Event did to the state and the message
}
