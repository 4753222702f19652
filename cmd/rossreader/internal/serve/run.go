// This file owns the command line of `rossreader serve`, and the life of its server.

package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ross-go/ross/cmd/rossreader/internal/cli"
	"github.com/ross-go/ross/internal/sys/guard"
)

const helpText = `Serves the runs in a folder and below it: a list, the newest first, the report of each as a page,
and comparisons of two. Pages load themselves again when files change, also of a run that has not
ended. Ctrl-C ends the server.`

const (
	patience = 10 * time.Second // for a request
	longest  = 10 * time.Minute // for an answer: reports of large files take time
	farewell = time.Second      // for answers under way when the server ends
)

// Command returns the subcommand, which runs until a signal or its context ends it.
func Command() (c *cobra.Command) {
	f := cli.NoFlags("serve", "FOLDER", "serve the reports of the runs in a folder as pages", helpText)
	address := f.String("http", "8080",
		"`PORT|HOST:PORT` to serve at; without a host only this machine can read it; port 0 is any free one")
	c = f.Command(func(names []string, stdout, stderr io.Writer) error {
		if len(names) != 1 {
			return cli.Usagef("%d folders: name the one with the runs", len(names))
		}
		if info, err := os.Stat(names[0]); err != nil {
			return fmt.Errorf("ross: input: %w: name a folder with runs", err)
		} else if !info.IsDir() {
			return cli.Usagef("%s is a file: name the folder with the runs", names[0])
		}
		ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return serve(ctx, names[0], *address, stdout, stderr)
	})
	return c
}

func serve(ctx context.Context, root, text string, stdout, stderr io.Writer) error {
	host, port, err := guard.ParseAddress(text, 0)
	if err != nil {
		return cli.Usagef("--http=%s: %w", text, err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("--http=%s: %w: give another port, or 0 for any that is free", text, err)
	}
	at := l.Addr().(*net.TCPAddr)
	hosts, name := guard.Hosts(at, host), at.IP.String()
	if hosts == nil {
		fmt.Fprintf(stderr,
			"rossreader serve: --http=%s: everybody who can reach this machine can read the reports; --http=%d serves this machine only\n", text, at.Port)
		if at.IP.IsUnspecified() {
			name = "localhost"
		}
	}
	server := http.Server{
		Handler: newServer(root).handler(hosts), ReadHeaderTimeout: patience, ReadTimeout: patience, WriteTimeout: longest,
		IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0), // of malformed requests
	}
	fmt.Fprintf(stdout, "runs in %s at http://%s/ until Ctrl-C\n", root, net.JoinHostPort(name, strconv.Itoa(at.Port)))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("--http=%s: %w: give another address", text, err)
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if server.Shutdown(limit) != nil {
		_ = server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
