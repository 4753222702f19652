// Package plain is about values as bytes: which types hold no pointers, so that a copy of
// their bytes is a copy of them, where in such a type there is padding, and the few casts
// that treat a value as bytes or words.
//
// Messages and states that the engine saves are plain: it copies them into histories,
// checkpoints and messages to other ranks without knowing their types.
package plain
