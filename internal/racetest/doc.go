// Package racetest is for tests that show that the race detector finds a race.
package racetest
