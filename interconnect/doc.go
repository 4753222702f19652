// Package interconnect simulates interconnection networks.
package interconnect
