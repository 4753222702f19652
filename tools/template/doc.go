// Package template only has a test. It releases all modules of a copy of this repository (tools/release.sh), with a
// module proxy that has nothing but files. From there it gets the core, installs rossreader, and makes a module from
// program/template, as gonew does for a user, in which it does what program/template/README.md says.
package template
