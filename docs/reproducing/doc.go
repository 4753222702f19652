// Package reproducing has the test of docs/reproducing.md: its commands print what it shows.
package reproducing
