// This file owns what is measured.

package main

// comparison is two command lines of a program that are compared.
type comparison struct {
	name    string
	program string // its package, below the module
	args    string // of both
	a, b    string // of one
	spins   bool   // while a process computes on the first processor
}

const (
	off = "--balance=off"
	on  = "--balance=on"

	hot   = "bench/balance/hot"
	phold = "models/phold"
	// As in the table of Time Warp in bench/README.md.
	pholdA = "--remote=0.25 --mean=1 --lookahead=0.1 --start-events=1"
	pholdB = "--remote=0.1 --mean=1 --lookahead=0.1 --start-events=16"
)

// comparisons returns all of them.
func comparisons() (all []comparison) {
	add := func(name, program, args string) {
		all = append(all, comparison{name: name, program: program, args: args, a: off, b: on})
	}
	for _, s := range []struct{ name, synch string }{{"optimistic", "--synch=3 "}, {"conservative", "--synch=2 "}} {
		add("hot, 2 PEs, "+s.name, hot, s.synch+"--pes=2 --nlp=2048 --end=800")
		add("hot, 4 PEs, "+s.name, hot, s.synch+"--pes=4 --nlp=1024 --part=0.25 --end=800")
		add("hot spot wanders, 2 PEs, "+s.name, hot, s.synch+"--pes=2 --nlp=2048 --part=0.25 --wander=200 --end=1600")
		add("even PHOLD A, 2 PEs, "+s.name, phold, s.synch+pholdA+" --pes=2 --nlp=4096 --end=6000")
		add("even PHOLD B, 2 PEs, "+s.name, phold, s.synch+pholdB+" --pes=2 --nlp=512 --end=3200")
		for _, n := range []string{"4", "8", "16"} {
			add("even PHOLD B, "+n+" PEs, "+s.name, phold, s.synch+pholdB+" --end=1600 --pes="+n+" --nlp="+map[string]string{"4": "256", "8": "128", "16": "64"}[n])
		}
	}
	add("airport, 2 PEs, optimistic", "models/airport", "--synch=3 --pes=2 --end=150000")
	add("traffic, 2 PEs, optimistic", "models/traffic", "--synch=3 --pes=2 --end=3000")
	net := "--shape=dragonfly:8,4,4 --jobs=uniform:32 --nkp=256 --load=0.5 --pes=2 --end=2000000 "
	add("dragonfly with one hot group, 2 PEs, optimistic", "models/network", "--synch=3 "+net)
	add("dragonfly with one hot group, 2 PEs, conservative", "models/network", "--synch=2 "+net)
	for _, s := range []struct{ name, synch string }{{"optimistic", "--synch=3"}, {"conservative", "--synch=2"}} {
		base := pholdB + " --end=4800"
		all = append(all,
			comparison{"PHOLD B and a spinning process, " + s.name + ": sequential, off", phold, base, "--synch=1 --nlp=1024", s.synch + " --pes=2 --nlp=512 " + off, true},
			comparison{"PHOLD B and a spinning process, " + s.name + ": sequential, on", phold, base, "--synch=1 --nlp=1024", s.synch + " --pes=2 --nlp=512 " + on, true})
	}
	return all
}
