#!/usr/bin/env bash
# Looks for known vulnerabilities in what the packages call: tools/vulncheck.sh PACKAGE...
#
# A finding is an error. If the database cannot be reached, one line says that nothing was checked,
# and that is no error. GOVULNDB is the URL of another database, such as file:///folder for a copy
# of https://vuln.go.dev.
set -euo pipefail
cd "$(dirname "$0")/.."

db=${GOVULNDB:-https://vuln.go.dev}
# Before half a minute goes into compiling govulncheck.
if [[ $db == http* ]] && command -v curl >/dev/null; then
	why=$(curl -fsS --max-time 60 -o /dev/null "$db/index/db.json" 2>&1) || {
		echo "vulncheck: NOT CHECKED: the database of vulnerabilities cannot be reached: $why"
		exit
	}
fi
status=0
said=$(tools/tool.sh govulncheck -db "$db" "$@" 2>&1) || status=$?
case $status,$said in
0,*)
	echo "vulncheck: no known vulnerability is called (database $db)"
	;;
*'fetching vulnerabilities: Get "'*)
	echo "vulncheck: NOT CHECKED: the database of vulnerabilities cannot be reached: ${said##*fetching vulnerabilities: }"
	;;
*)
	printf '%s\n' "$said"
	case $status in
	3) echo "vulncheck: error: update what the lines above name, or stop calling it (database $db)" ;;
	*) echo "vulncheck: error: the check failed (database $db)" ;;
	esac
	exit 1
	;;
esac
