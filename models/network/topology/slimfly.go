// This file owns the slim fly.

package topology

// SlimFly is a slim fly (Besta and Hoefler, "Slim Fly: a cost effective low-diameter network topology",
// SC 2014): a graph of McKay, Miller and Siran with 2q^2 routers and diameter 2, for a prime q above
// 2. A router is (side, row, column), numbered side*q^2 + row*q + column; all numbers below are
// modulo q. Routers of a row are joined if their columns differ by a generator of their side, and (0,
// x, y) with (1, m, y-m*x). Ports are first those within the row, which are Local, then one to each
// row of the other side, which are Global.
type SlimFly struct {
	shape
	q    int
	sets [2][]int16 // generators by side
	port [2][]int16 // by difference of columns: the port, -1: none
}

// NewSlimFly returns a slim fly for a prime q of 3 to 8191.
func NewSlimFly(q, terminals int) (*SlimFly, error) {
	if q < 3 || q > 8191 || !isPrime(q) {
		return nil, shapeError("slim fly for q = %d: must be a prime of 3 to 8191", q)
	}
	s, err := newShape(2*q*q, terminals)
	if err != nil {
		return nil, err
	}
	f := &SlimFly{shape: s, q: q}
	f.generate()
	for side := range f.port {
		f.port[side] = make([]int16, q)
		for i := range f.port[side] {
			f.port[side][i] = -1
		}
		for i, g := range f.sets[side] {
			f.port[side][g] = int16(i)
		}
	}
	return f, nil
}

func isPrime(q int) bool {
	for d := 2; d*d <= q; d++ {
		if q%d == 0 {
			return false
		}
	}
	return true
}

// primitiveRoot returns a number whose powers are all numbers modulo a prime but 0.
func primitiveRoot(q int) int {
	for g := 2; ; g++ {
		power, order := g, 1
		for power != 1 {
			power = power * g % q
			order++
		}
		if order == q-1 {
			return g
		}
	}
}

// generate makes the generators of both sides: powers of a primitive root, every other one. If q is
// 4w-1, the odd ones among them begin at 2w-1, since then the negative of an even power is an odd one.
func (f *SlimFly) generate() {
	root := primitiveRoot(f.q)
	powers := []int16{1}
	for len(powers) < f.q-1 {
		powers = append(powers, int16(int(powers[len(powers)-1])*root%f.q))
	}
	for side := range f.sets {
		add := func(from, to int) {
			for i := from; i <= to; i += 2 {
				f.sets[side] = append(f.sets[side], powers[i%len(powers)])
			}
		}
		if f.q%4 == 1 {
			add(side, f.q-2)
		} else {
			w := (f.q + 1) / 4
			add(side, 2*w-2+side)
			add(2*w-1+side, 4*w-3+side)
		}
	}
}

// Q returns the prime q.
func (f *SlimFly) Q() int { return f.q }

// own returns the number of ports of a router to others of its row.
func (f *SlimFly) own() int { return len(f.sets[0]) }

// Ports implements [Network]: (3q-1)/2 if q is 4w+1, (3q+1)/2 if it is 4w-1.
func (f *SlimFly) Ports(int) int { return f.own() + f.q }

// at returns side, row and column of a router.
func (f *SlimFly) at(router int) (side, row, column int) {
	return router / (f.q * f.q), router / f.q % f.q, router % f.q
}

// Link implements [Network]: links are Local or Global.
func (f *SlimFly) Link(router, port int) (other, otherPort int, class Class) {
	side, row, column := f.at(router)
	q := f.q
	if port < f.own() {
		g := int(f.sets[side][port])
		return router - column + (column+g)%q, int(f.port[side][q-g]), Local
	}
	to := port - f.own() // a row of the other side
	column += row * to * (2*side - 1)
	column = (column%q + q) % q
	return (1-side)*q*q + to*q + column, f.own() + row, Global
}

// portTo returns the port that leads from one router to another, or -1.
func (f *SlimFly) portTo(a, b int) int {
	side, row, column := f.at(a)
	toSide, toRow, toColumn := f.at(b)
	switch {
	case side != toSide:
		if other, _, _ := f.Link(a, f.own()+toRow); other == b {
			return f.own() + toRow
		}
	case row == toRow:
		return int(f.port[side][(toColumn-column+f.q)%f.q])
	}
	return -1
}

// Distance implements [Network].
func (f *SlimFly) Distance(a, b int) int {
	switch {
	case a == b:
		return 0
	case f.portTo(a, b) >= 0:
		return 1
	}
	return 2
}

// Diameter implements [Network].
func (f *SlimFly) Diameter() int { return 2 }

// Bisection returns the number of links between two halves of whole rows: (q+1)/2 rows of one side with
// (q-1)/2 of the other. These are (q^3+q)/2 links. No halves have fewer than q^3/2 links between them,
// since q is the second least eigenvalue of the Laplacian (Mohar, "The Laplacian spectrum of graphs",
// Graph Theory, Combinatorics, and Applications 2, Wiley 1991).
func (f *SlimFly) Bisection() int { return (f.q*f.q + 1) / 2 * f.q }

// Minimal implements [Network]. It looks at each port for one that leads next to the destination.
func (f *SlimFly) Minimal(at, to int) int {
	if at == to {
		return -1
	}
	if port := f.portTo(at, to); port >= 0 {
		return port
	}
	for port := range f.Ports(at) {
		if other, _, _ := f.Link(at, port); f.portTo(other, to) >= 0 {
			return port
		}
	}
	return -1 // impossible: the diameter is 2
}
