// This file owns Send and Receive, which pass bytes between two ranks and block.

//go:build mpi && cgo && !purego

package mpi

// mostPiece is the most bytes that one call of MPI passes.
const mostPiece = 1 << 30

// Send sends bytes to another rank, which calls Receive meanwhile. Do not use Send while a mailbox
// or a Reduction waits for something that this rank has to do: it may block until the receiver
// has come.
func (w *World) Send(data []byte, to int) error {
	if err := w.reaches(to); err != nil {
		return err
	}
	err := w.errorOf("MPI_Send", w.c.Send(bytesOf([]int64{int64(len(data))}), to))
	for err == nil && len(data) > 0 {
		n := min(len(data), mostPiece)
		err = w.errorOf("MPI_Send", w.c.Send(data[:n], to))
		data = data[n:]
	}
	return err
}

// Receive returns the next bytes that another rank sends to this one.
func (w *World) Receive(from int) ([]byte, error) {
	if err := w.reaches(from); err != nil {
		return nil, err
	}
	n := []int64{0}
	if err := w.errorOf("MPI_Recv", w.c.Receive(bytesOf(n), from)); err != nil {
		return nil, err
	}
	data := make([]byte, n[0])
	for at := 0; at < len(data); at += mostPiece {
		if err := w.errorOf("MPI_Recv", w.c.Receive(data[at:min(at+mostPiece, len(data))], from)); err != nil {
			return nil, err
		}
	}
	return data, nil
}

func (w *World) reaches(rank int) error {
	if w.closed.Load() {
		return ErrClosed
	}
	return w.exists(rank)
}
