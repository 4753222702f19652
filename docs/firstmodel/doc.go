// Package firstmodel has the programs of the chapter "Your first optimistic model",
// docs/first-model.md, as examples. A test compares them with the chapter.
package firstmodel
