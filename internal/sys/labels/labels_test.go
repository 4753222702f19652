// This file pins what a file of labels holds, and that a damaged one counts as none.

package labels_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross/internal/sys/labels"
)

func file(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "labels.csv")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestLabelsOfAnyTextAreReadAsTheyWereWritten(t *testing.T) {
	texts := []string{"plain", "router (3,4,5)", `a "quoted" one`, "two\nlines", "", " spaces ", "é, ü"}
	var b strings.Builder
	require.NoError(t, labels.Write(&b, uint64(len(texts)), func(id uint64) string { return texts[id] }))
	all := labels.Read(file(t, b.String()), nil)
	require.Len(t, all, len(texts)-1, "an LP without a label has no line")
	for id, text := range texts {
		require.Equal(t, text, all[uint64(id)])
	}
	require.Equal(t, `1 "router (3,4,5)"`, all.Name(1))
	require.Equal(t, "4", all.Name(4))
	require.Equal(t, "99", all.Name(99))
	some := labels.Read(file(t, b.String()), func(id uint64) bool { return id == 2 })
	require.Equal(t, labels.Labels{2: texts[2]}, some)
}

func TestMissingAndDamagedFilesHaveNoLabels(t *testing.T) {
	require.Nil(t, labels.Read(filepath.Join(t.TempDir(), "none"), nil))
	require.Nil(t, labels.Read(t.TempDir(), nil))
	for _, text := range []string{
		"", "id,label", "7,seven\n", "id,name\n7,seven\n", "id,label\n7\n", "id,label\n7,a,b\n", "id,label\n-7,a\n",
		"id,label\nx,a\n",
		"id,label\n7,sev", "id,label\n7,\"sev\n", "id,label\n7,a\n7,b\n", "id,label\n7,a\n6,b\n", "\x00\x00\x00\n",
		"id,label\n18446744073709551616,a\n",
	} {
		require.Nil(t, labels.Read(file(t, text), nil), "%q", text)
	}
	require.Equal(t, "7", labels.Labels(nil).Name(7))
	require.Empty(t, labels.Read(file(t, "id,label\n"), nil))
}

type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfWritingAreReturned(t *testing.T) {
	require.ErrorIs(t, labels.Write(full{}, 3, func(uint64) string { return "a" }), errFull)
	require.ErrorIs(t, labels.Write(full{}, 3, func(id uint64) string { return strings.Repeat(fmt.Sprint(id), 1<<17) }),
		errFull)
}

// The package: labels are written and read.

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "labels.csv")
	f, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	err = labels.Write(f, 4, func(id uint64) string { return fmt.Sprintf("router (%d,%d)", id/2, id%2) })
	if err != nil || f.Close() != nil {
		panic("not written")
	}
	text, _ := os.ReadFile(path)
	fmt.Print(string(text))
	fmt.Println("LP", labels.Read(path, nil).Name(3))
	// Output:
	// id,label
	// 0,"router (0,0)"
	// 1,"router (0,1)"
	// 2,"router (1,0)"
	// 3,"router (1,1)"
	// LP 3 "router (1,1)"
}
