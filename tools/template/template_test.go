// A release is made of a copy of the repository, and used as its users do.

package template

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

const (
	core      = "github.com/ross-go/ross"
	template  = core + "/program/template"
	processes = core + "/proc/template"
	reader    = core + "/cmd/rossreader"
	generator = core + "/cmd/rossproc"
	vet       = core + "/cmd/rossvet"
	mine      = "example.com/mine"
)

func TestModulesOfARelease(t *testing.T) {
	root := value(filepath.Abs("../.."))(t)
	base, versions := release(t, root)
	version := versions[core]

	// A proxy with the modules of the release; what they require comes from where it came from before.
	usual := shell{t: t, dir: filepath.Join(root, "tools"), env: append(os.Environ(), "GOWORK=off")}
	proxies := []string{"file://" + filepath.Join(base, "proxy"), "file://" + usual.line("go", "env", "GOMODCACHE") +
		"/cache/download", usual.line("go", "env", "GOPROXY")}
	fresh := shell{t: t, dir: base, env: append(os.Environ(), "GOPROXY="+strings.Join(proxies, ","), "GOMODCACHE="+
		filepath.Join(base, "modules"),
		"GOWORK=off", "GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=", "GOBIN="+filepath.Join(base, "bin"),
		"GOFLAGS=-modcacherw "+usual.line("go", "env", "GOFLAGS"))}

	t.Run("go get", func(t *testing.T) { requireFew(t, fresh, version) })
	t.Run("go install", func(t *testing.T) { requireCommands(t, fresh, version) })
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
	if !few {
		t.Run("every module", func(t *testing.T) {
			for path := range versions {
				requireModule(t, fresh, base, module.Version{Path: path, Version: version})
			}
		})
	}
	t.Run("documentation", func(t *testing.T) {
		usual.t = t
		folders := []string{filepath.Join(base, "clone")}
		for path := range versions {
			folders = append(folders, "."+strings.TrimPrefix(path, core))
		}
		slices.Sort(folders[1:]) // the core first
		t.Log(usual.run(usual.line("go", "tool", "-n", "doclinks"), folders...))
	})
}

// few says that what takes long is left out, or done with packages that are compiled anyway.
var few = os.Getenv("ROSS_TEST") != ""

// requireCommands installs the commands of a release, and requires that they say its version.
func requireCommands(t *testing.T, fresh shell, version string) {
	t.Helper()
	fresh.t = t
	for _, path := range []string{reader, generator, vet} {
		if few {
			fresh.run("go", "install", "-n", path+"@latest") // reads all packages, and compiles none
			continue
		}
		fresh.run("go", "install", path+"@"+version)
		program := filepath.Join(fresh.dir, "bin", filepath.Base(path))
		if built := fresh.run("go", "version", "-m", program); !strings.Contains(built, path+"\t"+version+"\t") {
			t.Errorf("%s has another version than %s: %s", path, version, built)
		}
		if path == reader {
			if got := fresh.run(program, "--version"); !strings.Contains(got, strings.TrimPrefix(version, "v")) {
				t.Errorf("rossreader has another version than %s: %s", version, got)
			}
		}
	}
}

// requireModule gets a module of a release into an empty one, compiles its packages and shows their documentation.
func requireModule(t *testing.T, fresh shell, base string, m module.Version) {
	t.Helper()
	fresh.t, fresh.dir = t, filepath.Join(base, "get", strings.ReplaceAll(m.Path, "/", "_"))
	must(t, os.MkdirAll(fresh.dir, 0o777))
	write(t, filepath.Join(fresh.dir, "go.mod"), "module example.com/get\n\ngo 1.26.0\n")
	fresh.run("go", "get", m.Path+"@"+m.Version)
	// What the archive lacks for its own packages, go list says; -mod=mod, because nothing here imports them.
	packages := strings.Fields(fresh.run("go", "list", "-mod=mod", m.Path+"/..."))
	var own []string
	for _, path := range packages {
		if !strings.Contains(path, "/internal/") {
			own = append(own, path)
		}
	}
	if len(packages) == 0 {
		t.Fatalf("%s has no packages", m)
	}
	fresh.run("go", append([]string{"vet", "-mod=mod"}, own...)...)
	for _, path := range own {
		if text := fresh.run("go", "doc", "-all", path); !regexp.MustCompile(`(?m)^(Package|Command) `).MatchString(text) {
			t.Errorf("%s has no documentation: %q", path, text)
		}
	}
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
// not be compiled again. With all cases it is the one that there is.
func workspace(t *testing.T, root string, fresh shell, version string, folders ...string) shell {
	t.Helper()
	if !few {
		return fresh
	}
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

// release returns the folder of a release (tools/release.sh scratch), and the versions of the modules by their paths.
// It is that of ROSS_RELEASE, which tools/release.sh dry-run sets, or one of what is here.
func release(t *testing.T, root string) (base string, versions map[string]string) {
	t.Helper()
	base = os.Getenv("ROSS_RELEASE")
	if base == "" {
		base = t.TempDir()
		in := shell{t: t, dir: root, env: append(os.Environ(), "GOWORK=")}
		version := strings.Fields(in.run("tools/release.sh"))[1]
		in.run("tools/release.sh", "scratch", version, base)
	}
	versions = map[string]string{}
	of := shell{t: t, dir: filepath.Join(base, "clone"), env: os.Environ()}
	for line := range strings.Lines(of.run("tools/release.sh")) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		versions[path] = version
	}
	for _, path := range []string{core, template, processes, reader, generator, core + "/program/parts", core + "/models",
		core + "/proc", vet} {
		if versions[path] == "" || versions[path] != versions[core] {
			t.Fatalf("%s is released as %q, and %s as %q", path, versions[path], core, versions[core])
		}
	}
	return base, versions
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
