// This file owns Merge: the results of an experiment from the journals of its tasks.

package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/ross-go/ross/internal/sys/atomicfile"
)

// Merge returns the results that Do would return, from journals alone: those of the tasks of an experiment that
// was divided (Experiment.Tasks), or any others of this experiment. It runs nothing and does not change the
// journals. If replications are missing, it returns an error that wraps ErrMissing and names them and their tasks.
func (e Experiment) Merge(journals ...string) (*Results, error) {
	e.Task, e.Tasks = 0, 0
	set, err := e.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(journals) == 0 {
		return nil, set.errorf("merge: no journals: name at least one")
	}
	c := newCampaign(set)
	head, err := newHead(set, thisProgram)
	if err != nil {
		return nil, set.errorf("merge: %w", err)
	}
	tasks, from := 0, ""
	seen := map[string]Responses{}
	for _, path := range journals {
		of, err := c.merge(path, head, seen)
		if err != nil {
			return nil, set.errorf("merge: journal %s: %w", path, err)
		}
		if of > 0 && tasks > 0 && of != tasks {
			return nil,
				set.errorf("merge: journal %s is one of %d tasks, and journal %s one of %d: merge the journals of one division",
					path, of, from, tasks)
		}
		if of > 0 {
			tasks, from = of, path
		}
	}
	if missing := c.missing(tasks); missing != "" {
		return nil, set.errorf("merge: %w: %s: run what is missing with the same journals, and merge all of them", ErrMissing,
			missing)
	}
	return c.results(), nil
}

// ErrMissing means that journals do not have all replications of an experiment.
var ErrMissing = errors.New("replications are missing")

// merge takes in the records of a journal. If it is that of a task, it returns how many tasks there are, otherwise 0.
func (c *campaign) merge(path string, head journalHead, seen map[string]Responses) (tasks int, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, atomicfile.Remedy(err, "name a file that exists and may be read"))
	}
	whole := content[:bytes.LastIndexByte(content, '\n')+1]
	if len(whole) == 0 {
		return 0, errNoJournal
	}
	lines := bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	var stored journalHead
	if unseal(lines[0], &stored) == nil && stored.Task != "" {
		task := 0
		if _, err := fmt.Sscanf(stored.Task, "%d/%d", &task, &tasks); err != nil || task < 0 || task >= tasks {
			return 0, fmt.Errorf("its task is %q: name another journal", stored.Task)
		}
		head.Task = stored.Task
	}
	first, err := seal(head)
	if err != nil {
		return 0, err
	}
	if err := head.compare(lines[0], first); err != nil {
		return 0, err
	}
	return tasks, readRecords(lines, seen, c.recorded)
}

// mostMissing is how many points of a task an error names.
const mostMissing = 4

// missing names the replications that are needed and not there, by task, if there are tasks; "" if none are.
func (c *campaign) missing(tasks int) string {
	byTask := map[int][]string{}
	for i, s := range c.series {
		if s.decided {
			continue
		}
		numbers := map[int][]string{}
		for n := range uint64(s.least(c.Experiment)) {
			if !s.has(n) {
				task := int(n) % max(tasks, 1)
				numbers[task] = append(numbers[task], fmt.Sprint(n))
			}
		}
		for task, list := range numbers {
			text := strings.Join(list, ", ")
			if len(list) > mostMissing {
				text = fmt.Sprintf("%s and %d more, to %s", strings.Join(list[:mostMissing], ", "), len(list)-mostMissing,
					list[len(list)-1])
			}
			byTask[task] = append(byTask[task], fmt.Sprintf("point %s: %s", c.Points[i], text))
		}
	}
	var all []string
	for _, task := range slices.Sorted(maps.Keys(byTask)) {
		points := byTask[task]
		if more := len(points) - mostMissing; more > 0 {
			points = append(points[:mostMissing], fmt.Sprintf("and those of %d more points", more))
		}
		text := strings.Join(points, "; ")
		if tasks > 0 {
			text = fmt.Sprintf("task %d/%d (%s)", task, tasks, text)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}
