/* Checkpoints that the model stores and loads itself (RIO). As with ROSS, a model that uses them is compiled with
 * -DUSE_RIO. */
#ifndef ROSS_IO_H
#define ROSS_IO_H

#include "ross-types.h"

ROSS_BEGIN

/* How init and a checkpoint are combined: the checkpoint first, the checkpoint alone, or init first. */
typedef enum io_load_e { NONE, PRE_INIT, INIT, POST_INIT } io_load_type;

/* How the states of a type are stored: model_size returns how many bytes serialize will write. They are called for one
 * LP after the other. Types whose functions are 0 are stored as they are in memory. */
typedef void (*serialize_f)(void *state, void *buffer, tw_lp *lp);
typedef void (*deserialize_f)(void *state, void *buffer, tw_lp *lp);
typedef size_t (*model_size_f)(void *state, tw_lp *lp);
typedef struct io_lptype {
	serialize_f serialize;
	deserialize_f deserialize;
	model_size_f model_size;
} io_lptype;

extern io_lptype *g_io_lp_types;          /* by what g_tw_lp_typemap returns */
extern int g_io_number_of_files;          /* --io-files */
extern int g_io_events_buffered_per_rank; /* above 0: the run keeps events beyond its end, as after io_init */
extern io_load_type g_io_load_at;
extern char g_io_checkpoint_name[1024];

/* Between tw_define_lps and tw_run. The run begins at time 0, as with ROSS; with --io-as-ross=0 it goes on at the time
 * at which the checkpoint was stored. The version has at most 40 characters. */
void io_init(void);
void io_register_model_version(char *version);
void io_load_checkpoint(char *name, io_load_type at);

/* After tw_run. The number of the data file is 0 to g_io_number_of_files - 1. After io_appending_job the LPs are added
 * to those of the checkpoint, if there is one. */
void io_store_checkpoint(char *name, int data_file_number);
void io_appending_job(void);

ROSS_END

#endif
