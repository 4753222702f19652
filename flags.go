// This file owns the table that binds Config to its flags, and the names under which models see package cmdline. Names,
// groups, order and help texts of flags are those of ROSS, including the flags of its former versions. Where a text of
// ROSS is wrong, an additional line corrects it; its typing error in --synch is corrected.

package ross

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ross-go/ross/internal/num/statistic"
	"github.com/ross-go/ross/internal/output/checkpoint"
	"github.com/ross-go/ross/program/cmdline"
)

// Register adds the engine's groups of options, which write to c. The values in c are the defaults. Call it once.
// Options.Parse then also sets c.Args and calls c.Validate.
func (c *Config) Register(o *Options) {
	c.fill()
	c.registerKernel(o)
	c.registerInstrumentation(o.EngineGroup("ROSS Instrumentation"))

	g := o.EngineGroup("Specialized ROSS LPs")
	cmdline.Idle(g, &c.accepted.sampleCount, "sample-count",
		"Number of samples to allocate in memory\naccepted without effect")
	g = o.EngineGroup("RIO")
	g.Count(&c.Checkpoints.Files, "io-files", "io files")
	g.String(&c.Checkpoints.Name, "io-name", "path and beginning of the name of the checkpoints of a running simulation")
	cmdline.Add(g, &c.Checkpoints.Interval, "io-interval", "dbl",
		"seconds between checkpoints of a running simulation; 0 none", parseSeconds, formatSeconds)
	g.Float64(&c.Checkpoints.VirtualInterval, "io-virtual-interval", "virtual time between them; 0 none")
	g.Count(&c.Checkpoints.Keep, "io-keep", "number of them that are kept")
	g.Bool(&c.Checkpoints.OnExit, "io-on-exit", "store one more when a signal stops the run")
	g.String(&c.Checkpoints.Restart, "io-restart", "checkpoint to start from, or latest")
	g.Bool(&c.Checkpoints.Compress, "io-compress", "compress checkpoints with LZ4")
	g.Bool(&c.Checkpoints.AsROSS, "io-as-ross", "load with the clock at 0 and fresh tie-breakers, as ROSS does")
	g.Bool(&c.Checkpoints.OtherOptions, "io-other-options",
		"load a checkpoint that was stored with other options of the model")
	g.Bool(&c.Checkpoints.Branch, "io-branch", "go on from a checkpoint with the random streams of --seed and --replication")

	o.OnMain(func(log *slog.Logger) {
		if c.Log == nil {
			c.Log = log
		}
	})
	o.AfterParse(func(args []string) error {
		c.Args, c.modelOptions, c.varying = args, items(o.Model()), checkpoint.Varying(o.Model())
		c.written = o.Written()
		return c.Validate()
	})
}

// RegisterLPs adds the flags --nlp and --lps, which set NLP and LPs, to a group of the model. The values in c are
// the defaults. A command line with one of them ignores the default of the other; with both, Validate returns an
// ErrUsage. After New, Simulation.TotalLPs is the number of LPs in either case.
func (c *Config) RegisterLPs(g *Group) {
	c.fill()
	cmdline.Add(g, &c.NLP, "nlp", "n", "number of LPs per processor", func(text string) (int, error) {
		if c.nlpGiven = true; !c.lpsGiven {
			c.LPs = 0
		}
		return cmdline.ParseCount(text)
	}, strconv.Itoa)
	cmdline.Add(g, &c.LPs, "lps", "n", "number of LPs on all processors together; 0 = as --nlp says",
		func(text string) (int, error) {
			c.lpsGiven = true
			return cmdline.ParseCount(text)
		}, strconv.Itoa)
}

// registerKernel adds the options of the engine itself.
func (c *Config) registerKernel(o *Options) {
	g := o.EngineGroup("ROSS MPI Kernel")
	cmdline.Idle(g, &c.accepted.readBuffer, "read-buffer",
		"network read buffer size in # of events\nwithout effect except on the report")
	cmdline.Idle(g, &c.accepted.sendBuffer, "send-buffer",
		"network send buffer size in # of events\naccepted without effect")

	g = o.EngineGroup("ROSS Kernel")
	cmdline.Add(g, &c.Synch, "synch", "n",
		"Synchronization protocol: SEQUENTIAL=1, CONSERVATIVE=2, OPTIMISTIC=3, OPTIMISTIC_DEBUG=4, "+
			"OPTIMISTIC_REALTIME=5, SEQUENTIAL_ROLLBACK_CHECK=6\nor by name: "+allSchedulers(), parseScheduler, formatScheduler)
	g.Choices("synch", append(schedulerNames[Sequential:], autoName)...)
	g.Count(&c.NKP, "nkp", "number of kernel processes (KPs) per pe\nthose beyond the LPs of a pe stay empty")
	g.Float64(&c.End, "end", "simulation end timestamp")
	g.Count(&c.Tuning.Batch, "batch", "messages per scheduler block")
	cmdline.Idle(g, &c.accepted.extraMem, "extramem",
		"Number of extra events allocated per PE.\nwithout effect except on the report")
	g.Count(&c.Tuning.BuddySize, "buddy-size", "delta encoding buddy system allocation (2^X)")
	g.Int(&c.Tuning.LZ4Knob, "lz4-knob", "LZ4 acceleration factor (higher = faster)")
	g.Float64(&c.ConsLookahead, "cons-lookahead", "Set g_tw_lookahead")
	cmdline.Add(g, (*level)(&c.Tuning.MaxOptLookahead), "max-opt-lookahead", "n",
		"Optimistic simulation: maximum lookahead allowed in virtual clock time", parseMaxLookahead, formatMaxLookahead)
	g.Count(&c.Tuning.AVLSize, "avl-size", "AVL Tree contains 2^avl-size nodes\nin fact room for so many events of other ranks in their index, at first: it grows")
	for i := range c.Streams.Seeds {
		g.Uint64(&c.Streams.Seeds[i], fmt.Sprintf("rng-seed%d", i+1), fmt.Sprintf("ROSS RNG Seed %d of 4", i+1))
	}
	for i := range c.Streams.CoreSeeds {
		g.Uint64(&c.Streams.CoreSeeds[i], fmt.Sprintf("core-rng-seed%d", i+1), fmt.Sprintf("ROSS Core RNG Seed %d of 4", i+1))
	}
	g.ArgsFile(&c.ArgsFileText, "ROSS Command Line Args File")
	g.Float64(&c.WarmUp, "warm-up", "virtual time at which the statistics of the model begin")
	cmdline.Add(g, &c.PEs, "pes", "n",
		"number of PEs that run as threads of this process; 0 = one for each processor that Go uses (GOMAXPROCS);"+
			" without this option --synch=auto chooses it if --lps is given", func(text string) (int, error) {
			c.pesGiven = true
			return cmdline.ParseInt(text)
		}, strconv.Itoa)
	g.Count(&c.Ranks, "ranks",
		"number of processes that take part, on this machine and without MPI: the first starts the others; 1 = those of mpirun")
	g.Bytes(&c.MaxMemory, "max-memory",
		"ceiling on memory for events and states, such as 64M or 2G; 0 = 80 % of free memory")
	g.Count(&c.MaxChain, "max-chain", "most events without delay in a chain, at one virtual time; 0 = no limit")
	g.Uint64(&c.Seed, "seed",
		"a number from which all seeds of the run are made; 0 = those of ROSS, or of --rng-seed1 to 4 and --core-rng-seed1 to 4")
	g.Uint64(&c.Replication, "replication",
		"number of the run among those with the same seeds: each draws from other parts of the streams")
	g.Bool(&c.Digest, "digest", "print a digest of the committed events and one of the final states")
	cmdline.Add(g, &c.Record, "record", "str",
		"record the run in run.json, for rossreader verify: off, run, or lps, with a file of the digests of all LPs",
		parseRecording, Recording.String)
	g.Choices("record", recordingNames[:]...)
	g.String(&c.Watch, "watch",
		"print the committed events of these LPs: ids or labels, such as 7@10..20,\"router (3,4)\"@..5")
	g.Count(&c.WatchLimit, "watch-limit", "most lines of --watch; 0 = no limit")
	either(g, &c.ShortReport, "report",
		"the report: full, as ROSS prints it, or short, what ran and how it went in about ten lines", "full", "short")
	either(g, &c.Tuning.FixedKPs, "balance",
		"whether KPs move between the PEs of a process while the run goes on: on or off", "on", "off")
	cmdline.Add(g, &c.Tuning.Bind, "bind", "str",
		"what the threads of PEs are bound to: none, cores, sockets, or auto, sockets if the run fills several", parseBinding,
		Binding.String)
	g.Choices("bind", bindingNames[:]...)
	g.String(&c.Dir, "report-path", "folder for ross.csv and ross_all_lp_stats; empty: neither is written")
	implementation(g, &c.Tuning.PQ, "pq", "implementation of the event queue: c, go, or empty for the best there is")
	implementation(g, &c.Tuning.AVL, "avl",
		"implementation of the trees in the index of events from other ranks: c, go, or empty for the best there is")
	implementation(g, &c.Tuning.Buddy, "buddy",
		"implementation of the memory pools of deltas, blocks and large messages: c, go, or empty for the best there is")

	g = o.EngineGroup("ROSS MPI GVT")
	g.Count(&c.Tuning.GVTInterval, "gvt-interval",
		"GVT Interval: Iterations through scheduling loop (synch=1,2,3,4), or ms between GVTs (synch=5)"+
			"\nsynch=1, 4 and 6 compute no GVT; 2 and 3 stretch the interval as GVT costs, unless --fixed-gvt is given")
	cmdline.Add(g, &c.ReportInterval, "report-interval", "dbl", "percent of runtime to print GVT"+
		"\na fraction, not percent: 0.01 is 1 percent; 0 and 1 print nothing; with synch=1 it is always 0.01;"+
		" without this option nothing is printed to a file or a pipe", func(text string) (float64, error) {
		c.linesGiven = true
		return cmdline.ParseFloat(text)
	}, func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) })
	g.Bool(&c.Tuning.FixedGVT, "fixed-gvt", "keep the GVT interval as it is, instead of stretching it as GVT costs")

	g = o.EngineGroup("ROSS Timing")
	cmdline.Idle(g, &c.accepted.clockRate, "clock-rate", "CPU Clock Rate\nwithout effect except on the report")
}

// registerInstrumentation adds the options of the instrumentation.
func (c *Config) registerInstrumentation(g *Group) {
	const modes = "; 0 don't collect, 1 GVT-sampling, 2 RT sampling, 3 VT sampling, 4 "
	cmdline.Add(g, &c.Instruments.Engine, "engine-stats", "n", "Collect sim engine level stats"+modes+"All sampling modes",
		parseSampling, formatSampling)
	cmdline.Add(g, &c.Instruments.Model, "model-stats", "n",
		"Collect model level stats (requires model-level implementation)"+modes+"all sampling modes", parseSampling,
		formatSampling)
	each := new(eachGVT)
	cmdline.Add(g, &c.Instruments.EveryGVTs, "num-gvt", "n",
		"number of GVT computations between GVT-based sampling points", func(text string) (int, error) {
			*each = eachGVT{given: true}
			return cmdline.ParseCount(text)
		}, strconv.Itoa)
	cmdline.Add(g, &c.Instruments.RealInterval, "rt-interval", "n", "real time sampling interval in ms", parseMilliseconds,
		formatMilliseconds)
	g.Float64(&c.Instruments.VirtualInterval, "vt-interval", "Virtual time sampling interval")
	g.Float64(&c.Instruments.VirtualEnd, "vt-samp-end",
		"End time for virtual time sampling (if different from g_tw_ts_end)")
	onOff(g, &c.Instruments.WithoutPEs, true, "pe-data", "Turn on/off collection of sim engine data at PE level")
	onOff(g, &c.Instruments.KPs, false, "kp-data", "Turn on/off collection of sim engine data at KP level")
	onOff(g, &c.Instruments.LPs, false, "lp-data", "Turn on/off collection of sim engine data at LP level")
	cmdline.Add(g, &c.Instruments.Trace, "event-trace", "n",
		"collect detailed data on all events for specified LPs; 0, no trace, "+
			"1 full trace, 2 only events causing rollbacks, 3 only committed events", func(text string) (TraceKind, error) {
			n, err := cmdline.ParseInt(text)
			return TraceKind(n), err
		}, func(k TraceKind) string { return strconv.Itoa(int(k)) })
	g.String(&c.Instruments.Prefix, "stats-prefix", "prefix for filename(s) for stats output")
	g.String(&c.Instruments.Path, "stats-path", "path to directory to save instrumentation output")
	g.Count(&c.Instruments.BufferSize, "buffer-size", "size of buffer in bytes for stats collection")
	g.Count(&c.Instruments.BufferFree, "buffer-free", "percentage of free space left in buffer before writing out at GVT"+
		"\nin fact the percentage in use, as in ROSS: 15 writes out when 15 percent are full")
	onOff(g, &c.Instruments.Discard, false, "disable-output",
		"used for perturbation analysis; buffer never dumped to file when 1")
	onOff(g, &c.Instruments.TraceExact, false, "trace-exact",
		"add exact times and what tells the cause of each event to the event trace, 48 bytes an event")
	g.Bytes(&c.Instruments.Limit, "stats-limit",
		"ceiling on the files of the collection, such as 10G, at which it ends and the run goes on; 0 = none")
	cmdline.Add(g, &c.Statistics, "statistics", "n",
		"statistics of the model at the end of the run; 0 none, or the sum of 1 in the report, 2 in files, 4 in a file with a line for each LP", parseForm, func(f StatisticsForm) string { return strconv.Itoa(int(f)) })
	cmdline.Add(g, &c.Quantiles, "quantiles", "list",
		"quantiles that tables of statistics have of histograms, such as 0.5,0.95; empty for those that the model chooses",
		parseQuantiles, formatQuantiles)
	cmdline.Add(g, &c.Results, "results", "list",
		"statistics that the report shows, or results that a study shows, with commas between them; empty for all",
		parseResults, func(names []string) string { return strings.Join(names, ",") })
	c.registerFormer(g, each)
}

// registerFormer adds the flags of the instrumentation of 2016, which current versions of ROSS refuse. --help
// hides them, and a model may use their names for its own options.
func (c *Config) registerFormer(g *Group, each *eachGVT) {
	former := func(name, help string, v flag.Value) { g.Former(v, name, help) }
	sampling := func(mode Sampling, interval func(n uint64)) cmdline.Action {
		return func(text string) error {
			n, err := cmdline.ParseUint64(text)
			if err != nil {
				return err
			}
			if c.Instruments.Engine &^= mode; n != 0 {
				c.Instruments.Engine |= mode
				interval(n)
			}
			return nil
		}
	}
	gvt := sampling(SampleByGVT, func(uint64) {})
	former("enable-gvt-stats", "former name of --engine-stats=1 --num-gvt=1", cmdline.Action(func(text string) error {
		err := gvt(text)
		if n, _ := cmdline.ParseUint64(text); err == nil {
			each.set(&c.Instruments.EveryGVTs, n != 0)
		}
		return err
	}))
	former("real-time-samp", "former name of --engine-stats=2 --rt-interval=n",
		sampling(SampleByRealTime, func(n uint64) { c.Instruments.RealInterval = milliseconds(n) }))
	former("time-interval", "former name of --engine-stats=3 --vt-interval=n",
		sampling(SampleByVirtualTime, func(n uint64) { c.Instruments.VirtualInterval = float64(n) }))
	former("stats-filename", "former name of --stats-prefix", cmdline.Action(func(text string) error {
		c.Instruments.Prefix = text
		return nil
	}))
	// pe-per-file was the number of PEs that share a file. Now each file holds the records of all PEs, with their PE.
	former("pe-per-file", "accepted without effect", cmdline.Action(func(text string) error {
		if text == "" {
			text = "0"
		}
		_, err := cmdline.ParseUint64(text)
		c.ignored = append(c.ignored, "Option --pe-per-file is ignored: each file holds the records of all PEs")
		return err
	}))
}

// eachGVT is what --enable-gvt-stats, which samples at each GVT, has to know about --num-gvt.
type eachGVT struct {
	given  bool // it was given, and holds
	before int  // what it was, 0 if it has not been changed
}

// set switches samples at each GVT on or off.
func (e *eachGVT) set(numGVT *int, on bool) {
	switch {
	case e.given:
	case on && e.before == 0:
		e.before, *numGVT = *numGVT, 1
	case !on && e.before != 0:
		*numGVT, e.before = e.before, 0
	}
}

// RegisterFlags adds the engine's options to the flags of a program that parses its command line with package
// flag. The values in c are the defaults. Call Validate after parsing. An arguments file may set every flag of fs.
//
// If fs already has a flag of one of the names, RegisterFlags returns an ErrUsage and adds none.
func (c *Config) RegisterFlags(fs *flag.FlagSet) error {
	o := NewOptions(fs.Name())
	c.Register(o)
	return o.AddTo(fs)
}

// Options holds the options that a program accepts on its command line. A model registers its
// own groups of options with Options.Group and the engine's with Config.Register; Options.Main
// reads the command line.
type Options = cmdline.Options

// Group is a set of options that --help prints under one heading (TWOPT_GROUP).
type Group = cmdline.Group

// NewOptions returns the options of a program, which at first has only --help. The name of the
// program appears in --help and at the beginning of error messages.
func NewOptions(program string) *Options { return cmdline.NewOptions(program) }

// ErrUsage matches every error about a setting (errors.Is): a word of the command line that
// cannot be read, a value out of range, or settings that contradict each other. Programs then
// exit with status 2, before anything has run.
var ErrUsage = cmdline.ErrUsage

// ErrHelp is returned by Options.Parse for --help. The program then prints Options.WriteHelp
// to standard output and exits with status 0.
var ErrHelp = cmdline.ErrHelp

// How flags read and write settings that are no plain numbers or texts.

// word and level keep package cmdline from taking a setting for a switch, and for a number with two decimals.
type (
	word  bool
	level float64
)

// either registers an option with two words: the setting is whether the second was given.
func either(g *Group, p *bool, name, help, no, yes string) {
	words := map[bool]string{false: no, true: yes}
	cmdline.Add(g, (*word)(p), name, "str", help, func(text string) (word, error) {
		if text != no && text != yes && text != "" {
			return false, fmt.Errorf("out of range; give %s or %s", no, yes)
		}
		return text == yes, nil
	}, func(x word) string { return words[bool(x)] })
	g.Choices(name, no, yes)
}

// onOff registers an option that is a number for ROSS, and here a switch; inverse says that the setting is true for 0.
func onOff(g *Group, p *bool, inverse bool, name, help string) {
	cmdline.Add(g, (*word)(p), name, "n", help, func(text string) (word, error) {
		n, err := cmdline.ParseInt(text)
		return word((n != 0) != inverse), err
	}, func(x word) string {
		if bool(x) != inverse {
			return "1"
		}
		return "0"
	})
}

// implementation registers an option that chooses between C and Go.
func implementation(g *Group, p *Implementation, name, help string) {
	cmdline.Add(g, p, name, "str", help, func(text string) (Implementation, error) {
		for i, name := range implementationNames {
			if text == name {
				return Implementation(i), nil
			}
		}
		return 0, errors.New("out of range; give c or go, or leave it out for the best there is")
	}, Implementation.String)
	g.Choices(name, "c", "go")
}

func parseBinding(text string) (Binding, error) {
	if i := slices.Index(bindingNames[:], text); i >= 0 {
		return Binding(i), nil
	}
	return 0, errors.New("out of range; give " + allBindings)
}

func parseForm(text string) (StatisticsForm, error) {
	const most = StatisticsInReport | StatisticsInFiles | StatisticsOfLPs
	n, err := cmdline.ParseInt(text)
	if err == nil && (n < 0 || n > int(most)) {
		err = fmt.Errorf("out of range; give 0 to %d", most)
	}
	return StatisticsForm(n), err
}

// The numbers of ROSS for ways to sample.
var samplingNumbers = [...]Sampling{0, SampleByGVT, SampleByRealTime, SampleByVirtualTime, SampleAll}

func parseSampling(text string) (Sampling, error) {
	n, err := cmdline.ParseInt(text)
	if err == nil && (n < 0 || n >= len(samplingNumbers)) {
		err = fmt.Errorf("out of range; give 0 to %d", len(samplingNumbers)-1)
	}
	if err != nil {
		return 0, err
	}
	return samplingNumbers[n], nil
}

// formatSampling returns the number of ROSS; two of the three ways have that of all.
func formatSampling(s Sampling) string {
	for n, of := range samplingNumbers {
		if s&^of == 0 {
			return strconv.Itoa(n)
		}
	}
	return strconv.Itoa(int(s))
}

// milliseconds returns a duration, or the longest there is.
func milliseconds(n uint64) time.Duration {
	return time.Duration(min(n, uint64(math.MaxInt64/time.Millisecond))) * time.Millisecond
}

func parseMilliseconds(text string) (time.Duration, error) {
	n, err := cmdline.ParseUint64(text)
	return milliseconds(n), err
}

func formatMilliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func parseSeconds(text string) (time.Duration, error) {
	x, err := cmdline.ParseFloat(text)
	if err == nil && !(x >= 0 && x <= maxIOInterval) {
		err = errors.New("out of range; give seconds, 0 or more, up to a billion")
	}
	return time.Duration(math.Ceil(x * float64(time.Second))), err
}

func formatSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) }

// parseMaxLookahead reads the virtual time of --max-opt-lookahead, whose default in ROSS is 2^64-1: no limit.
func parseMaxLookahead(text string) (level, error) {
	if n, err := cmdline.ParseUint64(text); err == nil && n == math.MaxUint64 {
		return level(math.Inf(1)), nil
	}
	x, err := cmdline.ParseFloat(text)
	if err == nil && !(x >= 0) {
		err = errors.New("out of range; give a virtual time of 0 or more")
	}
	return level(x), err
}

func formatMaxLookahead(x level) string {
	if math.IsInf(float64(x), 1) {
		return strconv.FormatUint(math.MaxUint64, 10)
	}
	return strconv.FormatFloat(float64(x), 'g', -1, 64)
}

// parseQuantiles reads the value of --quantiles.
func parseQuantiles(text string) ([]float64, error) {
	if text == "" {
		return nil, nil
	}
	all, err := statistic.ParseQuantiles(text, ",")
	if err != nil {
		return nil, fmt.Errorf("give %w", err)
	}
	return all, nil
}

// parseResults reads the value of --results.
func parseResults(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	names := strings.Split(text, ",")
	if slices.Contains(names, "") {
		return nil, errors.New("give names with one comma between them")
	}
	return names, nil
}

// formatQuantiles returns quantiles as parseQuantiles reads them.
func formatQuantiles(all []float64) string {
	var texts []string
	for _, q := range all {
		texts = append(texts, strconv.FormatFloat(q, 'g', -1, 64))
	}
	return strings.Join(texts, ",")
}

// quantilesError returns what is wrong with quantiles.
func quantilesError(all []float64) error {
	_, err := statistic.Quantiles(all)
	return err
}
