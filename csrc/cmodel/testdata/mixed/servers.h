/* What the servers of C and the sources of Go share. */
#include <ross.h>

enum { TICK, WORK, END, DONE, NOTE };

typedef struct job {
	double work;
	double was; /* for reverse */
	uint32_t from;
	uint16_t hops;
	uint8_t kind; /* and one byte of padding */
} job;

typedef struct server {
	double sum;
	uint64_t seen, served;
	uint64_t commits; /* no result depends on it */
} server;

/* What the servers do: set before a run. sources come first, and then all servers. */
typedef struct setup {
	uint32_t sources, servers;
	double gap; /* the least delay between LPs */
	int fault;  /* what the third server does wrong after time 2 */
} setup;

enum { NO_FAULT, CRASH, GIVE_UP, FORGET, DESTINATION, DEEP, NUMBERED, RUNS };

extern setup shop;
extern tw_lptype server_type, clerk_type, delta_type, old_type;
extern int numbered; /* LPs that init has numbered */
tw_lp *lp_of(tw_lpid gid);
void set_hook(int on);
