/* For C in a package of a Go program (ROSS_IN_GO): cgo links such a package alone, to see what it needs, so that functions
 * and variables of the library may be missing. In the program they are there. A test compares these names with those of
 * the other headers. */
#ifndef ROSS_WEAK_H
#define ROSS_WEAK_H

#pragma weak tw_opt_add
#pragma weak tw_init
#pragma weak tw_define_lps
#pragma weak tw_lp_settype
#pragma weak tw_lp_setup_types
#pragma weak tw_pe_settype
#pragma weak tw_run
#pragma weak tw_end
#pragma weak tw_lp_onpe
#pragma weak tw_lp_onkp
#pragma weak tw_kp_onpe
#pragma weak tw_event_new
#pragma weak tw_event_new_user_prio
#pragma weak tw_event_send
#pragma weak tw_lp_suspend
#pragma weak g_tw_gvt_hook
#pragma weak g_tw_gvt_done
#pragma weak tw_trigger_gvt_hook_at
#pragma weak tw_trigger_gvt_hook_at_event_sig
#pragma weak tw_trigger_gvt_hook_every
#pragma weak tw_trigger_gvt_hook_when_model_calls
#pragma weak tw_trigger_gvt_hook_now
#pragma weak tw_trigger_gvt_hook_now_rev
#pragma weak tw_snapshot
#pragma weak tw_snapshot_delta
#pragma weak tw_snapshot_restore
#pragma weak tw_now_sig
#pragma weak tw_event_sig_compare_ptr
#pragma weak tw_output
#pragma weak tw_error
#pragma weak tw_warning
#pragma weak tw_printf
#pragma weak tw_fprint_binary_array
#pragma weak tw_calloc
#pragma weak tw_clock_read
#pragma weak g_tw_mynode
#pragma weak g_tw_masternode
#pragma weak g_tw_nlp
#pragma weak g_tw_total_lps
#pragma weak g_tw_lp_offset
#pragma weak g_tw_nkp
#pragma weak g_tw_lp
#pragma weak g_tw_kp
#pragma weak g_tw_pe
#pragma weak g_tw_lp_types
#pragma weak g_tw_lp_typemap
#pragma weak g_tw_mapping
#pragma weak g_tw_custom_initial_mapping
#pragma weak g_tw_custom_lp_global_to_local_map
#pragma weak tw_getlocal_lp
#pragma weak tw_nnodes
#pragma weak g_tw_synchronization_protocol
#pragma weak g_tw_ts_end
#pragma weak g_tw_lookahead
#pragma weak g_tw_mblock
#pragma weak g_tw_gvt_interval
#pragma weak g_tw_nRNG_per_lp
#pragma weak g_tw_rng_seed
#pragma weak g_tw_core_rng_seed
#pragma weak g_tw_msg_sz
#pragma weak g_tw_events_per_pe
#pragma weak g_tw_events_per_pe_extra
#pragma weak g_tw_gvt_threshold
#pragma weak g_tw_rng_default
#pragma weak g_tw_clock_rate
#pragma weak tw_rand_unif
#pragma weak tw_rand_reverse_unif
#pragma weak tw_rand_integer
#pragma weak tw_rand_ulong
#pragma weak tw_rand_exponential
#pragma weak tw_rand_binomial
#pragma weak tw_rand_pareto
#pragma weak tw_rand_gamma
#pragma weak tw_rand_geometric
#pragma weak tw_rand_poisson
#pragma weak tw_rand_weibull
#pragma weak tw_rand_normal01
#pragma weak tw_rand_normal_sd
#pragma weak tw_rand_lognormal
#pragma weak tw_rand_initial_seed
#pragma weak rng_gen_val
#pragma weak rng_gen_reverse_val
#pragma weak rng_get_state
#pragma weak rng_write_state
#pragma weak st_model_settype
#pragma weak g_st_model_types
#pragma weak g_st_ev_trace
#pragma weak g_st_model_stats
#pragma weak g_st_engine_stats
#pragma weak g_st_use_analysis_lps
#pragma weak crv_add_custom_state_checkpoint
#pragma weak ross_mpi_stage
#pragma weak ross_comm
#pragma weak ross_comm_given
#pragma weak ross_comm_set
#pragma weak ross_start_mpi
#pragma weak ross_ranks_end
#pragma weak ross_ranks_rank
#pragma weak ross_ranks_size
#pragma weak ross_ranks_dup
#pragma weak ross_ranks_split
#pragma weak ross_ranks_free
#pragma weak ross_ranks_send
#pragma weak ross_ranks_receive
#pragma weak ross_ranks_exchange
#pragma weak ross_ranks_start_send
#pragma weak ross_ranks_start_receive
#pragma weak ross_ranks_wait
#pragma weak ross_ranks_wait_for_all
#pragma weak ross_ranks_test
#pragma weak ross_ranks_test_all
#pragma weak ross_ranks_alltoall
#pragma weak ross_ranks_alltoallv
#pragma weak ross_ranks_make_op
#pragma weak ross_ranks_free_op
#pragma weak ross_ranks_barrier
#pragma weak ross_ranks_bcast
#pragma weak ross_ranks_reduce
#pragma weak ross_ranks_allreduce
#pragma weak ross_ranks_scan
#pragma weak ross_ranks_exscan
#pragma weak ross_ranks_gather
#pragma weak ross_ranks_gatherv
#pragma weak ross_ranks_allgather
#pragma weak ross_ranks_allgatherv

#ifdef USE_RIO
#pragma weak io_init
#pragma weak io_register_model_version
#pragma weak io_load_checkpoint
#pragma weak io_store_checkpoint
#pragma weak io_appending_job
#pragma weak g_io_lp_types
#pragma weak g_io_number_of_files
#pragma weak g_io_events_buffered_per_rank
#pragma weak g_io_load_at
#pragma weak g_io_checkpoint_name
#endif

#ifdef ROSS_REFUSE_AT_CALL
#pragma weak tw_event_free
#pragma weak tw_pq_enqueue
#pragma weak tw_pq_dequeue
#pragma weak tw_hash_insert
#pragma weak tw_hash_remove
#endif

#ifdef ROSS_OLD_H
#pragma weak ross_old_pes
#pragma weak g_tw_npe
#pragma weak g_tw_memory_nqueues
#pragma weak g_tw_memory_nqueues_extra
#endif

#endif
