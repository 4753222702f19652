// This file owns the bytes of the manifest, .rio-md.

package rio

import "time"

// Bytes in the manifest of each row of a table, without its texts.
const (
	manifestHead = prologue + idSize + 8
	typeSize     = 2*8 + 4*4
	jobSize      = 4*8 + 3*4
	fileSize     = idSize + 8
	entrySize    = 2*4 + 5*8 + 4
)

const (
	flagSerialized = 1
	flagDigests    = 1
	flagCompressed = 1
)

func flag(set bool, bit uint32) uint32 {
	if set {
		return bit
	}
	return 0
}

// encode returns the bytes of the manifest.
func (m *manifest) encode() []byte {
	b := appendPrologue(make([]byte, 0, manifestHead+len(m.entries)*entrySize+len(m.settings)+4096), manifestMagic)
	b = append(b, m.id[:]...)
	b = order.AppendUint64(b, 0) // the size, set below
	b = order.AppendUint64(b, uint64(m.created.Unix()))
	b = order.AppendUint32(b, uint32(m.created.Nanosecond()))
	b = order.AppendUint32(b, m.streams)
	b = appendText(b, m.settings)
	b = order.AppendUint32(b, uint32(len(m.types)))
	for i := range m.types {
		t := &m.types[i]
		b = appendText(appendText(appendText(b, t.Name), t.State), t.Message)
		b = order.AppendUint64(order.AppendUint64(b, t.StateSize), t.MessageSize)
		b = order.AppendUint32(b, flag(t.Serialized, flagSerialized))
	}
	b = order.AppendUint32(b, uint32(len(m.jobs)))
	for i := range m.jobs {
		j := &m.jobs[i]
		b = order.AppendUint64(order.AppendUint64(b, j.LPs), j.Parts)
		b = appendF64(appendF64(b, j.Clock), j.End)
		b = order.AppendUint32(b, flag(j.Digests, flagDigests))
		b = appendText(appendText(b, j.Engine), j.Model)
	}
	b = order.AppendUint32(b, uint32(len(m.files)))
	for i := range m.files {
		b = append(b, m.files[i].id[:]...)
		b = order.AppendUint64(b, m.files[i].size)
	}
	b = order.AppendUint64(b, uint64(len(m.entries)))
	for i := range m.entries {
		b = appendEntry(b, &m.entries[i])
	}
	order.PutUint64(b[manifestHead-8:], uint64(len(b)+crcSize))
	return order.AppendUint32(b, checksum(b))
}

func appendEntry(b []byte, e *Entry) []byte {
	b = order.AppendUint32(b, e.File)
	b = order.AppendUint32(b, flag(e.Compressed, flagCompressed))
	for _, n := range [...]uint64{e.Offset, e.Size, e.Raw, e.LPs, e.Events} {
		b = order.AppendUint64(b, n)
	}
	return order.AppendUint32(b, e.CRC)
}

// checkManifestHead checks the head of a manifest of size bytes.
func checkManifestHead(file string, b []byte, size uint64) error {
	if err := checkPrologue(file, b, manifestMagic); err != nil {
		return err
	}
	if len(b) < manifestHead+crcSize {
		return damaged(file, size, "expected at least %d bytes, the file ends", manifestHead+crcSize)
	}
	if want := order.Uint64(b[manifestHead-8:]); want != size {
		return damaged(file, manifestHead-8, "the manifest has %d bytes, the file %d", want, size)
	}
	return nil
}

// decodeManifest reads and checks the manifest in b.
func decodeManifest(file string, b []byte) (*manifest, error) {
	if err := checkManifestHead(file, b, uint64(len(b))); err != nil {
		return nil, err
	}
	if err := checkTail(file, "the manifest", b); err != nil {
		return nil, err
	}
	d := &decoder{b: b[:len(b)-crcSize], at: prologue}
	m := &manifest{}
	copy(m.id[:], d.take(idSize))
	d.take(8)
	seconds, nanos := int64(d.u64()), d.u32()
	m.created = time.Unix(seconds, int64(nanos)).UTC()
	m.streams = d.u32()
	m.settings = d.text()
	for _, step := range [...]func(*decoder){m.decodeTypes, m.decodeJobs, m.decodeFiles, m.decodeEntries} {
		at := d.at
		if step(d); d.short {
			return nil, damaged(file, uint64(at), "expected more, the manifest ends at %d", len(d.b))
		}
	}
	if d.at != len(d.b) {
		return nil, damaged(file, uint64(d.at), "expected the end of the manifest, found %d bytes", len(d.b)-d.at)
	}
	if err := m.check(); err != nil {
		return nil, damaged(file, manifestHead, "%v", err)
	}
	return m, nil
}

func (m *manifest) decodeTypes(d *decoder) {
	n := d.u32()
	if !d.left(uint64(n), typeSize) {
		return
	}
	m.types = make([]Type, n)
	for i := range m.types {
		t := &m.types[i]
		t.Name, t.State, t.Message = d.text(), d.text(), d.text()
		t.StateSize, t.MessageSize = d.u64(), d.u64()
		t.Serialized = d.u32() == flagSerialized
	}
}

func (m *manifest) decodeJobs(d *decoder) {
	n := d.u32()
	if !d.left(uint64(n), jobSize) {
		return
	}
	m.jobs = make([]Job, n)
	var first uint64
	for i := range m.jobs {
		j := &m.jobs[i]
		j.FirstGID, j.LPs, j.Parts = first, d.u64(), d.u64()
		j.Clock, j.End = d.f64(), d.f64()
		j.Digests = d.u32() == flagDigests
		j.Engine, j.Model = d.text(), d.text()
		first += j.LPs
	}
}

func (m *manifest) decodeFiles(d *decoder) {
	n := d.u32()
	if !d.left(uint64(n), fileSize) {
		return
	}
	m.files = make([]dataFile, n)
	for i := range m.files {
		copy(m.files[i].id[:], d.take(idSize))
		m.files[i].size = d.u64()
	}
}

func (m *manifest) decodeEntries(d *decoder) {
	n := d.u64()
	if !d.left(n, entrySize) {
		return
	}
	m.entries = make([]Entry, n)
	for i := range m.entries {
		e := &m.entries[i]
		e.Part, e.File = uint64(i), d.u32()
		e.Compressed = d.u32() == flagCompressed
		e.Offset, e.Size, e.Raw, e.LPs, e.Events, e.CRC = d.u64(), d.u64(), d.u64(), d.u64(), d.u64(), d.u32()
	}
}
