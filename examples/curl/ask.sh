#!/usr/bin/env bash
# Adds a file, waits until it is processed, and asks a question. Usage: ask.sh FILE QUESTION
set -euo pipefail

if (($# != 2)); then
  echo "Usage: $0 FILE QUESTION" >&2
  exit 2
fi

api="${LECTERN_URL:-http://127.0.0.1:8080}/admin/api/v1"
tenant=${LECTERN_TENANT:-example}
file=$1 question=$2

# The answer; where the server refuses, what it says goes to the standard error.
call() {
  local answer
  answer=$(curl --silent --show-error --fail-with-body --retry 5 --retry-connrefused --max-time 120 \
    ${LECTERN_KEY:+--header "X-Api-Key: $LECTERN_KEY"} "$@") || {
    printf '%s\n' "$answer" >&2
    return 1
  }
  printf '%s\n' "$answer"
}
# The first string with that name in a JSON object.
field() { grep --only-matching --max-count 1 "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

document=$(call "$api/documents/upload" \
  --header "Idempotency-Key: $(date +%s)-$$-$RANDOM" \
  --form "tenantId=$tenant" --form tenantUnitId=curl --form datasetIds=files \
  --form documentType=UnstructuredFile --form "file=@$file")
id=$(field id <<<"$document")

status=created
while [[ $status == created || $status == processing ]]; do
  sleep 0.2
  status=$(call "$api/documents/$id?tenantId=$tenant" | field status)
done
echo "$status" >&2

# As JSON, whatever is in the question.
quoted=${question//\\/\\\\}
quoted=${quoted//\"/\\\"}
call "$api/api/v1/documentChunks/search?tenantId=$tenant" --header 'Content-Type: application/json' \
  --data "{\"tenant_id\":\"$tenant\",\"tenant_unit_id\":\"curl\",\"dataset_ids\":[\"files\"],\"query\":\"$quoted\"}"
