// Package workload has loads.
package workload
