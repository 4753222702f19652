// This file owns the paths of the server, and what it keeps.

package serve

import (
	"bytes"
	_ "embed" // the pages
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/ross-go/ross/cmd/rossreader/internal/figures"
	"github.com/ross-go/ross/cmd/rossreader/internal/report"
	"github.com/ross-go/ross/cmd/rossreader/internal/runlist"
	"github.com/ross-go/ross/instr"
)

const (
	fresh    = time.Second // how long a list of runs is used
	mostKept = 8           // reports that are kept

	mostJudged  = 50       // runs, the newest ones, whose findings the list has
	largeJudged = 32 << 20 // bytes of the files of a run from which it has not
)

//go:embed pages.html
var pagesHTML string

var pages = template.Must(template.New("pages").Parse(pagesHTML))

// policies of the pages. That of a report forbids all connections, and is in the report as well.
const (
	framePolicy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	figuresPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'; " +
		"base-uri 'none'; frame-ancestors 'none'"
	reportPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; frame-ancestors 'self'"
)

// entry is a run of the list.
type entry = runlist.Run

// server serves the runs below a folder.
type server struct {
	root string
	now  func() time.Time
	page func(w *bytes.Buffer, run, base *entry) error

	listing sync.Mutex // held while the folder is read
	read    time.Time  // when it was
	runs    []*entry
	cut     bool
	err     error

	judging sync.Mutex // held while findings are made
	judged  map[string]judged

	statistics *figures.Reader

	making sync.Mutex // held while a report is made
	kept   []keptPage // the newest last
}

// judged is what the report of a run finds, and the word of the files.
type judged struct {
	word  uint64
	found []string
	known bool
}

// keptPage is a report, and the word of the files that it is made of.
type keptPage struct {
	query, word string
	page        []byte
}

func newServer(root string) *server {
	return &server{root: root, now: time.Now, judged: map[string]judged{}, statistics: figures.NewReader(),
		page: func(w *bytes.Buffer, run, base *entry) error {
			if base == nil {
				return report.Page(w, run.Dir, "", true)
			}
			return report.Page(w, run.Dir, base.Dir, true)
		}}
}

// handler returns the paths.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.list)
	mux.HandleFunc("GET /view", s.view)
	mux.HandleFunc("GET /report", s.report)
	mux.HandleFunc("GET /state", s.state)
	mux.HandleFunc("GET /figures", s.figures)
	mux.HandleFunc("GET /figures/data", s.figuresData)
	return mux
}

// all returns the runs.
func (s *server) all() ([]*entry, bool, error) {
	s.listing.Lock()
	defer s.listing.Unlock()
	if now := s.now(); s.read.IsZero() || now.Sub(s.read) >= fresh || now.Before(s.read) {
		s.runs, s.cut, s.err = runlist.Scan(s.root)
		s.read = s.now()
	}
	return s.runs, s.cut, s.err
}

// asked returns the run and the base that a request names; base is nil if it names none. It has
// answered the request if ok is false.
func (s *server) asked(w http.ResponseWriter, r *http.Request) (run, base *entry, ok bool) {
	runs, _, err := s.all()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return nil, nil, false
	}
	find := func(name string) *entry {
		if i := slices.IndexFunc(runs, func(e *entry) bool { return e.Name == name }); i >= 0 {
			return runs[i]
		}
		return nil
	}
	q := r.URL.Query()
	run = find(q.Get("run"))
	if name := q.Get("base"); name != "" {
		base = find(name)
	}
	if run == nil || base == nil && q.Get("base") != "" {
		http.Error(w, "rossreader: no such run: choose one of the list at /", http.StatusNotFound)
		return nil, nil, false
	}
	return run, base, true
}

// query names a run and a base.
func query(run, base *entry) string {
	q := url.Values{"run": {run.Name}}
	if base != nil {
		q.Set("base", base.Name)
	}
	return q.Encode()
}

// word changes with the files of a run and a base.
func word(run, base *entry) string {
	text := fmt.Sprintf("%x", run.Word)
	if base != nil {
		text += fmt.Sprintf("-%x", base.Word)
	}
	return text
}

// wordOf changes when the list does.
func wordOf(runs []*entry) string {
	sum := uint64(len(runs))
	for i, e := range runs {
		sum = sum*31 + e.Word + uint64(i)
	}
	return fmt.Sprintf("%x", sum)
}

func (s *server) list(w http.ResponseWriter, r *http.Request) {
	runs, cut, err := s.all()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.show(w, "list", struct {
		Root, Word string
		Runs       []listed
		Columns    []string
		Cut        bool
	}{s.root, wordOf(runs), s.listed(runs), runlist.Differing(runs), cut})
}

// listed is a run of the list.
type listed struct {
	*entry
	Found []string
	Known bool // whether the findings are
}

// Findings returns how many there are, "–" if that is not known.
func (l listed) Findings() string {
	if !l.Known {
		return "–"
	}
	return strconv.Itoa(len(l.Found))
}

// listed returns the runs with the findings of the newest ones.
func (s *server) listed(runs []*entry) (all []listed) {
	s.judging.Lock()
	defer s.judging.Unlock()
	now := map[string]judged{}
	for i, e := range runs {
		j := s.judged[e.Name]
		if j.word != e.Word {
			j = judged{word: e.Word}
			if i < mostJudged && e.Size < largeJudged && (e.Info == nil || e.Info.State != instr.RunRunning) {
				found, err := report.Findings(e.Dir)
				j.found, j.known = found, err == nil
			}
		}
		now[e.Name] = j
		all = append(all, listed{e, j.found, j.known})
	}
	s.judged = now
	return all
}

func (s *server) view(w http.ResponseWriter, r *http.Request) {
	run, base, ok := s.asked(w, r)
	if !ok {
		return
	}
	runs, _, _ := s.all()
	s.show(w, "view", struct {
		Run, Base *entry
		Word      string
		Runs      []*entry
	}{run, base, word(run, base), runs})
}

func (s *server) show(w http.ResponseWriter, name string, data any) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", framePolicy)
	_, _ = w.Write(b.Bytes())
}

func (s *server) state(w http.ResponseWriter, r *http.Request) {
	text := ""
	if r.URL.Query().Has("run") {
		run, base, ok := s.asked(w, r)
		if !ok {
			return
		}
		text = word(run, base)
	} else {
		runs, _, err := s.all()
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		text = wordOf(runs)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(text))
}

// figures shows the page with figures of all runs.
func (s *server) figures(w http.ResponseWriter, _ *http.Request) {
	s.answer(w, "text/html; charset=utf-8", func(p *figures.Page, w io.Writer, word string) error {
		return p.WriteServed(w, word)
	})
}

// figuresData answers with the data of that page.
func (s *server) figuresData(w http.ResponseWriter, _ *http.Request) {
	s.answer(w, "application/json", func(p *figures.Page, w io.Writer, word string) error { return p.WriteData(w, word) })
}

// answer answers with what is made of the figures.
func (s *server) answer(w http.ResponseWriter, kind string,
	write func(p *figures.Page, w io.Writer, word string) error) {
	runs, cut, err := s.all()
	var b bytes.Buffer
	if err == nil {
		err = write(s.statistics.Page(s.root, runs, cut), &b, wordOf(runs))
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Security-Policy", figuresPolicy)
	_, _ = w.Write(b.Bytes())
}

func (s *server) report(w http.ResponseWriter, r *http.Request) {
	run, base, ok := s.asked(w, r)
	if !ok {
		return
	}
	page, err := s.made(run, base)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", reportPolicy)
	_, _ = w.Write(page)
}

// made returns a report: one that is kept, or a new one.
func (s *server) made(run, base *entry) ([]byte, error) {
	s.making.Lock()
	defer s.making.Unlock()
	q, now := query(run, base), word(run, base)
	for _, k := range s.kept {
		if k.query == q && k.word == now {
			return k.page, nil
		}
	}
	var b bytes.Buffer
	if err := s.page(&b, run, base); err != nil {
		return nil, err
	}
	s.kept = slices.DeleteFunc(s.kept, func(k keptPage) bool { return k.query == q })
	if len(s.kept) == mostKept {
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.kept = append(s.kept, keptPage{q, now, b.Bytes()})
	return b.Bytes(), nil
}
