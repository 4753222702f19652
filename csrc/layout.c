//go:build cgo && !purego

/* Sizes and offsets of the structs that C shares with Go, for the test that
 * compares both. */
#include "layout.h"

#include "ladder.h"

#define AT(s, f) (uint32_t)offsetof(s, f)

static const uint32_t layout[] = {
	sizeof(ross_event), AT(ross_event, time), AT(ross_event, tie), AT(ross_event, send_time),
	AT(ross_event, src), AT(ross_event, prio), AT(ross_event, dst), AT(ross_event, lineage),
	AT(ross_event, bits), AT(ross_event, type), AT(ross_event, state), AT(ross_event, size_class),
	sizeof(ross_node), AT(ross_node, tie), AT(ross_node, parent), AT(ross_node, jump),
	AT(ross_node, depth), AT(ross_node, refs),
	sizeof(ross_key), AT(ross_key, ts), AT(ross_key, lo),
	sizeof(ross_window), AT(ross_window, keys), AT(ross_window, n), AT(ross_window, cap),
	AT(ross_window, bound_ts), AT(ross_window, bound_lo), AT(ross_window, stage),
	AT(ross_window, staged), AT(ross_window, stage_cap), AT(ross_window, tie_min),
	AT(ross_window, tie), AT(ross_window, failed), AT(ross_window, far),
	AT(ross_window, bytes),
	ROSS_PENDING, ROSS_TIED,
};

uint32_t ross_layout(uint32_t i)
{
	return i < sizeof layout / sizeof *layout ? layout[i] : UINT32_MAX;
}
