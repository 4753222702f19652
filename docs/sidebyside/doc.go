// Package sidebyside has the programs of three pages: docs/side-by-side.md, docs/from-simpy.md and
// docs/from-omnetpp.md. They are examples, each in a file that is whole by itself. The folders simpy, nexosim and
// omnetpp have the same models for other simulators. Tests run each model under every scheduler, compare it with
// something slow, and compare the pages with the files.
package sidebyside
