/* The C interface of ROSS: models include this header and nothing else. docs/c-models.md says what it has. */
#ifndef ROSS_H
#define ROSS_H

#ifdef ROSS_IN_GO /* the functions of LPs are in a package of a Go program */
#include "ross-weak.h"
#endif

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "ross-extern.h"
#include "ross-instr.h"
#ifdef USE_RIO
#include "ross-io.h"
#endif
#include "ross-refused.h"

#endif
