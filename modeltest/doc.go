// Package modeltest tests.
package modeltest
