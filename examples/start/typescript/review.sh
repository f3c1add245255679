#!/bin/sh
# Plans, and reviews the plan: review.sh BASE OUT TAG
# BASE is this folder on the base branch, and BASE and OUT are absolute paths. Its expectations and rows judge the change too, so that a change cannot weaken them.
# OUT is the folder of the review, and TAG the tag of its comment. The job that comments gets OUT, and nothing else.
# Exits with 3 if an effect is high or critical, or if the plan failed: the review then shows the errors first.
# To approve such a change, commit its review.json to the base branch as .tenantform/approved.json, and run the job again.
set -eu
base=$1 out=$2 tag=$3
terraform=${TERRAFORM:-terraform}
approved=$base/.tenantform/approved.json
mkdir -p "$out"
npx tsx main.ts
if [ -f "$base/main.ts" ]; then
  if [ ! -e "$base/node_modules" ]; then ln -s "$PWD/node_modules" "$base/node_modules"; fi
  (cd "$base" && npx tsx main.ts)
fi
stack=cdktf.out/stacks/tenant
# Terraform finds the provider in the folder where it starts.
(cd "$stack" && $terraform init -input=false -no-color) > "$out/init.txt" 2>&1 || { cat "$out/init.txt" >&2; exit 1; }
rm -f "$stack/plan"
status=0
(cd "$stack" && $terraform plan -input=false -no-color -out=plan) > "$out/plan.txt" 2>&1 || status=$?
level=high
if [ "$status" -eq 0 ] && [ -f "$approved" ] && npx --no tenantform review "$stack/plan" --same-as "$approved" > "$out/approval.txt" 2>&1; then
  level=
  echo "The base branch approves exactly these changes."
fi
# With credentials, the review also reads unmanaged ACLs.
set --
if [ -d "$base" ]; then set -- --base "$base"; fi
if [ -d "$base/$stack" ]; then set -- "$@" --base "$base/$stack"; fi
npx --no tenantform review "$stack/plan" --plan-output "$out/plan.txt" --plan-exit-code "$status" ${TENANT_CLIENT_ID:+--tenant} "$@" --tag "$tag" \
  ${level:+--fail-on "$level"} --output "$out/review.md" --output "$out/review.sarif" --output "$out/review.json" || exit $?
exit "$status"
