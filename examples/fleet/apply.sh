#!/bin/sh
# Plans one tenant again, and applies the new plan only if it means the same as the reviewed one: apply.sh NAME.
# `npx tsx main.ts` runs first. The plan that was reviewed, of the same pipeline, is in approved/NAME.json.
set -eu
name=$1
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
$TENANTFORM review "approved/$name.json" --output "approved/$name.review.json"
./plan.sh "$name"
# Exits with 4, and shows the difference, unless the effects are proven to be the same.
$TENANTFORM review "plans/$name.json" --approved "approved/$name.review.json" --format text || exit $?
cd "cdktf.out/stacks/$name"
$TERRAFORM apply -input=false -lock-timeout=2m plan
