#!/bin/sh
# Builds what the image runs into a folder: the files of the tarball, with the packages of package-lock.json that they need.
# The embedded PostgreSQL is left out. Run it in a checkout that has its dependencies.
#
# Usage: ops/docker/build.sh TARGET
set -eu

target=${1:?"usage: ops/docker/build.sh TARGET"}
packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT

npm run --silent tarball -- --loglevel=warn --pack-destination "$packed"
mkdir -p "$target"
tar -xzf "$packed"/*.tgz --strip-components=1 --no-same-owner -C "$target"
cp package-lock.json "$target"

cd "$target"
npm ci --omit=dev --omit=optional --omit=peer --workspaces=false --ignore-scripts --no-audit --no-fund
