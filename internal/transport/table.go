// Tables of peers, of which most are never met.

package transport

// pagePeers is the number of peers of a page.
const pagePeers = 64

// Table has a pointer for each of many peers. It takes an eighth of a byte for each of them, and 512
// bytes for each 64 neighbours of which at least one is set.
type Table[T any] struct{ pages []*[pagePeers]*T }

// NewTable makes a table for n peers, none of which is set.
func NewTable[T any](n uint64) Table[T] {
	return Table[T]{make([]*[pagePeers]*T, (n+pagePeers-1)/pagePeers)}
}

// At returns the pointer for a peer, nil before it is set.
func (t *Table[T]) At(peer uint32) *T {
	if page := t.pages[peer/pagePeers]; page != nil {
		return page[peer%pagePeers]
	}
	return nil
}

// Set sets the pointer for a peer.
func (t *Table[T]) Set(peer uint32, p *T) {
	page := &t.pages[peer/pagePeers]
	if *page == nil {
		*page = new([pagePeers]*T)
	}
	(*page)[peer%pagePeers] = p
}

// All calls yield for each peer that is set, in the order of peers, until it returns false.
func (t *Table[T]) All(yield func(peer uint32, p *T) bool) {
	for i, page := range t.pages {
		if page == nil {
			continue
		}
		for j, p := range page {
			if p != nil && !yield(uint32(i*pagePeers+j), p) {
				return
			}
		}
	}
}
