package gen

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGeneratedCodeIsThatOfTheGoldenFile compares with a file that is read in reviews.
func TestGeneratedCodeIsThatOfTheGoldenFile(t *testing.T) {
	files, errs := Packages(".", "./testdata/golden")
	if len(errs) > 0 || len(files) != 1 {
		t.Fatal(files, errs)
	}
	if *update {
		if err := os.WriteFile(files[0].Path, files[0].Text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(files[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(files[0].Text) {
		t.Errorf("%s is not what is generated; go test -update writes it, for review", files[0].Path)
	}
}

// TestWhatCannotBeAProcessIsRefusedWhereItStands compares errors with the comments of testdata/refused. What stands in
// several rounds of the generator is in one file each, since a round ends with the first that has errors.
func TestWhatCannotBeAProcessIsRefusedWhereItStands(t *testing.T) {
	source, err := os.ReadFile("testdata/refused/refused.go")
	if err != nil {
		t.Fatal(err)
	}
	_, errs := Packages(".", "./testdata/refused")
	said := map[string]bool{}
	for _, err := range errs {
		said[err.Error()] = false
	}
	want := regexp.MustCompile(`// want "([^"]+)"`)
	for i, line := range strings.Split(string(source), "\n") {
		for _, m := range want.FindAllStringSubmatch(line, -1) {
			at, found := fmt.Sprintf("%s:%d:", filepath.Join("testdata", "refused", "refused.go"), i+1), false
			for text := range said {
				if strings.Contains(text, at) && strings.Contains(text, m[1]) {
					said[text], found = true, true
				}
			}
			if !found {
				t.Errorf("%s no error says %q", at, m[1])
			}
		}
	}
	for text, expected := range said {
		if !expected {
			t.Errorf("nobody expects %s", text)
		}
	}
}

// TestWhatIsCommittedIsUpToDate looks at the generated files of this repository.
func TestWhatIsCommittedIsUpToDate(t *testing.T) {
	models, err := filepath.Glob("../../../../models/processes/*/zz_proc.go")
	if err != nil || len(models) == 0 {
		t.Fatal(models, err)
	}
	dirs := []string{"bench/processes", "docs/processes", "proc/internal/models"}
	for _, file := range models {
		dirs = append(dirs, "models/processes/"+filepath.Base(filepath.Dir(file)))
	}
	for _, dir := range dirs {
		t.Run(strings.ReplaceAll(dir, "/", "-"), func(t *testing.T) {
			files, errs := Packages("../../../../"+dir, ".")
			if len(errs) > 0 || len(files) != 1 {
				t.Fatal(files, errs)
			}
			is, err := os.ReadFile(files[0].Path)
			if err != nil {
				t.Fatal(err)
			}
			if string(is) != string(files[0].Text) {
				t.Errorf("%s is not up to date: run go generate ./...", files[0].Path)
			}
		})
	}
}
