// Package plain treats values as bytes. It determines which types hold no pointers, so
// that a copy of their bytes is a copy of the value, and where such types have padding,
// and it has the few casts that treat a value as bytes or words.
//
// Messages and states that the engine saves are plain: it copies them into histories,
// checkpoints and messages to other ranks without knowing their types.
package plain
