//go:build linux

// Netdelay is an Ethernet switch in user space that delays every frame, for kernels
// without netem: tools/netns.sh uses it if a delay is requested and tc does not support
// delays.
//
//	netdelay delay name name [name ...]
//
// It makes a TAP device for each name, prints "ready", and forwards frames between the
// devices, in whatever namespace they are, until it is killed. A frame takes the delay
// plus some 20 to 50 us in the switch.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ross-go/ross/internal/sys/buildinfo"
)

const (
	longest = 1 << 16 // bytes of a frame
	waiting = 4096    // frames of a port that can be under way; more wait in the kernel, which then drops them
)

type frame struct {
	due  time.Time
	data []byte
}

// port is one device, and the frames that came from it.
type port struct {
	fd   int
	line chan frame
	free chan []byte
}

// network is the ports, and the known addresses behind each.
type network struct {
	ports []*port
	mu    sync.Mutex
	at    map[[6]byte]*port // by Ethernet address
}

func main() {
	if buildinfo.Asked("netdelay", os.Args[1:], os.Stdout) {
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "netdelay:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: netdelay delay name name [name ...]")
	}
	delay, err := time.ParseDuration(args[0])
	if err != nil || delay < 0 {
		return fmt.Errorf("delay %q: give a duration, such as 100us", args[0])
	}
	n := &network{at: map[[6]byte]*port{}}
	for _, name := range args[1:] {
		fd, err := open(name)
		if err != nil {
			return fmt.Errorf("device %s: %w", name, err)
		}
		n.ports = append(n.ports, &port{fd: fd, line: make(chan frame, waiting), free: make(chan []byte, waiting)})
	}
	fmt.Println("ready")
	failed := make(chan error)
	for _, p := range n.ports {
		go func() { failed <- p.take(delay) }()
		go n.give(p)
	}
	return <-failed
}

// open makes a TAP device.
func open(name string) (int, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	r, err := unix.NewIfreq(name)
	if err != nil {
		return 0, err
	}
	r.SetUint16(unix.IFF_TAP | unix.IFF_NO_PI)
	return fd, unix.IoctlIfreq(fd, unix.TUNSETIFF, r)
}

// take reads frames from a port, and records when they are due. All frames have the
// same delay, so the queue is in order.
func (p *port) take(delay time.Duration) error {
	runtime.LockOSThread()
	for {
		var data []byte
		select {
		case data = <-p.free:
		default:
			data = make([]byte, longest)
		}
		size, err := unix.Read(p.fd, data[:longest])
		switch err {
		case nil:
			p.line <- frame{time.Now().Add(delay), data[:size]}
		case unix.EINTR, unix.EAGAIN, unix.EIO: // EIO: the device is down
			time.Sleep(time.Millisecond)
		default:
			return err
		}
	}
}

// give delivers frames from a port when they are due.
func (n *network) give(from *port) {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // nanoseconds by which a sleep may be late
	for f := range from.line {
		if left := time.Until(f.due); left > 0 {
			t := unix.NsecToTimespec(left.Nanoseconds())
			_ = unix.Nanosleep(&t, nil)
		}
		if len(f.data) >= 12 {
			n.deliver(from, f.data)
		}
		select {
		case from.free <- f.data:
		default:
		}
	}
}

// deliver writes a frame to the port of its receiver, or to all ports if that is
// unknown. A device that is down loses the frame, like an unplugged cable.
func (n *network) deliver(from *port, data []byte) {
	to := n.learn(from, [6]byte(data[6:12]), [6]byte(data[:6]))
	for _, p := range n.ports {
		if p == to || to == nil && p != from {
			_, _ = unix.Write(p.fd, data)
		}
	}
}

// learn records that a sender is behind a port, and returns the receiver's port.
func (n *network) learn(from *port, sender, receiver [6]byte) *port {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.at[sender] = from
	return n.at[receiver]
}
