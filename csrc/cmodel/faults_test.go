//go:build cgo && linux

// What a Go program or its C types do wrong gets an error that says what and where.

package cmodel_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ross-go/ross"
	"github.com/ross-go/ross/csrc/cmodel"
	"github.com/ross-go/ross/csrc/cmodel/testdata/mixed"
	"github.com/ross-go/ross/internal/testkit"
)

// faultVariable says which fault this process is to have, with which scheduler: a test has started it.
const faultVariable = "ROSS_TEST_FAULT"

func TestMain(m *testing.M) {
	if text := os.Getenv(faultVariable); text != "" {
		number, scheduler, _ := strings.Cut(text, " ")
		fault, _ := strconv.Atoi(number)
		synch, _ := strconv.Atoi(scheduler)
		_, err := ross.Run(context.Background(), config(ross.Scheduler(synch), 1+synch/2), mixed.Setup{Fault: fault}.Mixed()...)
		fmt.Println("the run has ended:", err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestFaultsInCEndTheProgramWithTheLP(t *testing.T) {
	for _, c := range []struct {
		fault     int
		out, errs string
	}{
		{mixed.Crash, "", "ross: LP 8 at 2."},
		{mixed.Crash, "", ": its event handler caused signal 11 (SIGSEGV) at address"},
		{mixed.Deep, "", ": its event handler has used up its stack of 1048576 bytes: use less"},
		{mixed.GiveUp, ": LP 8 gives up\n", ""},
		{mixed.Runs, ": tw_run: the Go program makes and runs the simulation: ross.Run\n", ""},
	} {
		for _, synch := range []ross.Scheduler{ross.Sequential, ross.Optimistic} {
			ctx, cancel := context.WithTimeout(t.Context(), testkit.Limit(t))
			cmd := exec.CommandContext(ctx, os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", faultVariable, c.fault, synch))
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.Error(t, cmd.Run(), "fault %d: %s", c.fault, out.String())
			cancel()
			require.Contains(t, out.String(), c.out, errs.String())
			require.Contains(t, errs.String(), c.errs, out.String())
			require.NotContains(t, out.String(), "the run has ended")
		}
	}
}

func TestMistakesOfCHandlersAreErrors(t *testing.T) {
	for _, c := range []struct {
		synch ross.Scheduler
		fault int
		says  string // a regular expression
	}{
		{ross.RollbackCheck, mixed.Forget, `LP 8 "desk 2" \(server\) at time 2\.[0-9]*: Reverse of the event .* left the state different: .*byte 16 of the state\)? is `},
		{ross.Optimistic, mixed.Destination, `LP 8 "desk 2" \(server\) at time .*: sent an event \(mixed\.Job\) to LP 1000: no such LP: ids go from 0 to 11`},
	} {
		_, err := ross.Run(context.Background(), config(c.synch, 1), mixed.Setup{Fault: c.fault}.Mixed()...)
		require.Error(t, err)
		require.Regexp(t, c.says, err.Error())
	}
}

// other is a message that C types do not have.
type other struct{ N int64 }

func TestMistakesOfGoHandlersAreErrors(t *testing.T) {
	servers := mixed.Setup{}.Mixed()[1:]
	job := func(_ *other, lp *ross.LP) {
		ross.Send(lp, mixed.Sources, 1, mixed.Job{From: uint32(lp.ID()), Kind: mixed.Work, Hops: 9})
	}
	run := func(source ross.Type[other]) error {
		source.Name, source.LPs = "source", mixed.Sources
		_, err := ross.Run(context.Background(), config(ross.Optimistic, 2), append([]ross.LPType{source}, servers...)...)
		require.Error(t, err)
		return err
	}
	err := run(ross.Type[other]{Init: job, Event: ross.On(func(*other, *ross.LP, *other) {})})
	require.Regexp(t, `LP 6 "desk 0" \(server\) at time .*: sent LP [0-5] .* \(mixed\.Job\): wrong message type: send what its type's Event expects, cmodel_test\.other`, err.Error())
	err = run(ross.Type[other]{Init: func(_ *other, lp *ross.LP) { ross.Send(lp, mixed.Sources, 1, other{}) }, Event: ross.On(func(*other, *ross.LP, *other) {})})
	require.Contains(t, err.Error(), "send what its type's Event expects, mixed.Job")
	var nowhere *other
	err = run(ross.Type[other]{Init: job, Event: ross.On(func(s *other, _ *ross.LP, _ *mixed.Job) { s.N = nowhere.N })})
	require.Regexp(t, `LP [0-5] \(source\) at time .*nil pointer dereference`, err.Error())
}

func TestWrongTypesAreRefused(t *testing.T) {
	good := func() cmodel.Type[mixed.Job] { return mixed.Clerk() }
	wrong := func(change func(*cmodel.Type[mixed.Job])) ross.LPType {
		c := good()
		change(&c)
		return c.LPType()
	}
	type pointing struct{ P *int }
	define := func(types ...ross.LPType) error {
		sim, err := ross.New(ross.Config{LPs: ross.CountLPs(types...)})
		require.NoError(t, err)
		defer func() { require.NoError(t, sim.Close()) }()
		return sim.Define(types...)
	}
	for _, c := range []struct {
		types []ross.LPType
		says  string
	}{
		{[]ross.LPType{wrong(func(c *cmodel.Type[mixed.Job]) { c.C = nil })}, `LP type "clerk": C is nil: `},
		{[]ross.LPType{wrong(func(c *cmodel.Type[mixed.Job]) { c.MessageSize = 20 })}, `LP type "clerk": message mixed.Job has 24 bytes, and MessageSize is 20: `},
		{[]ross.LPType{wrong(func(c *cmodel.Type[mixed.Job]) { c.C = mixed.Old() })}, `LP type "clerk": state_sz is 0 and a number stands where a function should: `},
		{[]ross.LPType{cmodel.Type[pointing]{C: good().C, MessageSize: 8, LPs: 1}.LPType()}, `LP type "C type": message: cmodel_test.pointing.P is a ptr: `},
		{[]ross.LPType{good().LPType(), mixed.ByCgo()}, `C types "clerk" and "C type" have messages mixed.Job and mixed._Ctype_struct_job: `},
	} {
		err := define(c.types...)
		require.ErrorIs(t, err, ross.ErrModel)
		require.Contains(t, err.Error(), c.says)
	}
	mixed.SetHook(true)
	err := define(good().LPType())
	mixed.SetHook(false)
	require.ErrorContains(t, err, "g_tw_gvt_hook is set: ")
	require.NoError(t, define(mixed.ByCgo()), "after all that nothing is left over")
}

func TestOneSimulationAtATimeRunsLPsOfC(t *testing.T) {
	cfg := ross.Config{LPs: mixed.Sources + mixed.Servers, End: 20}
	cfg.Streams.PerLP = 2
	first, err := ross.New(cfg)
	require.NoError(t, err)
	second, err := ross.New(cfg)
	require.NoError(t, err)
	servers := mixed.Setup{}.Mixed()[1:]
	within := ross.Type[other]{LPs: mixed.Sources, Event: ross.On(func(*other, *ross.LP, *other) {}), Init: func(_ *other, lp *ross.LP) {
		if lp.ID() == 0 {
			err = second.Run(t.Context())
		}
	}}
	require.NoError(t, first.Define(append([]ross.LPType{within}, servers...)...))
	require.NoError(t, second.Define(mixed.Setup{}.Mixed()...))
	require.False(t, mixed.SeesLP(mixed.Sources), "no run has begun")
	require.NoError(t, first.Run(t.Context()))
	require.ErrorIs(t, err, ross.ErrModel)
	require.ErrorContains(t, err, "another simulation with LPs of C is running, and C has one set of variables")
	require.True(t, mixed.SeesLP(mixed.Sources))
	require.False(t, mixed.SeesLP(mixed.Sources-1), "an LP of Go")
	require.Nil(t, cmodel.State(first.LP(0)))
	require.Nil(t, cmodel.State(nil))
	require.NoError(t, first.Close())
	require.False(t, mixed.SeesLP(mixed.Sources))
	require.NoError(t, second.Close())
}

// States stay as they are while another simulation runs.
func TestSimulationsRunOneAfterTheOther(t *testing.T) {
	s := mixed.Setup{}
	want := play(t, config(ross.Sequential, 1), s.Mixed()...)
	first, err := ross.Run(t.Context(), config(ross.Optimistic, 2), s.Mixed()...)
	require.NoError(t, err)
	other := config(ross.Optimistic, 3)
	other.End = 30
	require.NotEqual(t, want, play(t, other, s.Mixed()...))
	require.Equal(t, want.states, mixed.States(first))
	require.NoError(t, first.Close())
}

// init of one LP after the other: nobody else writes the static variables then. Each event is committed once.
func TestStaticVariablesOfInitAndCommits(t *testing.T) {
	mixed.NumberedLPs()
	sim, err := ross.Run(t.Context(), config(ross.Optimistic, 4), mixed.Setup{Fault: mixed.Numbered}.Mixed()...)
	require.NoError(t, err)
	require.Equal(t, 1000*mixed.Servers, mixed.NumberedLPs())
	events := int64(mixed.Committed(sim))
	for gid := range ross.LPID(mixed.Sources) {
		s := ross.StateOf[mixed.Source](sim.LP(gid))
		events += s.Sent + s.Done + s.Notes
	}
	summary := sim.Summary()
	require.Equal(t, int64(summary.NetEvents()), events)
	require.NoError(t, sim.Close())
}
