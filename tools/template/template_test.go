// A module is made from the template, and the commands of its README are run there.

package template

import (
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	main     = "github.com/ross-go/ross"
	template = main + "/template"
	mine     = "example.com/mine"
)

func TestAModuleFromTheTemplateDoesWhatItsReadmeSays(t *testing.T) {
	root := value(filepath.Abs("../.."))(t)
	version := required(t, root)
	base := t.TempDir()

	// A proxy with the two modules as they are here; what they require comes from where it came from before.
	proxy := filepath.Join(base, "proxy")
	publish(t, proxy, root, module.Version{Path: main, Version: version})
	publish(t, proxy, filepath.Join(root, "template"), module.Version{Path: template, Version: version})
	usual := shell{t: t, dir: filepath.Join(root, "tools"), env: os.Environ()}
	proxies := []string{"file://" + proxy, "file://" + usual.line("go", "env", "GOMODCACHE") + "/cache/download", usual.line("go", "env", "GOPROXY")}
	fresh := shell{t: t, dir: base, env: append(os.Environ(), "GOPROXY="+strings.Join(proxies, ","), "GOMODCACHE="+filepath.Join(base, "modules"),
		"GOWORK=off", "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=", "GOFLAGS=-modcacherw "+usual.line("go", "env", "GOFLAGS"))}

	fresh.run(usual.line("go", "tool", "-n", "gonew"), template+"@latest", mine)
	fresh.dir = filepath.Join(base, "mine")
	fresh.run("go", "mod", "tidy")
	if got := fresh.line("go", "list", "-m", "-f", "{{.Version}}", main); got != version {
		t.Errorf("the module requires %s, not %s", got, version)
	}
	blocks := commands(t, filepath.Join(fresh.dir, "README.md"))
	get := blocks[2][0]
	fresh.run(get[0], get[1:]...)
	// From the archives: does one lack a file?
	deps := fresh.run("go", "list", "-deps", "-test", ".", "tool")
	for _, name := range []string{mine, main + "/csrc", main + "/modeltest", main + "/cmd/rossreader"} {
		if !strings.Contains(deps, "\n"+name+"\n") {
			t.Errorf("%s is not among what the module consists of", name)
		}
	}

	// The packages of the archives are those of this folder, which need not be compiled again: they are in a workspace.
	work := filepath.Join(base, "go.work")
	write(t, work, "go 1.26.0\nuse (\n\t"+root+"\n\t"+fresh.dir+"\n)\nreplace "+main+" "+version+" => "+root+"\n")
	here := shell{t: t, dir: fresh.dir, env: append(os.Environ(), "GOWORK="+work)}
	here.run("go", "vet", ".")
	var table string
	for _, words := range blocks[1] {
		table = here.run(words[0], words[1:]...)
	}
	requireTheory(t, table)
	for _, words := range blocks[2][1:] {
		here.run(words[0], words[1:]...)
	}
	if info, err := os.Stat(filepath.Join(here.dir, "first.html")); err != nil || info.Size() == 0 {
		t.Errorf("rossreader has written no page: %v", err)
	}
}

// requireTheory compares the study of loads with theory: a station of a network of this kind is a queue M/M/1.
func requireTheory(t *testing.T, table string) {
	t.Helper()
	rows := regexp.MustCompile(`(?m)^ *(0\.\d+) +(\S+) ± (\S+)`).FindAllStringSubmatch(table, -1)
	if len(rows) < 3 {
		t.Fatalf("the study has too few points:\n%s", table)
	}
	for _, row := range rows {
		load, mean, half := number(t, row[1]), number(t, row[2]), number(t, row[3])
		if want := load / (1 - load); !(math.Abs(mean-want) < 2*half && half < 0.2*want) {
			t.Errorf("load %g: %g ± %g customers at a station, %g from theory", load, mean, half, want)
		}
	}
}

// required returns the version of the main module that the template requires, which is that of the sources.
func required(t *testing.T, root string) string {
	t.Helper()
	file := filepath.Join(root, "template", "go.mod")
	mod := value(modfile.Parse(file, value(os.ReadFile(file))(t), nil))(t)
	if len(mod.Require) != 1 || mod.Require[0].Mod.Path != main || len(mod.Replace) != 0 {
		t.Fatalf("%s: it requires something else than %s", file, main)
	}
	version := mod.Require[0].Mod.Version
	source := value(os.ReadFile(filepath.Join(root, "internal", "sys", "buildinfo", "buildinfo.go")))(t)
	if !strings.Contains(string(source), `const Ross = "go-`+strings.TrimPrefix(version, "v")+`"`) {
		t.Fatalf("%s: it requires %s, which is not the version in internal/sys/buildinfo", file, version)
	}
	return version
}

// publish adds a module to a proxy of files.
func publish(t *testing.T, proxy, dir string, m module.Version) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v")
	must(t, os.MkdirAll(at, 0o777))
	write(t, filepath.Join(at, "list"), m.Version+"\n")
	write(t, filepath.Join(at, m.Version+".info"), `{"Version":"`+m.Version+`"}`)
	write(t, filepath.Join(at, m.Version+".mod"), string(value(os.ReadFile(filepath.Join(dir, "go.mod")))(t)))
	archive := value(os.Create(filepath.Join(at, m.Version+".zip")))(t)
	defer archive.Close()
	must(t, zip.Create(archive, m, files(t, dir)))
}

// files returns the files of a module without what is built and without other modules.
func files(t *testing.T, dir string) (all []zip.File) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator)))
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || rel == "bin" || rel == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && rel != ".git" {
			all = append(all, file{path, rel})
		}
		return nil
	}))
	return all
}

// file is a file of a module.
type file struct{ path, name string }

func (f file) Path() string                 { return f.name }
func (f file) Lstat() (fs.FileInfo, error)  { return os.Lstat(f.path) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.path) }

// commands returns the words of the commands in the blocks of a page, without comments.
func commands(t *testing.T, page string) (blocks [][][]string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)\n```sh\n(.*?)```").FindAllStringSubmatch(string(value(os.ReadFile(page))(t)), -1) {
		var lines [][]string
		for line := range strings.Lines(block[1]) {
			line, _, _ = strings.Cut(line, " #")
			lines = append(lines, strings.Fields(line))
		}
		blocks = append(blocks, lines)
	}
	if len(blocks) != 3 || len(blocks[1]) != 3 || len(blocks[2]) != 3 {
		t.Fatalf("%s: the blocks are not how to begin, three commands, and tools: %q", page, blocks)
	}
	return blocks
}

// shell runs commands.
type shell struct {
	t   *testing.T
	dir string
	env []string
}

// run returns what a command prints.
func (s shell) run(name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.dir, append(s.env, "PWD="+s.dir)
	var out, messages strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &out, &messages)
	}
	used := cmd.ProcessState
	s.t.Logf("%.1f s of a processor: %s %s", (used.UserTime() + used.SystemTime()).Seconds(), filepath.Base(name), strings.Join(args, " "))
	return out.String()
}

// line is run without the end of the line.
func (s shell) line(name string, args ...string) string {
	s.t.Helper()
	return strings.TrimSuffix(s.run(name, args...), "\n")
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	return value(strconv.ParseFloat(text, 64))(t)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(text), 0o666))
}

// value(f())(t) is the value of f, without an error.
func value[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		must(t, err)
		return v
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
