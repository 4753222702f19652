// This file owns the comparison of the three pages with the programs.

package sidebyside

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endings are those of the files that a block of a page may be from, by the language of the block.
var endings = map[string]string{
	"go": ".go", "yaml": ".go", "python": ".py", "rust": ".rs", "cpp": ".cc", "ned": ".ned", "ini": ".ini",
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// sources returns the texts of all files of the folder with an ending.
func sources(t *testing.T, ending string) (all []string) {
	t.Helper()
	for _, pattern := range []string{"*", "*/*", "*/*/*"} {
		paths, err := filepath.Glob(pattern + ending)
		require.NoError(t, err)
		for _, path := range paths {
			all = append(all, "\n"+read(t, path))
		}
	}
	require.NotEmpty(t, all, ending)
	return all
}

func TestPagesShowThePrograms(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	for _, page := range []string{"side-by-side", "from-simpy", "from-omnetpp"} {
		shown := 0
		for _, found := range block.FindAllStringSubmatch(read(t, "../"+page+".md"), -1) {
			language, text := found[1], found[2]
			switch ending := endings[language]; {
			case ending != "":
				whole := func(source string) bool { return strings.Contains(source, "\n"+text) }
				require.True(t, oneOf(sources(t, ending), whole), "%s: no file has this block:\n%s", page, text)
			case language == "sh":
				words := strings.Fields(text)
				same := strings.Contains(read(t, "line_test.go"), `"`+strings.Join(words[2:], `", "`)+`"`)
				require.True(t, same, "%s: the example has no such words:\n%s", page, text)
			case language == "text":
				for line := range strings.Lines(text) {
					printed := strings.Contains(read(t, "line_test.go"), strings.TrimRight("\t// "+line, " \n")+"\n")
					require.True(t, printed, "%s: the example does not print this line:\n%s", page, line)
				}
			default:
				t.Fatalf("%s: a block in %q", page, language)
			}
			shown++
		}
		require.Greater(t, shown, 7, page)
	}
}

// oneOf reports whether one of the texts is as asked.
func oneOf(texts []string, is func(string) bool) bool {
	for _, text := range texts {
		if is(text) {
			return true
		}
	}
	return false
}

// count returns the lines of files that are neither empty nor comments, "-" without files.
func count(t *testing.T, pattern, comment string) string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	if len(paths) == 0 {
		return "-"
	}
	n := 0
	for _, path := range paths {
		for line := range strings.Lines(read(t, path)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, comment) {
				n++
			}
		}
	}
	return fmt.Sprint(n)
}

func TestPageHasTheNumbersOfLines(t *testing.T) {
	t.Parallel()
	page := read(t, "../side-by-side.md")
	for _, model := range []string{"desk", "epidemic", "phold", "ring"} {
		python, rust := count(t, "simpy/"+model+".py", "#"), count(t, "nexosim/"+model+".rs", "//")
		cpp, here := count(t, "omnetpp/"+model+"/*", "//"), count(t, model+"_test.go", "//")
		row := fmt.Sprintf("| %s | %s | %s | %s | %s |\n", model, python, rust, cpp, here)
		require.True(t, strings.Contains(page, row), "the page lacks %s", row)
		_, output, _ := strings.Cut(read(t, model+"_test.go"), "// Output: ")
		output, _, _ = strings.Cut(output, "\n")
		require.True(t, strings.Contains(page, " | "+output+" |\n"), "the page lacks %s", output)
	}
}
