#!/usr/bin/env bash
# Runs a command beside programs that keep all processors busy, two for each: tools/busy.sh COMMAND...
set -euo pipefail
cd "$(dirname "$0")/.."

# spin works until it is ended, or this script is no more, whatever has ended it.
spin() {
	local i
	while kill -0 $$ 2>/dev/null; do
		for ((i = 0; i < 100000; i++)); do :; done
	done
}

spinners=()
end() { kill "${spinners[@]}" 2>/dev/null || true; }
trap end EXIT
trap 'exit 1' HUP INT TERM
for ((n = 2 * $(getconf _NPROCESSORS_ONLN); n > 0; n--)); do
	spin </dev/null >/dev/null 2>&1 &
	spinners+=($!)
done
"$@" || {
	echo "busy: error: FAILED after $SECONDS seconds beside ${#spinners[@]} spinners: $*"
	exit 1
}
echo "busy: passed in $SECONDS seconds beside ${#spinners[@]} spinners: $*"
