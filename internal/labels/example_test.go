// This file shows the package: labels are written and read.

package labels_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ross-go/ross/internal/labels"
)

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
