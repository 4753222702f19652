// Package rio stores checkpoints of simulations in files, and reads them.
package rio
