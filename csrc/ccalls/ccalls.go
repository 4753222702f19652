// This file owns the functions, and their addresses.

//go:build cgo

package ccalls

// #include <stdint.h>
// typedef struct { int64_t depth, sum; double x[8]; uintptr_t least, most; } ross_call;
// static void note(ross_call *c)
// {
//     uintptr_t here = (uintptr_t)__builtin_frame_address(0);
//     if (!c->least || here < c->least) c->least = here;
//     if (here > c->most) c->most = here;
// }
// static int64_t descend(ross_call *c, int64_t n)
// {
//     volatile int64_t frame[32];
//     for (int i = 0; i < 32; i++) frame[i] = n + i;
//     note(c);
//     int64_t below = n > 0 ? descend(c, n - 1) : 0;
//     return below + frame[n % 32];
// }
// static void work(void *p)
// {
//     ross_call *c = p;
//     double a = c->x[0], b = c->x[1], d = c->x[2], e = c->x[3];
//     // over the calls: in registers that a callee keeps, or in the frame
//     c->sum = descend(c, c->depth);
//     c->x[4] = a + b, c->x[5] = b * d, c->x[6] = d - e, c->x[7] = e / a;
// }
// static void *ross_work(void) { return (void *)work; }
import "C"

import "unsafe"

// Work is the address of a function that calls itself Depth times, if it gets a Call.
func Work() unsafe.Pointer { return C.ross_work() }
