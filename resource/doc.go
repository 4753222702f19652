// Package resource has servers with queues for the states of LPs.
package resource
