// Package template only has a test. It makes a module from the folder template of this repository, as gonew does for a
// user, with a module proxy that has nothing but files, and does there what template/README.md says.
package template
