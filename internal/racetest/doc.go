// Package racetest is for tests which show that the race detector finds a race.
package racetest
