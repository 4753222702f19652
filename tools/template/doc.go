// Package template only has a test. It releases all modules of a copy of this repository (tools/release.sh), with a
// module proxy that has nothing but files. From there it gets the core, installs rossreader, and makes a module from
// program/template and from proc/template, as gonew does for a user, in which it does what their READMEs say.
package template
