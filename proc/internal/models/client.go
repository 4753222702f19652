package models

import (
	"github.com/ross-go/ross"
	"github.com/ross-go/ross/proc"
)

// Job is a message of servers in C, with the layout that it has there.
type Job struct {
	Work, Was float64
	From      uint32
	Hops      uint16
	Kind      uint8
}

// Client has a process that sends jobs to servers, which may be of C, and waits for each.
type Client struct {
	proc.Processes
	Answers   proc.Mailbox[Job]
	Sent, Got int64
	Sum       float64
}

// asks sends a job, of a kind, to one of the servers, which are the LPs from first to last.
func (c *Client) asks(p *proc.Self, kind uint8, first, last int64) {
	for {
		p.Sleep(0.1 + p.RNG().Exponential(0.4))
		to := ross.LPID(p.RNG().Integer(first, last))
		ross.Send(p.LP(), to, 0.1, Job{Work: 1 + p.RNG().Unif(), From: uint32(p.LP().ID()), Kind: kind})
		c.Sent++
		job, ok := c.Answers.ReceiveWithin(p, 3)
		if ok {
			c.Got++
			c.Sum += job.Work * float64(job.Hops+1)
		}
	}
}

// Clients returns a type of n LPs, each with two processes that ask servers for work of a kind.
func Clients(n int, kind uint8, first, last int64) ross.LPType {
	return proc.Type(ross.Type[Client]{
		LPs: n,
		Init: func(c *Client, lp *ross.LP) {
			proc.Do(lp, c, func(p *proc.Self) {
				for range 2 {
					proc.Go3(p, (*Client).asks, kind, first, last)
				}
			})
		},
		Event: proc.Mail(func(c *Client) *proc.Mailbox[Job] { return &c.Answers }),
	})
}
