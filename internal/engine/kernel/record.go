// This file owns the records of a history: their tags, their lengths, and the way from one to the next. What undoing
// and committing a record means is in package timewarp, records.go.

package kernel

// Tags of records. A record ends with a word whose top byte is its tag. The list says what the
// other bits mean, and which words, if any, come before that one.
const (
	TagChild    = iota + 1 // an event was sent to this PE: its index
	TagRemote              // an event was sent to another PE: its index or id there | PE << 32
	TagStream              // all streams of the LP before the change; the low bits are their number
	TagSave                // saved bytes: words, address; the low bits are the number of bytes
	TagDelta               // delta of the state: words; the low bits are its size in bytes
	TagMessage             // delta of the message, likewise
	TagBlock               // delta of the state in a block: address; the low bits are its size
	TagMsgBlock            // delta of the message in a block, likewise
	TagAlloc               // a block was allocated: address; the low bits are its size in bytes
	TagFree                // a block was freed, likewise
	TagSuspend             // the LP suspended itself
	TagHook                // the model called the GVT hook
	TagNote                // the newest of the KP's notes
	TagBeyond              // an event was sent past the end of the run: its delayKind
	TagUndo                // undo data: words; the low bits are the number of bytes
	TagTimer               // a slot of Timers was taken or given back: slotTaken and so on, and above that the slot
	TagStop                // the model stopped the run
	TagZeros               // bytes that were zero: address; the low bits are their number
	TagRecord              // a statistic recorded a word: that word; recording.go has what the low bits are
	TagStopAt              // the model ends the run later: LP.StopAt before that
	TagDraws               // for an exact trace: how many tie-breakers the event drew

	NumTags = iota + 1
)

// TagShift is the position of the tag in the last word of a record.
const TagShift = 56

// PayloadOf returns the last word of a record without its tag.
func PayloadOf(word uint64) uint64 { return word & (1<<TagShift - 1) }

// wordsOf returns the number of words in a record before the last one. what is the payload
// of that last word.
func wordsOf(tag, what uint64) int {
	switch tag {
	case TagStream:
		return int(what) * streamWords
	case TagSave:
		return int(what+7)/8 + 1
	case TagDelta, TagMessage, TagUndo:
		return int(what+7) / 8
	case TagBlock, TagMsgBlock, TagAlloc, TagFree, TagZeros, TagStopAt, TagRecord:
		return 1
	}
	return 0
}

// Cursor goes through the records of a group, the newest first.
type Cursor struct {
	Tag, What uint64 // of the record: its tag, and what its last word has besides

	buf      []uint64
	from, at int // the header of the group ends here; the record begins here
	end      int // and ends here
}

// Records returns a cursor before the records that the group at a word of the history has up to another word.
func (h *History) Records(group, end int) Cursor {
	return Cursor{buf: h.Buf, from: group + GroupWords, at: end}
}

// Group returns a cursor before the records of the group at a word of the history.
func (h *History) Group(at int) Cursor { return h.Records(at, at+int(h.At(at).Size)) }

// Newest returns a cursor before the records of the newest group, whose event may still be running.
func (h *History) Newest() Cursor { return h.Records(h.Last, h.Head) }

// Next goes to the next record. It reports whether there is one.
func (c *Cursor) Next() bool {
	if c.at <= c.from {
		return false
	}
	word := c.buf[c.at-1]
	c.Tag, c.What, c.end = word>>TagShift, PayloadOf(word), c.at
	c.at -= 1 + wordsOf(c.Tag, c.What)
	return true
}

// Words returns the words of the record, the last one included.
func (c *Cursor) Words() []uint64 { return c.buf[c.at:c.end] }

// Address returns the word before the last one, in which records of memory have an address.
func (c *Cursor) Address() uint64 { return c.buf[c.end-2] }

// At returns which word of the history the record begins with.
func (c *Cursor) At() int { return c.at }
