// This file owns the two provided mappings and the checks of every shape (numbers
// of PEs, KPs and LPs).

package mapping

import (
	"errors"
	"fmt"
	"math"
)

// ErrShape is wrapped by the errors about numbers of PEs, KPs and LPs: 0, or more
// than a 32-bit index can name. The user corrects them on the command line.
var ErrShape = errors.New("ross: mapping shape")

// NewLinear returns the mapping that gives PE 0 the first nlpPerPE gids, PE 1 the
// next, and so on; inside a PE the KPs 0, 1, ... get ceil(nlpPerPE/nkpPerPE)
// consecutive LPs each until there are no more (LINEAR in ROSS).
//
// Each number must be 1 to 4294967295, so that their products fit 64 bits;
// otherwise the error wraps ErrShape. More KPs than LPs are allowed.
func NewLinear(npe, nlpPerPE, nkpPerPE uint64) (*Map, error) {
	return newUniform(Linear, npe, nlpPerPE, nkpPerPE)
}

// NewRoundRobin returns the mapping that deals LPs out to PEs, and inside a PE to
// its KPs, one at a time in turn (ROUND_ROBIN in ROSS). Its numbers have the same
// ranges and errors as those of NewLinear.
func NewRoundRobin(npe, nlpPerPE, nkpPerPE uint64) (*Map, error) {
	return newUniform(RoundRobin, npe, nlpPerPE, nkpPerPE)
}

// NewEven returns the Linear or RoundRobin mapping of total LPs, which need not be a multiple of
// the number of PEs: the first total%npe PEs have one LP more than the others. If there are fewer
// LPs than PEs, the last PEs have none.
//
// total must be at least 1, and no PE may have more than 4294967295 LPs; npe and nkpPerPE have the
// ranges of NewLinear. Otherwise the error wraps ErrShape. So it does for another kind.
func NewEven(k Kind, npe, total, nkpPerPE uint64) (*Map, error) {
	if k != Linear && k != RoundRobin {
		return nil, fmt.Errorf("%w: a %v mapping: NewEven makes linear and round-robin mappings: use NewCustom", ErrShape, k)
	}
	if err := checkPEsKPs(npe, nkpPerPE); err != nil {
		return nil, err
	}
	if err := checkCount("--lps", "LPs on all PEs together", total, npe*math.MaxUint32); err != nil {
		return nil, err
	}
	m := &Map{
		kind: k, identity: npe == 1,
		npe: npe, nkp: nkpPerPE, nlp: total / npe, longer: total % npe, total: total,
	}
	if k == RoundRobin {
		m.div = newDivider(npe)
		return m, nil
	}
	m.longEnd = m.longer * (m.nlp + 1)
	m.div, m.longDiv = newDivider(max(m.nlp, 1)), newDivider(m.nlp+1)
	return m, nil
}

// newUniform returns the mapping that gives each PE the same number of LPs.
func newUniform(k Kind, npe, nlp, nkp uint64) (*Map, error) {
	if err := checkPEsKPs(npe, nkp); err != nil {
		return nil, err
	}
	if err := checkCount("--nlp", "LPs per PE", nlp, math.MaxUint32); err != nil {
		return nil, err
	}
	return NewEven(k, npe, npe*nlp, nkp)
}

func checkPEsKPs(npe, nkp uint64) error {
	if err := checkCount("--pes", "PEs", npe, math.MaxUint32); err != nil {
		return err
	}
	return checkCount("--nkp", "KPs per PE", nkp, math.MaxUint32)
}

// checkCount bounds each factor to 32 bits, so that no product of two overflows.
func checkCount(name, of string, n, most uint64) error {
	if n == 0 || n > most {
		return fmt.Errorf("%w: %s=%d: give 1 to %d %s", ErrShape, name, n, most, of)
	}
	return nil
}

// linearKP is the KP of an LP in a PE that fills its KPs one after the other.
func linearKP(local, nlp, nkp uint64) uint64 {
	perKP := (nlp + nkp - 1) / nkp
	return local / perKP
}
