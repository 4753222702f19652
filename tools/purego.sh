#!/usr/bin/env bash
# Builds models/stress with -tags purego, and sees that it does on the Go twins what it does on the C
# code. GO is as in the Makefile.
#
# Tests are not run: the tag chooses the files that CGO_ENABLED=0 chooses, with which all tests run,
# and the standard library has the same tag, so that much of it would be compiled again for them.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT

# digests BINARY OPTION...: the digests of a run.
digests() {
	(cd "$own" && "./$1" --digest "${@:2}") | grep ' Digest  '
}

"$go" build -tags purego,nolive -o "$own/purego" ./models/stress
"$go" build -tags nolive -o "$own/usual" ./models/stress
want=$(digests usual --synch=1)
got=$(digests purego --synch=3 --pes=2)
if [ "$want" != "$got" ]; then
	echo "purego: error: models/stress has other digests:" "$got" "instead of" "$want"
	exit 1
fi
