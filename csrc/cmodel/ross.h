/* The C interface of ROSS: models include this header and nothing else. docs/c-models.md says what it has. */
#ifndef ROSS_H
#define ROSS_H

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
