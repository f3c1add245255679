#!/bin/sh
# Plans one tenant again, and applies the new plan only if it means the same as the reviewed one: apply.sh NAME.
# `npx tsx main.ts` and `tenantform reviewed-plan` run first. The second one writes the archive of the reviewed plans and its checksum.
set -eu
name=$1
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
if [ ! -f plan ] || [ ! -f plan.sha256 ]; then
  echo "There are no reviewed plans: plan the fleet on a branch of this repository." >&2
  exit 1
fi
# plan.sha256 could name another file, so take only its checksum.
printf '%s  plan\n' "$(cut -c 1-64 plan.sha256)" | sha256sum -c -
approved=$(mktemp -d)
trap 'rm -rf "$approved"' EXIT
tar -xzf plan -C "$approved" "plans/$name.json"
$TENANTFORM review "$approved/plans/$name.json" --output "$approved/review.json"
./plan.sh "$name"
# Exits with 4, and shows the difference, unless the effects are proven to be the same.
$TENANTFORM review "plans/$name.json" --approved "$approved/review.json" --format text || exit $?
cd "cdktf.out/stacks/$name"
$TERRAFORM apply -input=false -lock-timeout=2m plan
