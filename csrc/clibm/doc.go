// Package clibm calls the C library's functions, for tests that compare them with those of package
// libm. Nothing else imports it.
package clibm
