// This file owns the way of the settings from Config to the engine.

package ross

import "github.com/ross-go/ross/internal/settings"

// accepted are options that have no effect except on the report. Programs of ROSS give them.
type accepted struct {
	extraMem, readBuffer, sendBuffer, clockRate, sampleCount uint64
	events                                                   uint64 // that the model asks each PE for
}

// AskEvents notes how many events a model asks each PE for (g_tw_events_per_pe), and how many of them for those beyond
// the end of the run (g_io_events_buffered_per_rank). The report of ROSS shows the first number. It has no other effect,
// because memory grows as a run needs it.
func (c *Config) AskEvents(perPE, _ uint64) { c.accepted.events = perPE }

// settings returns the settings that the engine uses.
func (c *Config) settings() *settings.Settings {
	in, cp, tune := &c.Instruments, &c.Checkpoints, &c.Tuning
	to := &settings.Settings{
		Synch: settings.Scheduler(c.Synch), PEs: c.PEs, NKP: uint64(c.NKP), NLP: uint64(c.NLP), TotalLPs: uint64(c.LPs), End: c.End, WarmUp: c.WarmUp,
		ConsLookahead: c.ConsLookahead, Seed: c.Seed, Replication: c.Replication, ReportInterval: c.ReportInterval,
		Seeds: c.Streams.Seeds, CoreSeeds: c.Streams.CoreSeeds, RNGsPerLP: uint64(c.Streams.PerLP),
		MaxMemory: c.MaxMemory, MaxChain: uint64(c.MaxChain), Digest: c.Digest, Watch: c.Watch, Dir: c.Dir,
		Statistics: int(c.Statistics), Quantiles: c.Quantiles, ClockRate: c.accepted.clockRate,

		Batch: uint64(tune.Batch), GVTInterval: uint64(tune.GVTInterval), FixedGVT: tune.FixedGVT, MaxOptLookahead: tune.MaxOptLookahead,
		BuddySize: uint(tune.BuddySize), LZ4Knob: tune.LZ4Knob, AVLSize: uint(tune.AVLSize), PQ: tune.PQ.String(), AVL: tune.AVL.String(),

		NumGVT: uint64(in.EveryGVTs), RTInterval: in.RealInterval, VTInterval: in.VirtualInterval, VTSampEnd: in.VirtualEnd,
		PEData: !in.WithoutPEs, KPData: in.KPs, LPData: in.LPs, EventTrace: int(in.Trace), StatsPrefix: in.Prefix, StatsPath: in.Path,
		BufferSize: uint64(in.BufferSize), BufferFree: uint64(in.BufferFree), StatsLimit: in.Limit, DisableOutput: in.Discard,

		IOFiles: uint64(cp.Files), IOName: cp.Name, IOInterval: cp.Interval, IOVirtualInterval: cp.VirtualInterval, IOOnExit: cp.OnExit,
		IOKeep: uint64(cp.Keep), IORestart: cp.Restart, IOCompress: cp.Compress, IOAsROSS: cp.AsROSS, IOOtherOptions: cp.OtherOptions,

		Knobs: c.knobs.Knobs,
	}
	to.EngineStats, to.ModelStats = uint8(in.Engine), uint8(in.Model)
	to.Report, to.Balance = "full", settings.DefaultBalance
	if c.ShortReport {
		to.Report = "short"
	}
	switch {
	case tune.FixedKPs:
		to.Balance = "off"
	case c.knobs.Moves:
		to.Balance = "on"
	}
	return to
}
