#!/usr/bin/env bash
# Writes which modules the library, its programs and their tests consist of, with their hashes and
# licences, as CycloneDX: bin/ross.cdx.json. Serial number and time are left out, so that the same
# modules give the same file.
set -euo pipefail
cd "$(dirname "$0")/.."

go=${GO:-go}
mkdir -p bin
program=$(GOWORK=off "$go" tool -modfile=tools/sbom.mod -n cyclonedx-gomod) # the workspace takes no such flag
"$program" mod -type library -json -std -test -licenses -noserial -notimestamp -output bin/ross.cdx.json .
echo "sbom: bin/ross.cdx.json: $(grep -c '"purl"' bin/ross.cdx.json) components"
