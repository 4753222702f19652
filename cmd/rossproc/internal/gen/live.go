// This file owns liveness: which variables are needed after which wait, and so belong into the frame.

package gen

// live removes what is never reached, and decides where each variable is.
func (l *lowerer) live() {
	l.prune()
	at := map[*label]int{}
	for i := range l.list {
		if l.list[i].op == opLabel {
			at[l.list[i].label] = i
		}
	}
	in := make([]map[*variable]bool, len(l.list)+1)
	for i := range in {
		in[i] = map[*variable]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(l.list) - 1; i >= 0; i-- {
			x := &l.list[i]
			need := map[*variable]bool{}
			for _, next := range l.next(i, at) {
				for v := range in[next] {
					need[v] = true
				}
			}
			for _, p := range x.text {
				if p.v != nil && p.def {
					delete(need, p.v)
				}
			}
			for _, p := range x.text {
				if p.v != nil && !p.def {
					need[p.v] = true
				}
			}
			if len(need) != len(in[i]) {
				in[i], changed = need, true
			}
		}
	}
	l.entry = in[0]
	for i := range l.list {
		x := &l.list[i]
		for _, p := range x.text {
			if p.v != nil {
				p.v.used = true
			}
		}
		if x.op != opSuspend {
			continue
		}
		x.needs = nil
		for _, v := range l.all {
			if !in[i+1][v] && !(x.stays && in[i][v]) || v.typ == nil {
				continue
			}
			l.keep(v, x)
			if v.state || v.origin != nil {
				x.needs = append(x.needs, v)
			}
		}
	}
	for _, v := range l.all {
		if v.taken && v.used && !v.state && notPlain(v.typ) == "" {
			v.frame = true
		}
		if v.param {
			v.frame = true
		}
	}
	for i := range l.list {
		if l.list[i].ends {
			l.blank(i, in, at)
		}
	}
	l.dropOrigins()
}

// blank drops what the end of a wait assigns to variables that nobody reads after it: linters would report it at the
// line of the source, where it may well be read, by a process that is called.
func (l *lowerer) blank(i int, in []map[*variable]bool, at map[*label]int) {
	for k := range l.list[i].text {
		p := &l.list[i].text[k]
		if p.v == nil || !p.def || p.v.frame || p.v.taken {
			continue
		}
		read := false
		for _, next := range l.next(i, at) {
			read = read || in[next][p.v]
		}
		if !read {
			p.v, p.s = nil, "_"
		}
	}
}

// keep has a variable stay over a wait.
func (l *lowerer) keep(v *variable, x *instr) {
	switch what := notPlain(v.typ); {
	case v.state && x.travel:
		l.refuse(x.pos, "%s is the state of the LP that the process leaves here (%s), and is used after that: "+
			"take what is needed along in variables", v.name, x.what)
	case v.origin != nil:
		v.origin.frame = v.origin.frame || x.travel
	case v.state:
	case what != "":
		l.refuse(x.pos, "%s (declared at line %d) is %s, and is used after this wait (%s): get it again after the wait, "+
			"or keep an index or a number instead", v.name, l.g.Fset.Position(v.pos).Line, what, x.what)
	default:
		v.frame = true
	}
}

// next returns the instructions that may follow one.
func (l *lowerer) next(i int, at map[*label]int) (all []int) {
	x := &l.list[i]
	switch x.op {
	case opJump:
		return []int{at[x.label]}
	case opExit:
		return nil
	case opUnless:
		all = append(all, at[x.label])
	}
	for _, j := range x.jumps {
		all = append(all, at[j])
	}
	if i+1 < len(l.list) {
		all = append(all, i+1)
	}
	return all
}

// prune removes instructions that are never reached, and jumps to what comes next.
func (l *lowerer) prune() {
	for changed := true; changed; {
		changed = false
		at := map[*label]int{}
		for i := range l.list {
			if l.list[i].op == opLabel {
				at[l.list[i].label] = i
			}
		}
		reached := make([]bool, len(l.list))
		todo := []int{0}
		for len(todo) > 0 {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if i < len(l.list) && !reached[i] {
				reached[i] = true
				todo = append(todo, l.next(i, at)...)
			}
		}
		used := map[*label]bool{}
		var kept []instr
		for i := range l.list {
			x := l.list[i]
			if !reached[i] {
				changed = true
				continue
			}
			if x.op == opJump && i+1 < len(l.list) && l.list[i+1].op == opLabel && l.list[i+1].label == x.label {
				changed = true
				continue
			}
			if x.label != nil && x.op != opLabel {
				used[x.label] = true
			}
			for _, j := range x.jumps {
				used[j] = true
			}
			kept = append(kept, x)
		}
		l.list = kept[:0]
		for _, x := range kept {
			if x.op == opLabel && !used[x.label] {
				changed = true
				continue
			}
			l.list = append(l.list, x)
		}
	}
}
