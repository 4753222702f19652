// This file owns what is known of the compiler of the C code, for records of runs.

//go:build cgo && !purego

package csrc

/*
#if defined __clang__
static const char ross_compiler[] = __VERSION__;
#else
static const char ross_compiler[] = "gcc " __VERSION__;
#endif
static const char *ross_compiled_by(void) { return ross_compiler; }
*/
import "C"

// Compiler returns the name and version of the C compiler, such as "gcc 14.2.0".
func Compiler() string { return C.GoString(C.ross_compiled_by()) }
