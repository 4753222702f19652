// A release is made of a copy of the repository, and used as its users do.

package template

import (
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path"
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
	core      = "github.com/ross-go/ross"
	template  = core + "/program/template"
	processes = core + "/proc/template"
	reader    = core + "/cmd/rossreader"
	generator = core + "/cmd/rossproc"
	mine      = "example.com/mine"
)

func TestModulesOfARelease(t *testing.T) {
	root := value(filepath.Abs("../.."))(t)
	base := t.TempDir()
	clone, versions := release(t, root, base)
	version := versions[core]

	// A proxy with the modules of the release; what they require comes from where it came from before.
	proxy := filepath.Join(base, "proxy")
	for path, v := range versions {
		publish(t, proxy, clone, module.Version{Path: path, Version: v})
	}
	usual := shell{t: t, dir: filepath.Join(root, "tools"), env: append(os.Environ(), "GOWORK=off")}
	proxies := []string{"file://" + proxy, "file://" + usual.line("go", "env", "GOMODCACHE") + "/cache/download",
		usual.line("go", "env", "GOPROXY")}
	fresh := shell{t: t, dir: base, env: append(os.Environ(), "GOPROXY="+strings.Join(proxies, ","), "GOMODCACHE="+
		filepath.Join(base, "modules"),
		"GOWORK=off", "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=", "GOBIN="+filepath.Join(base, "bin"),
		"GOFLAGS=-modcacherw "+usual.line("go", "env", "GOFLAGS"))}

	t.Run("go get", func(t *testing.T) { requireFew(t, fresh, version) })
	t.Run("go install", func(t *testing.T) {
		if os.Getenv("ROSS_TEST") != "" {
			fresh.run("go", "install", "-n", reader+"@latest") // reads all packages, and compiles none
			return
		}
		fresh.run("go", "install", reader+"@latest")
		if got := fresh.run(filepath.Join(base, "bin", "rossreader"), "--version"); !strings.Contains(got, strings.TrimPrefix(version, "v")) {
			t.Errorf("rossreader has another version than %s: %s", version, got)
		}
	})
	t.Run("gonew", func(t *testing.T) {
		fresh.t = t
		fresh.run(usual.line("go", "tool", "-n", "gonew"), template+"@latest", mine)
		fresh.dir = filepath.Join(base, "mine")
		fresh.run("go", "mod", "tidy")
		requireModules(t, fresh, mostOfTemplate)
		requireItsReadme(t, root, fresh, version)
	})
	t.Run("gonew of processes", func(t *testing.T) {
		fresh.t, fresh.dir = t, filepath.Join(base, "processes")
		must(t, os.Mkdir(fresh.dir, 0o777))
		fresh.run(usual.line("go", "tool", "-n", "gonew"), processes+"@latest", mine)
		fresh.dir = filepath.Join(fresh.dir, "mine")
		requireProcesses(t, root, fresh, version)
	})
}

// Most modules that a go.mod names: of a program that imports the core, and of the template.
const mostOfCore, mostOfTemplate = 6, 13

// requireFew requires that a module which imports the core gets little with it.
func requireFew(t *testing.T, fresh shell, version string) {
	t.Helper()
	fresh.t, fresh.dir = t, filepath.Join(fresh.dir, "few")
	must(t, os.Mkdir(fresh.dir, 0o777))
	write(t, filepath.Join(fresh.dir, "go.mod"), "module example.com/few\n\ngo 1.26.0\n")
	write(t, filepath.Join(fresh.dir, "main.go"), "package main\n\nimport (\n\t_ \""+core+"\"\n\t_ \""+core+
		"/program\"\n)\n\nfunc main() {}\n")
	fresh.run("go", "get", core)
	fresh.run("go", "mod", "tidy")
	requireModules(t, fresh, mostOfCore)
	if got := fresh.line("go", "list", "-m", "-f", "{{.Version}}", core); got != version {
		t.Errorf("go get takes %s, not %s", got, version)
	}
}

// requireModules requires that the go.mod of a folder names no more modules than that.
func requireModules(t *testing.T, in shell, most int) {
	t.Helper()
	file := filepath.Join(in.dir, "go.mod")
	mod := value(modfile.Parse(file, value(os.ReadFile(file))(t), nil))(t)
	var paths []string
	for _, r := range mod.Require {
		paths = append(paths, r.Mod.Path)
	}
	t.Logf("%s requires %d modules: %s", mod.Module.Mod.Path, len(paths), strings.Join(paths, " "))
	if len(paths) > most {
		t.Errorf("%s requires %d modules, more than %d", mod.Module.Mod.Path, len(paths), most)
	}
}

// requireItsReadme does in a module from the template what its README says.
func requireItsReadme(t *testing.T, root string, fresh shell, version string) {
	t.Helper()
	if got := fresh.line("go", "list", "-m", "-f", "{{.Version}}", core); got != version {
		t.Errorf("the module requires %s, not %s", got, version)
	}
	blocks := commands(t, filepath.Join(fresh.dir, "README.md"))
	get := blocks[2][0]
	fresh.run(get[0], get[1:]...)
	// From the archives: does one lack a file?
	deps := fresh.run("go", "list", "-deps", "-test", ".", "tool")
	for _, name := range []string{mine, core + "/csrc", core + "/modeltest", reader} {
		if !strings.Contains(deps, "\n"+name+"\n") {
			t.Errorf("%s is not among what the module consists of", name)
		}
	}

	here := workspace(t, root, fresh, version, "", "/program/parts", "/cmd/rossreader")
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

// workspace returns a shell in which the packages of the archives are those of folders of this repository, which need
// not be compiled again.
func workspace(t *testing.T, root string, fresh shell, version string, folders ...string) shell {
	t.Helper()
	work := filepath.Join(filepath.Dir(fresh.dir), "go.work")
	use, replace := "use (\n\t"+fresh.dir+"\n", "replace (\n"
	for _, folder := range folders {
		use += "\t" + root + folder + "\n"
		replace += "\t" + core + folder + " " + version + " => " + root + folder + "\n"
	}
	write(t, work, "go 1.26.0\n"+use+")\n"+replace+")\n")
	return shell{t: t, dir: fresh.dir, env: append(os.Environ(), "GOWORK="+work)}
}

// requireProcesses does in a module from the template of processes what its README says.
func requireProcesses(t *testing.T, root string, fresh shell, version string) {
	t.Helper()
	blocks := commands(t, filepath.Join(fresh.dir, "README.md"))
	for _, words := range blocks[0][2:] {
		fresh.run(words[0], words[1:]...)
	}
	deps := fresh.run("go", "list", "-deps", "-test", ".", "tool")
	for _, name := range []string{mine, core + "/proc/proctest", generator} {
		if !strings.Contains(deps, "\n"+name+"\n") {
			t.Errorf("%s is not among what the module consists of", name)
		}
	}
	here := workspace(t, root, fresh, version, "", "/proc", "/program/parts", "/cmd/rossproc")
	generated := filepath.Join(here.dir, "zz_proc.go")
	before := string(value(os.ReadFile(generated))(t))
	must(t, os.Remove(generated))
	for _, words := range blocks[2] {
		here.run(words[0], words[1:]...)
	}
	if string(value(os.ReadFile(generated))(t)) != strings.ReplaceAll(before, processes, mine) {
		t.Error("go generate writes something else than the template has")
	}
	here.run("go", "vet", ".")
	var table string
	for _, words := range blocks[1] {
		table = here.run(words[0], words[1:]...)
	}
	table, _, _ = strings.Cut(table, "\nload  server.") // where the other columns begin
	requireTheory(t, table)
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

// release releases what is in the folder: a copy of it becomes a repository. It returns that, and the
// versions of the modules by their paths.
func release(t *testing.T, root, base string) (clone string, versions map[string]string) {
	t.Helper()
	clone = filepath.Join(base, "clone")
	copyTree(t, root, clone)
	in := shell{t: t, dir: clone, env: append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+
		os.DevNull)}
	in.run("git", "init", "-q")
	for _, name := range []string{"user.name", "user.email"} {
		in.run("git", "config", name, "test")
	}
	in.run("git", "add", "-A")
	in.run("git", "commit", "-q", "-m", "everything")
	in.run("tools/release.sh", "tag")
	versions = map[string]string{}
	for line := range strings.Lines(in.run("tools/release.sh")) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		versions[path] = version
	}
	for _, path := range []string{core, template, processes, reader, generator, core + "/program/parts", core + "/models",
		core + "/proc", core + "/cmd/rossvet"} {
		if versions[path] == "" || versions[path] != versions[core] {
			t.Fatalf("%s is released as %q, and %s as %q", path, versions[path], core, versions[core])
		}
	}
	return clone, versions
}

// copyTree copies the files of the repository, without what is built.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := value(filepath.Rel(from, path))(t)
		switch at := filepath.Join(to, rel); {
		case rel == "bin" || rel == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(at, 0o777)
		case d.Type().IsRegular():
			return os.WriteFile(at, value(os.ReadFile(path))(t), value(d.Info())(t).Mode().Perm())
		}
		return nil
	}))
}

// publish adds a module of a release to a proxy of files.
func publish(t *testing.T, proxy, clone string, m module.Version) {
	t.Helper()
	folder := strings.TrimPrefix(strings.TrimPrefix(m.Path, core), "/")
	tag := path.Join(folder, m.Version)
	at := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v")
	must(t, os.MkdirAll(at, 0o777))
	write(t, filepath.Join(at, "list"), m.Version+"\n")
	write(t, filepath.Join(at, m.Version+".info"), `{"Version":"`+m.Version+`"}`)
	write(t, filepath.Join(at, m.Version+".mod"), string(value(os.ReadFile(filepath.Join(clone, folder, "go.mod")))(t)))
	archive := value(os.Create(filepath.Join(at, m.Version+".zip")))(t)
	defer archive.Close()
	must(t, zip.CreateFromVCS(archive, m, clone, tag, folder))
}

// commands returns the words of the commands in the blocks of a page, without comments.
func commands(t *testing.T, page string) (blocks [][][]string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)\n```sh\n(.*?)```").FindAllStringSubmatch(
		string(value(os.ReadFile(page))(t)), -1) {
		var lines [][]string
		for line := range strings.Lines(block[1]) {
			line, _, _ = strings.Cut(line, " #")
			lines = append(lines, strings.Fields(line))
		}
		blocks = append(blocks, lines)
	}
	if len(blocks) != 3 || len(blocks[1]) != 3 || len(blocks[2]) < 2 {
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
	s.t.Logf("%.1f s of a processor: %s %s", (used.UserTime() + used.SystemTime()).Seconds(), filepath.Base(name),
		strings.Join(args, " "))
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
