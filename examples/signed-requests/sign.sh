#!/usr/bin/env bash
# Signs a request (RFC 9421) with openssl and sends it with curl: EDGE_KEY=… EDGE_KEY_ID=key_… sign.sh URL [HEADER: VALUE]…
set -euo pipefail
url=$1
shift
headers=()
for line in "$@"; do headers+=(-H "$line"); done

rest=${url#*://}
path=/
if [[ $rest == */* ]]; then path=/${rest#*/}; fi
now=$(date +%s)
# Auth0 wants created, expires and keyid, and at most 3600 seconds between the first two.
parameters="(\"@method\" \"@path\");created=$now;expires=$((now + 60));keyid=\"$EDGE_KEY_ID\";alg=\"hmac-sha256\""
base=$(printf '"@method": GET\n"@path": %s\n"@signature-params": %s' "${path%%\?*}" "$parameters")
# Anyone who can list the processes of this machine can see the key while openssl runs.
key=$(printf %s "$EDGE_KEY" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=$(printf %s "$base" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 | tr -d '\n')

curl --silent --output /dev/null --write-out '%{http_code}\n' ${headers[@]+"${headers[@]}"} \
  -H "signature-input: edge=$parameters" -H "signature: edge=:$signature:" "$url"
