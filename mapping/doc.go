// Package mapping says where every LP of a simulation lives: on which PE, at
// which place in that PE, and in which KP.
//
// # Three levels
//
// An LP (logical process) is an object of the model. A KP (kernel process) is a
// group of LPs of one PE that roll back together. A PE (physical process) owns
// an event queue and runs its LPs one event at a time. An LP has two names: its
// global id (gid), one of 0 to Total()-1 and the same for every number of PEs,
// and its place (pe, local), where local counts from 0 inside the PE. A [Map]
// translates between the two and assigns the KPs:
//
//	       PE, Local                   KP
//	gid  ------------->  (pe, local)  ----->  one of 0 to NumKPs()-1 of that PE
//	     <-------------
//	           GID
//
// The translation is a bijection: PEs differ in what they hold, no LP is held
// twice and none is forgotten. A Map never changes once made, so any number of
// goroutines may read it.
//
// The mapping decides how fast a simulation runs, never what it computes. LPs
// that talk to each other often belong on one PE, because an event that stays at
// home costs neither a message nor the risk of arriving late. LPs that share a KP
// share their rollbacks: few KPs are cheap to keep but undo the work of innocent
// neighbours, many KPs undo less and cost more at each fossil collection.
//
// # The two provided mappings
//
// With 2 PEs of 5 LPs (--pes=2 --nlp=5) and 2 KPs on each PE (--nkp=2), linear
// cuts the gids into blocks, round robin deals them out like cards:
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
// Take linear ([NewLinear]) where neighbours in gid talk to each other, round
// robin ([NewRoundRobin]) where the busy LPs have neighbouring gids and should
// be spread. Both give every PE the same number of LPs. Where there are more KPs
// than LPs the surplus KPs stay empty, as in ROSS.
//
// # Your own mapping
//
// [NewCustom] takes the mapping from functions of the model, for a fixed number
// of LPs that does not divide by the number of PEs, or for a layout that follows
// the topology of what is simulated. Only the PE function is needed; the others
// have a default. [CustomFuncs.For] gets a [Shape], the numbers of PEs, KPs and LPs of the
// whole run, and makes the functions for them: a number that the model knows from its own
// settings may be that of one process only. The functions are asked once per LP, everything they say is
// checked, and the answers are kept in tables of 12 bytes an LP (16 with a KP
// function), so they may be as slow as they like and the run cannot be led astray
// by one that changes its mind. The example of the package spreads 7 LPs over any
// number of PEs so that no PE has two more than another. A PE may hold no LP at
// all; it then idles.
//
// # Names in ROSS
//
//	Linear, RoundRobin, Custom    g_tw_mapping = LINEAR, ROUND_ROBIN, CUSTOM
//	PE, CustomFuncs.PE            the map member of tw_lptype (custom_mapping_lp_to_pe)
//	Local, CustomFuncs.Local      g_tw_custom_lp_global_to_local_map
//	KP, CustomFuncs.KP            tw_lp_onkp
//	GID                           the gid given to tw_lp_onpe
//	NewCustom                     g_tw_custom_initial_mapping, with tw_kp_onpe for nkpPerPE
//	Total, NumLPs, NumKPs         g_tw_total_lps, g_tw_nlp, g_tw_nkp
//	NumPEs                        tw_nnodes
//
// In ROSS the model sets up a custom mapping by hand, LP by LP on each rank; here
// it only answers questions, and a slip is an error that names the LP.
//
// # Cost
//
// PE, Local and Locate lie on the path of every event that is sent. For the
// provided mappings they are one multiplication and a shift instead of a
// division, exact for every gid, and touch no table; for a custom mapping they
// are one load. [Map.Identity] tells an engine on one PE that it may use the gid
// as it is.
package mapping
