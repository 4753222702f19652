// Package ccalls has functions of C for the tests of package cstack, which calls them on a stack of theirs. Nothing
// else imports it.
package ccalls
