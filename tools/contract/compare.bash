# shellcheck shell=bash
# shellcheck disable=SC2154 # what tools/contract.sh sets
# Runs tests and models with both engines, and says what differs. tools/contract.sh sources it, with `folder`, `suite`,
# `theirs` and `ours` (builds with ROSS and with the library), `only` and `limit`.
#
# What a test or a run does is a list of items, one a line, with a tab before the value: "result", "events 1" (net events
# of its first run), "file NAME" (number of lines and a hash), "text NAME" (what the model prints), "trace" (events with
# their times). Those of ROSS are kept in the folder, and used again the next time.

# events FILE...: the net events of each run in them. Of a run with analysis LPs ROSS prints three numbers: all, those of
# the model's LPs, and those of the analysis LPs.
events() {
	awk 'FNR == 1 { n++ } /Net Events Processed/ { e[n, ++k[n]] = $NF }
		END { for (i = 1; i <= n; i++) if (k[i]) printf "events %d\t%s\n", ++runs, e[i, k[i] == 3 ? 2 : 1] }' "$@"
}

# hashed: how many lines the standard input has, and what they are, in any order.
hashed() {
	sort >"$folder/sorted"
	echo "$(wc -l <"$folder/sorted") lines $(sha256sum <"$folder/sorted" | cut -c1-16)"
}

# unnumbered: the standard input without the process and the time in names of files.
unnumbered() { sed -E 's/-[0-9]+-[0-9]{9,}//'; }

# printed FILE: what the model itself prints from the start of the run, without lines of the engine and without times that
# it took.
printed() {
	sed -E '1,/^\*\*\* START/d; /^\t|^$|^GVT #|^AVL tree size|^TW .*:$|^TW GVT Statistics|^Total time spent on|^Additional Statistics:$|^\*\*\*|^PE [0-9]+: There were/d' "$1" |
		sed -E 's/-nan/nan/g' | unnumbered
}

# traced FILE: sender, receiver and times of the events of a trace.
traced() { "$folder/rossreader" dump --payload=hex "$1" | cut -d, -f1-4 | sed 1d; }

# files FOLDER SEQUENTIAL: the items of the files that a test has left. Not those with times that something took, with
# what depends on them in optimistic runs, or with what a test was given.
files() {
	local path name
	(cd "$1" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort) | while read -r path; do
		name=${path%.txt}
		case $path in
		*model-output*error* | *ross.csv | *sim_log.txt | *ross_all_lp_stats/* | *parser-summary.txt | *run.json) ;;
		*.conf | *.yaml | *.in | *.json) ;;
		*model-output*.txt) printf 'text %s\t%s\n' "$name" "$(printed "$1/$path" | hashed)" ;;
		*-evtrace.bin) [ -z "$2" ] || printf 'trace\t%s\n' "$(traced "$1/$path" | hashed)" ;;
		*.bin | *.bin.part | *model-stats*) ;;
		*) printf 'file %s\t%s\n' "$(unnumbered <<<"$path")" "$(hashed <"$1/$path")" ;;
		esac
	done
}

# test_with BUILD NUMBER: the items of one test of ctest.
test_with() {
	local build=$1 log=$folder/log left result=failed sequential=
	# Where tests of ROSS run, and those of CODES leave folders of their own.
	find "$build" -name 'stats-output*' -prune -exec rm -rf {} +
	rm -rf "$build/testing-output"
	! (cd "$build" && ctest -V --timeout "$limit" -I "$2,$2" -O "$log") >/dev/null 2>&1 </dev/null || result=passed
	! grep -q '\*\*\*Timeout' "$log" || result="not done within $limit seconds"
	sed -i -E 's/^[0-9]+: //' "$log"
	printf 'result\t%s\n' "$result"
	! grep -qE -e '--sync[a-z]*=1|-synch=1' "$log" || sequential=yes
	left=$(find "$build/testing-output" -name 'model-output*.txt' ! -name '*error*' 2>/dev/null | LC_ALL=C sort || true)
	# shellcheck disable=SC2086 # several files, without spaces
	events ${left:-"$log"}
	for left in "$build"/testing-output/test-*/ "$build"/models/phold/stats-output*/; do
		[ ! -d "$left" ] || files "$left" "$sequential"
	done
	rm -rf "$build/testing-output"
}

# run_with BUILD RANKS PROGRAM OPTION... -- CONF: the items of a run of a network of CODES: of a sequential one with the
# trace of its events, if RANKS is 1. ROSS writes that at the end, and has room for no more than the buffer.
run_with() {
	local build=$1 ranks=$2 program=$3 log=$folder/log at=$folder/run command
	shift 3
	command=("$build/$program" --synch=1 --extramem=1000000 --event-trace=1 --buffer-size=500000000
		--stats-path=trace)
	[ "$ranks" = 1 ] || command=(mpirun -np "$ranks" "$build/$program" --synch=3 --extramem=1000000)
	rm -rf "$at"
	mkdir "$at"
	if (cd "$at" && timeout "$limit" "${command[@]}" "$@") >"$log" 2>&1 </dev/null; then
		printf 'result\tpassed\n'
	else
		printf 'result\tfailed\n'
	fi
	events "$log"
	files "$at" "$([ "$ranks" != 1 ] || echo yes)"
	rm -rf "$at"
}

# each: the tests and runs, one a line: number, name, and the command that prints its items, with BUILD for the build.
each() {
	(cd "$theirs" && ctest -N) | sed -nE 's/^ *Test +#([0-9]+): (.*)/\1 \2 test_with BUILD \1/p'
	[ "$suite" = ross ] || sed -E "/^(#|$)/d; s,SOURCE,$folder/codes,g" tools/contract/runs.txt
}

# items SIDE AGAIN NUMBER NAME COMMAND...: the file with the items of a test or run. Those of ROSS are kept; AGAIN counts
# repetitions.
items() {
	local side=$1 file build=$ours
	file=$folder/results/$suite-$1/$3.$2
	[ "$side" = here ] || build=$theirs
	shift 4
	if [ "$side" = here ] || [ ! -s "$file" ]; then
		mkdir -p "${file%/*}"
		"${@/#BUILD/$build}" >"$file.part" || return
		mv "$file.part" "$file"
	fi
	echo "$file"
}

# differing FILE FILE: the names of the items that differ, or that only one has; a tab, and both values.
differing() {
	awk -F'\t' 'NR == FNR { a[$1] = $2; next } { if (!($1 in a)) a[$1] = "-"; if (a[$1] != $2) print $1 "\t" a[$1] "\t" $2; seen[$1] }
		END { for (k in a) if (!(k in seen)) print k "\t" a[k] "\t-" }' "$1" "$2" | LC_ALL=C sort
}

# read_known: the known differences of the suite, in the arrays k_tests, k_items, k_kind, k_what, k_why.
read_known() {
	local at lines n file line text
	k_tests=() k_items=() k_kind=() k_what=() k_why=() k_seen=() k_shown=()
	while IFS=$'\t' read -r tests items kind what why at; do
		k_tests+=("$tests") k_items+=("$items") k_kind+=("$kind") k_what+=("$what") k_why+=("$why") k_seen+=("") k_shown+=("")
		[ "$at" = - ] && continue
		IFS=';' read -ra lines <<<"$at"
		for n in "${lines[@]}"; do
			read -r file line text <<<"${n/:/ }"
			sed -n "${line}p" "$folder/$suite/$file" | grep -qF -e "$text" || {
				say "DIFFERS: tools/contract/known.txt: $file:$line does not have \"$text\""
				wrong=$((wrong + 1))
			}
		done
	done < <(awk -v suite="$suite" 'BEGIN { RS = ""; FS = "\n" }
		{
			gsub(/\n[ \t]+/, " "); split("", f); n = split($0, line, "\n")
			for (i = 1; i <= n; i++) if (line[i] !~ /^#/) { k = line[i]; sub(/:.*/, "", k); v = line[i]; sub(/^[a-z]+: */, "", v); f[k] = v }
			if (f["suite"] == suite) print f["tests"] "\t" f["items"] "\t" f["kind"] "\t" f["what"] "\t" f["why"] "\t" (f["where"] == "" ? "-" : f["where"])
		}' tools/contract/known.txt)
}

# one_of TEXT PATTERNS: whether it is one of the patterns, which have ; between them.
one_of() {
	local pattern patterns
	IFS=';' read -ra patterns <<<"$2"
	for pattern in "${patterns[@]}"; do
		pattern=${pattern# }
		# shellcheck disable=SC2053 # it is a pattern
		[[ $1 == ${pattern% } ]] && return
	done
	return 1
}

# known NAME ITEM: sets at to the number of the known difference, if there is one.
known() {
	for at in "${!k_tests[@]}"; do
		if one_of "$1" "${k_tests[$at]}" && one_of "$2" "${k_items[$at]}"; then return; fi
	done
	return 1
}

# by_chance AT ITEM FILE NUMBER NAME COMMAND...: repeats the run with ROSS until it differs from the first, in this item.
by_chance() {
	local again other item=$2 first=$3 known=$1
	shift 3
	[ -z "${k_shown[$known]}" ] || return 0
	for again in 1 2 3; do
		other=$(items original "$again" "$@")
		if differing "$first" "$other" | cut -f1 | grep -qxF -e "$item"; then
			k_shown[known]="two runs of test $1 with ROSS differ in it"
			say "$1 $2: $item: two runs with ROSS differ, too: $(differing "$first" "$other" | grep -F "$item"$'\t' | cut -f2- | tr '\t' '/')"
			return
		fi
	done
}

# counted FILE PREFIX: how many items begin with it.
counted() { grep -c "^$2" "$1" || true; }

compare_all() {
	local number name command a b item one two passed_a=0 passed_b=0 tests=0 runs=0 runs_same=0 files=0 files_same=0 traces=0
	local traced=0 wrong=0 at
	read_known
	while read -r number name command; do
		[[ -z $only || $name =~ $only ]] || continue
		# shellcheck disable=SC2086 # words of a command
		{
			a=$(items original 0 "$number" "$name" $command)
			b=$(items here 0 "$number" "$name" $command)
		}
		say "$number $name: $(sed -n 's/^result\t//p' "$a") with ROSS, $(sed -n 's/^result\t//p' "$b") here," \
			"net events $(sed -n 's/^events.*\t//p' "$b" | paste -sd' ' -)"
		if [[ $number != r* ]]; then
			tests=$((tests + 1))
			! grep -qx $'result\tpassed' "$a" || passed_a=$((passed_a + 1))
			! grep -qx $'result\tpassed' "$b" || passed_b=$((passed_b + 1))
		elif ! grep -qx $'result\tpassed' "$a" "$b"; then
			wrong=$((wrong + 1))
		fi
		runs=$((runs + $(counted "$b" events))) files=$((files + $(counted "$b" '[ft][ie]')))
		runs_same=$((runs_same + $(comm -12 <(sort "$a") <(sort "$b") | grep -c ^events || true)))
		files_same=$((files_same + $(comm -12 <(sort "$a") <(sort "$b") | grep -c '^[ft][ie]' || true)))
		if grep -q ^trace "$b" && [ "$(grep ^trace "$a")" = "$(grep ^trace "$b")" ]; then
			traces=$((traces + 1)) traced=$((traced + $(sed -nE 's/^trace\t([0-9]+).*/\1/p' "$b")))
		fi
		while IFS=$'\t' read -r item one two; do
			if [ -z "$item" ]; then
				continue
			elif ! known "$name" "$item"; then
				say "DIFFERS: $number $name: $item: $one with ROSS, $two here"
				wrong=$((wrong + 1))
				continue
			fi
			k_seen[at]="${k_seen[$at]} $number"
			# shellcheck disable=SC2086 # words of a command
			[ "${k_kind[$at]}" != chance ] || by_chance "$at" "$item" "$a" "$number" "$name" $command
		done < <(differing "$a" "$b")
	done < <(each)
	say "done"
	tables
	[ "$wrong" = 0 ]
}

# tables prints them in Markdown, and counts in wrong what known.txt does not say.
tables() {
	local at numbers
	echo
	echo "| tests | pass with ROSS | pass here | runs | with the same net events | files and printed texts | the same | event traces | events in them, all the same |"
	echo "|---|---|---|---|---|---|---|---|---|"
	echo "| ${suite^^} ${commit:0:8} | $passed_a of $tests | $passed_b of $tests | $runs | $runs_same | $files | $files_same | $traces | $traced |"
	echo
	echo "| what differs | in | why |"
	echo "|---|---|---|"
	for at in "${!k_tests[@]}"; do
		numbers=$(tr ' ' '\n' <<<"${k_seen[$at]}" | awk 'NF' | uniq | paste -sd, - | sed 's/,/, /g')
		if [ -n "$numbers" ]; then
			echo "| ${k_what[$at]} | $numbers | ${k_why[$at]} |"
			if [ "${k_kind[$at]}" = chance ] && [ -z "${k_shown[$at]}" ]; then
				say "DIFFERS: ${k_what[$at]}: four runs with ROSS agree, so this is not by chance" >&2
				wrong=$((wrong + 1))
			fi
		elif [ "${k_kind[$at]}" = always ] && [ -z "$only" ]; then
			say "DIFFERS: ${k_what[$at]}: this known difference does not appear any more: remove it from tools/contract/known.txt" >&2
			wrong=$((wrong + 1))
		fi
	done
}
