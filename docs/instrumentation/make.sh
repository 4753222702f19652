#!/bin/sh
# Makes the pictures of docs/instrumentation.md again: builds the models and rossreader, runs
# each case, and has Chromium draw one chart of each report, without a network.
#
#     docs/instrumentation/make.sh           # all pictures, in half a minute: *.png next to this file
#     docs/instrumentation/make.sh figures   # medians of 5 runs of each case, taken in turns
#
# Needed: Go, and Chromium for pictures (make chromium installs it). Look at the new pictures
# and at what the text says of them: runs in parallel differ from one to the next.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

(cd "$here/../.." && go build -o "$work/" ./models/phold ./cmd/rossreader ./docs/instrumentation/...)
cd "$work"

# The cases: a name, then the command. These are those of the text.
cases() {
	cat <<'END'
mapping-before   skewed --synch=3 --pes=2 --end=1000 --balance=off
mapping-after    skewed --synch=3 --pes=2 --end=1000 --by-load
lookahead-before phold --synch=2 --pes=2 --nlp=64 --start-events=4 --lookahead=0.005 --end=4000
lookahead-after  phold --synch=2 --pes=2 --nlp=64 --start-events=4 --lookahead=0.5 --end=4000
remote-before    phold --synch=3 --pes=2 --nlp=256 --start-events=16 --lookahead=0.01 --end=1000 --remote=1
remote-after     phold --synch=3 --pes=2 --nlp=256 --start-events=16 --lookahead=0.01 --end=1000 --remote=0.02
thrash-before    hub --synch=3 --pes=4 --end=500 --nkp=1
thrash-after     hub --synch=3 --pes=4 --end=500 --nkp=16
thrash-more      hub --synch=3 --pes=4 --end=500 --nkp=128
END
}

# collect runs a case and makes its report: <name>.html.
collect() {
	name=$1
	shift
	"./$@" --engine-stats=1 --kp-data=1 --stats-path="$name" --report-interval=1 >"$name.txt"
	./rossreader report "$name" -o "$name.html"
}

# picture draws one chart of a report in light colours: report, chart, width, height.
picture() {
	name=$1 chart=$2 width=$3 height=$4
	hide="header, footer, form, .charts > :not(#$chart), section, details { display: none }
		body { padding: 0; max-width: none } .charts { display: block; margin: 0 }
		figure { border: 0; height: ${height}px } .chart { flex-basis: 0 !important }"
	if [ "$chart" = page ]; then
		hide=""
	fi
	awk -v css="$hide" '/<\/head>/ { print "<style>" css "</style>" } { print }' "$name.html" >shown.html
	chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --host-resolver-rules="MAP * ~NOTFOUND" \
		--user-data-dir="$work/profile" --blink-settings=preferredColorScheme=1 --hide-scrollbars \
		--window-size="$width,$height" --virtual-time-budget=20000 --screenshot="$work/shot.png" "file://$work/shown.html" 2>chromium.txt ||
		{ cat chromium.txt >&2; exit 1; }
	mv shot.png "$here/$name-$chart.png"
	echo "$name-$chart.png: $(wc -c <"$here/$name-$chart.png") bytes"
}

# figures prints the medians of some runs, which take turns so that all see the same machine.
figures() {
	for turn in 1 2 3 4 5; do
		cases | while read -r name command; do
			./$command --report-interval=1 >out.txt
			awk -F '  +' -v name="$name" '
				/Event Rate/ { rate = $2 } /Events Rolled Back/ { back = $2 } /^\tEfficiency/ { efficiency = $2 + 0 }
				/Total Roll Backs/ { rollbacks = $2 } /Total GVT/ { gvts = $2 } /Net Events/ { net = $2 }
				END { print name, net, rate, back, rollbacks, efficiency, gvts }' out.txt >>all.txt
		done
	done
	printf '%-17s %10s %10s %11s %10s %10s %8s\n' case net events/s "rolled back" rollbacks efficiency GVTs
	cases | while read -r name command; do
		printf '%-17s' "$name"
		for column in 2 3 4 5 6 7; do
			grep "^$name " all.txt | cut -d ' ' -f "$column" | sort -g | sed -n '3{s/$/ /;s/^/ /;p;}' | tr -d '\n'
		done
		echo
	done
}

if [ "${1-}" = figures ]; then
	figures
	exit
fi
cases | while read -r name command; do
	# shellcheck disable=SC2086 # a command is words
	collect "$name" $command
done
picture thrash-before page 1200 620
for case in mapping lookahead; do
	picture $case-before activity 900 400
	picture $case-after activity 900 400
done
for case in remote thrash; do
	picture $case-before rollbacks 900 400
	picture $case-after rollbacks 900 400
done
