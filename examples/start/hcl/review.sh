#!/bin/sh
# Plans, and reviews the plan: review.sh BASE OUT TAG
# BASE is this folder on the base branch. Its expectations judge the change too, so that a change cannot weaken them.
# OUT is the folder of the review, and TAG the tag of its comment. The job that comments gets OUT, and nothing else.
# Exits with 3 if an effect is high or critical, or if the plan failed: the review then shows the errors first.
# To approve such a change, commit its review.json to the base branch as .tenantform/approved.json, and run the job again.
set -eu
base=$1 out=$2 tag=$3
terraform=${TERRAFORM:-terraform}
approved=$base/.tenantform/approved.json
mkdir -p "$out"
npx --no tenantform install --dir . > /dev/null
$terraform init -input=false -no-color > "$out/init.txt" 2>&1 || { cat "$out/init.txt" >&2; exit 1; }
rm -f plan
status=0
$terraform plan -input=false -no-color -out=plan > "$out/plan.txt" 2>&1 || status=$?
if [ ! -d "$base" ]; then base=; fi
level=high
if [ "$status" -eq 0 ] && [ -f "$approved" ] && npx --no tenantform review plan --same-as "$approved" > "$out/approval.txt" 2>&1; then
  level=
  echo "The base branch approves exactly these changes."
fi
# With credentials, the review also reads unmanaged ACLs.
npx --no tenantform review plan --plan-output "$out/plan.txt" --plan-exit-code "$status" ${TENANT_CLIENT_ID:+--tenant} ${base:+--base "$base"} --tag "$tag" \
  ${level:+--fail-on "$level"} --output "$out/review.md" --output "$out/review.sarif" --output "$out/review.json" || exit $?
exit "$status"
