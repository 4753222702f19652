// This file is the package documentation.

// Package labels writes and reads files with what a model calls its LPs (ross.Type.Label), so that a
// program without the model, such as rossreader, can show LP 7 as "router (3,4,5)".
//
// A file is CSV with a header and a line for each LP that has a label, by ascending id:
//
//	id,label
//	7,"router (3,4,5)"
//
// Such a file is a description: nothing but texts for people depends on it. So [Read] has no error:
// without a file, or with a damaged one, no LP has a label and texts show the ids alone.
package labels
