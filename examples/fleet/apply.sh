#!/bin/sh
# Plans one tenant again, and applies the new plan only if it makes exactly the approved changes: apply.sh NAME PLAN
# PLAN is the plan (JSON) that people approved. `npx tsx main.ts` runs first.
set -eu
name=$1
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
approved=$(mktemp -d)
trap 'rm -rf "$approved"' EXIT
$TENANTFORM review "$2" --output "$approved/review.json"
./plan.sh "$name"
# Exits with 4, and shows the difference, unless the plan makes exactly the approved changes.
$TENANTFORM review "plans/$name.json" --same-as "$approved/review.json" || exit $?
cd "cdktf.out/stacks/$name"
$TERRAFORM apply -input=false -lock-timeout=2m plan
