#!/bin/sh
# Plans one tenant again, and applies the new plan only if it means the same as the approved one: apply.sh NAME PLAN
# PLAN is the plan (JSON) that people approved. `npx tsx main.ts` runs first.
set -eu
name=$1
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
approved=$(mktemp -d)
trap 'rm -rf "$approved"' EXIT
$TENANTFORM review "$2" --output "$approved/review.json"
./plan.sh "$name"
# Exits with 4, and shows the difference, unless the effects are proven to be the same.
$TENANTFORM review "plans/$name.json" --approved "$approved/review.json" --format text || exit $?
cd "cdktf.out/stacks/$name"
$TERRAFORM apply -input=false -lock-timeout=2m plan
