/* For the test that compares the structs of C and Go. */
#ifndef ROSS_LAYOUT_H
#define ROSS_LAYOUT_H

#include <stdint.h>

/* ross_layout returns entry i of the table in layout.c, UINT32_MAX past it. */
uint32_t ross_layout(uint32_t i);

#endif
