// Command licenses prints LICENSES.md: which licence each module has that the library, its programs
// and their tests need, and each that the developers' tools need. FOLDER is that of the repository:
//
//	licenses FOLDER
//
// The licence is found by the text in the module. A module without a text of a known licence is an
// error.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: licenses FOLDER")
		os.Exit(2)
	}
	var page bytes.Buffer
	if err := write(&page, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "licenses: error:", err)
		os.Exit(1)
	}
	os.Stdout.Write(page.Bytes())
}

const head = `# Licences

ross has the [BSD 3-Clause License](LICENSE). Modules of others are downloaded by Go and are under their own licences,
as listed here by the texts in them. ` + "`make lint`" + ` fails if this list is not that of the go.mod files;
` + "`make licenses`" + ` writes it. The go.mod files of the templates require modules of this repository alone.

The reports of rossreader contain Apache ECharts 6.1.0. A copy is in
[cmd/rossreader/internal/report/echarts](cmd/rossreader/internal/report/echarts) with its licences (Apache-2.0, and
BSD-3-Clause for a part from D3).

Tests of pages in a browser run axe-core 4.14.1. A copy is in
[internal/testing/browsertest/axe](internal/testing/browsertest/axe) with its licences (MPL-2.0, and those of its parts). No program
contains it.
`

func write(w io.Writer, folder string) error {
	fmt.Fprint(w, head)
	for _, file := range []string{"program/template/go.mod", "proc/template/go.mod"} {
		if others, err := required(folder, file); err != nil {
			return err
		} else if len(others) > 0 {
			return fmt.Errorf("%s: it requires %v: list its modules as well", file, others)
		}
	}
	listed := map[module.Version]bool{}
	for _, list := range []struct {
		title, text string
		files       []string
	}{
		{"The core", "What go.mod requires: for the library, or its tests.", []string{"go.mod"}},
		{"Next to the core", "What the modules of programs, models, rossreader, documents and benchmarks require besides.",
			[]string{"program/parts/go.mod", "models/go.mod", "cmd/rossreader/go.mod", "proc/go.mod", "docs/go.mod", "bench/go.mod"}},
		{"Developers' tools",
			"What tools/go.mod requires besides. The library and its programs are built without it. `make sbom` runs cyclonedx-gomod\n(Apache-2.0), and `make deb` nfpm (MIT), whose modules are in tools/sbom.mod and tools/deb.mod, and not listed here.", []string{"tools/go.mod"}},
		{"rossvet and rossproc", "What their go.mod files require: for `rossvet`, `rossproc` and their tests.",
			[]string{"cmd/rossvet/go.mod", "cmd/rossproc/go.mod"}},
	} {
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n| Module | Version | Licence | Text |\n|---|---|---|---|\n", list.title, list.text)
		var wanted []module.Version
		for _, file := range list.files {
			more, err := required(folder, file)
			if err != nil {
				return err
			}
			for _, m := range more {
				if !listed[m] {
					wanted = append(wanted, m)
				}
				listed[m] = list.title != "Developers' tools"
			}
		}
		modules, err := download(folder, wanted)
		if err != nil {
			return err
		}
		for _, m := range modules {
			name, file, err := licenceOf(m.Dir)
			if err != nil {
				return fmt.Errorf("%s@%s: %w", m.Path, m.Version, err)
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s |\n", m.Path, m.Version, name, file)
		}
	}
	return nil
}

// required returns the modules that a go.mod requires, without those of this repository.
func required(folder, file string) (all []module.Version, err error) {
	text, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil, err
	}
	if len(mod.Replace) > 0 {
		return nil, fmt.Errorf("%s: a replacement is not listed as what it is: remove the replace lines", file)
	}
	const ours = "github.com/ross-go/ross"
	for _, r := range mod.Require {
		if r.Mod.Path != ours && !strings.HasPrefix(r.Mod.Path, ours+"/") {
			all = append(all, r.Mod)
		}
	}
	return all, nil
}

// downloaded is what go mod download says of a module.
type downloaded struct{ Path, Version, Dir, Error string }

// download returns modules, downloaded and in the order of their paths.
func download(folder string, modules []module.Version) (all []downloaded, err error) {
	args := []string{"mod", "download", "-json"}
	for _, m := range modules {
		args = append(args, m.String())
	}
	command := exec.Command("go", args...)
	command.Dir, command.Stderr = folder, os.Stderr
	said, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w\n%s", err, said)
	}
	for d := json.NewDecoder(bytes.NewReader(said)); ; {
		var m downloaded
		if err := d.Decode(&m); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	if len(all) != len(modules) {
		return nil, fmt.Errorf("%d modules are required, go mod download knows %d", len(modules), len(all))
	}
	slices.SortFunc(all, func(a, b downloaded) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// The names of files that may hold a licence (but not Go code), and how much of one must be that licence, in percent.
var named = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)([-.].*)?$`)

const enough = 75

// licenceOf returns the SPDX names of the licences in a module's top folder, and their files.
func licenceOf(folder string) (names, files string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", "", err
	}
	var found, in []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !named.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		text, err := fs.ReadFile(os.DirFS(folder), e.Name())
		if err != nil {
			return "", "", err
		}
		cover := licensecheck.Scan(text)
		if cover.Percent < enough {
			return "", "",
				fmt.Errorf(
					"%s: %.0f %% of it is the text of a known licence, less than %d: read it, and teach this program what it is",
					e.Name(), cover.Percent, enough)
		}
		for _, match := range cover.Match {
			if !slices.Contains(found, match.ID) {
				found = append(found, match.ID)
			}
		}
		in = append(in, e.Name())
	}
	if len(found) == 0 {
		return "", "", fmt.Errorf("no file with a licence")
	}
	return strings.Join(found, ", "), strings.Join(in, ", "), nil
}
