// Package mapping determines where every LP of a simulation is: on which PE, at which index in that
// PE, and in which KP.
//
// # Three levels
//
// An LP (logical process) is an object of the model. A KP (kernel process) is a group of LPs of one
// PE that roll back together. A PE (processing element) is a thread that owns an event queue and
// handles the events of its LPs one at a time. An LP has two names: its global id (gid), one of 0 to
// Total()-1 and the same for every number of PEs, and its place (pe, local), where local counts from
// 0 inside the PE. A [Map] translates between the two and assigns the KPs:
//
//	       PE, Local                   KP
//	gid  ------------->  (pe, local)  ----->  one of 0 to NumKPs()-1 of that PE
//	     <-------------
//	           GID
//
// The translation is a bijection: every LP has exactly one place. A Map never changes once it is
// made, so any number of goroutines may read it.
//
// The mapping decides how fast a simulation runs, never what it computes. LPs that often send to
// each other belong on one PE, because an event that stays on its PE needs no message and cannot
// arrive late. LPs that share a KP share their rollbacks: with few KPs a rollback also undoes the
// work of unaffected LPs, with many KPs less is undone and each fossil collection costs more.
//
// # The two provided mappings
//
// With 2 PEs of 5 LPs (--pes=2 --nlp=5) and 2 KPs on each PE (--nkp=2), linear cuts the gids into
// blocks, and round robin deals them out in turn:
//
//	                 PE 0                  PE 1
//	local            0  1  2  3  4         0  1  2  3  4
//	linear      gid  0  1  2  3  4         5  6  7  8  9
//	            KP   0  0  0  1  1         0  0  0  1  1
//	round robin gid  0  2  4  6  8         1  3  5  7  9
//	            KP   0  1  0  1  0         0  1  0  1  0
//
// In formulas, with / as integer division:
//
//	             PE         Local      GID               KP
//	linear       gid / nlp  gid % nlp  pe*nlp + local    local / ceil(nlp/nkp)
//	round robin  gid % npe  gid / npe  pe + local*npe    local % nkp
//
// Use linear ([NewLinear]) if LPs with neighbouring gids send to each other, and round robin
// ([NewRoundRobin]) if the busy LPs have neighbouring gids and should be spread. Both give every PE
// the same number of LPs. If there are more KPs than LPs, the surplus KPs stay empty, as in ROSS.
//
// [NewEven] makes both for a number of LPs that is not a multiple of the number of PEs, which ROSS
// does not: the first total % npe PEs have one LP more than the others. With 10 LPs on 3 PEs:
//
//	             PE 0           PE 1        PE 2
//	linear       0  1  2  3     4  5  6     7  8  9
//	round robin  0  3  6  9     1  4  7     2  5  8
//
// # Your own mapping
//
// [NewCustom] builds the mapping from functions of the model, for a layout that follows the topology
// of the simulated system.
// Only the PE function is required; the others have defaults. [For] is given a [Shape],
// the numbers of PEs, KPs and LPs of the whole run, and returns the functions for it; the numbers
// in the model's own settings may be those of one process only. Each function is called once per
// LP, every result is checked, and the results are kept in tables of 12 bytes per LP (16 with a KP
// function). The functions may therefore be slow, and later changes of their results have no
// effect. The example of the package is that of ROSS's guide: 7 LPs on any number of PEs. A
// PE may have no LPs; it then idles.
//
// Package mapping/partition makes such functions from the graph of a model: which LPs exchange how
// many events.
//
// # Names in ROSS
//
//	Linear, RoundRobin, Custom    g_tw_mapping = LINEAR, ROUND_ROBIN, CUSTOM
//	PE, Places.PE            the map member of tw_lptype (custom_mapping_lp_to_pe)
//	Local, Places.Local      g_tw_custom_lp_global_to_local_map
//	KP, Places.KP            tw_lp_onkp
//	GID                           the gid given to tw_lp_onpe
//	NewCustom                     g_tw_custom_initial_mapping, with tw_kp_onpe for nkpPerPE
//	Total, NumLPs, NumKPs         g_tw_total_lps, g_tw_nlp, g_tw_nkp
//	NumPEs                        tw_nnodes
//
// In ROSS the model sets up a custom mapping by hand, LP by LP on each rank; here the functions of
// the model only return values, and a mistake is an error that names the LP.
//
// # Cost
//
// PE, Local and Locate are called for every event that is sent. For the provided mappings they are
// one multiplication and a shift instead of a division, exact for every gid, and touch no table;
// for a custom mapping they are one load. If [Map.Identity] is true, an engine on one PE may use
// the gid as the index.
package mapping
