// This file pins what processes leave behind that are killed, or may not write more: they
// are this program again.

package instr

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/ross-go/ross/internal/testlevel"
	"github.com/stretchr/testify/require"
)

// The variables of the environment that make this program write a file.
const (
	envPath    = "ROSS_INSTR_PATH"
	envFlushes = "ROSS_INSTR_FLUSHES"
	envLimit   = "ROSS_INSTR_LIMIT" // bytes that may be written to a file; 0: be killed after the flushes
)

const (
	killBuffers = 2
	killRecords = 3000
	killMore    = 161 // so that records are in two pages now and then
)

func TestMain(m *testing.M) {
	path := os.Getenv(envPath)
	if path == "" {
		os.Exit(m.Run())
	}
	flushes, _ := strconv.Atoi(os.Getenv(envFlushes))
	limit, _ := strconv.Atoi(os.Getenv(envLimit))
	if err := writeInChild(path, flushes, uint64(limit)); err != nil {
		fmt.Println(err)
	}
	os.Exit(0)
}

// writeInChild writes a file. Without a limit the process does not return.
func writeInChild(path string, flushes int, limit uint64) error {
	f, err := Create(path, FileOptions{Buffers: killBuffers})
	if err != nil {
		return err
	}
	if limit > 0 {
		limitFiles(limit)
		run(f, flushes, killRecords, killMore)
		return f.Publish()
	}
	go run(f, 1000*flushes, killRecords, killMore)
	for f.Bytes() < int64(flushes)*killBuffers*killRecords*(16+killMore) {
		if f.Err() != nil {
			return f.Err()
		}
		runtime.Gosched()
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		return err
	}
	select {}
}

// child runs this program and returns the first line that it prints.
func child(t *testing.T, path string, flushes, limit int) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", envPath+"="+path, envFlushes+"="+strconv.Itoa(flushes), envLimit+"="+strconv.Itoa(limit))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, _ := bufio.NewReader(out).ReadString('\n')
	err = cmd.Wait()
	require.Equal(t, limit == 0, err != nil, "%v %s", err, line)
	return line
}

func TestProcessThatIsKilledLeavesWholeFlushesInOrder(t *testing.T) {
	testlevel.Once(t, "what the system has written when a process is killed")
	cut := 0
	for range 10 {
		path := newPath(t)
		flushes := 1 + rand.IntN(8)
		require.Empty(t, child(t, path, flushes, 0))
		require.NoFileExists(t, path)
		data, err := os.ReadFile(path + PartSuffix)
		require.NoError(t, err)
		got, rest := labels(t, data)
		require.GreaterOrEqual(t, len(got), flushes*killBuffers*killRecords)
		want := ran(killBuffers, 1+len(got)/killBuffers/killRecords, killRecords)
		require.True(t, slices.Equal(want[:len(got)], got))
		require.Less(t, len(rest), 16+killMore, "the last record at most is cut")
		if len(rest) > 0 {
			cut++
		}
		require.NoError(t, os.Remove(path+PartSuffix))
	}
	t.Logf("a record was cut in %d of 10", cut)
}
