#!/bin/sh
# Plans this folder, and writes plan.json and plan.txt for the review. Ends with 0 also if the plan fails: the review then shows the errors
# of plan.txt first, and fails the job.
#
# Plans on the tenant of TENANT_DOMAIN with the client of the environment. This runs code of the pull request: the job must have no token
# that can write.
# Without credentials (pull requests from forks), it plans on an embedded tenant: it loads the file TENANT_SNAPSHOT, and applies
# the folder TENANT_BASE (the base branch) first. A plan of an embedded tenant must not reach the real one, so there is no file plan.
set -eu
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
rm -f plan plan.json plan.txt

if [ -n "${TENANT_SNAPSHOT:-}" ]; then
  work=$(mktemp -d)
  $TENANTFORM emulate --quiet --seed "$TENANT_SNAPSHOT" --write-env "$work/tenant.env" > "$work/log" 2>&1 &
  tenant=$!
  trap 'kill "$tenant" 2> /dev/null; rm -rf "$work" plan review_override.tf.json "${TENANT_BASE:-.}/review_override.tf.json"' EXIT
  tries=0
  until [ -s "$work/tenant.env" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ] || ! kill -0 "$tenant" 2> /dev/null; then cat "$work/log" >&2; exit 1; fi
    sleep 0.2
  done
  set -a
  . "$work/tenant.env"
  set +a
  # Every provider block reaches this tenant alone.
  export TENANT_EMBEDDED_ENDPOINT="$TENANT_ENDPOINT"
  # This job cannot read the state of the real tenant, and must not.
  backend="{\"terraform\": {\"backend\": {\"local\": {\"path\": \"$work/terraform.tfstate\"}}}}"
  if [ -n "${TENANT_BASE:-}" ]; then
    echo "$backend" > "$TENANT_BASE/review_override.tf.json"
    $TENANTFORM install --dir "$TENANT_BASE" > /dev/null
    (cd "$TENANT_BASE" && $TERRAFORM init -input=false -reconfigure && $TERRAFORM apply -input=false -auto-approve)
  fi
  echo "$backend" > review_override.tf.json
fi

$TENANTFORM install --dir . > /dev/null
$TERRAFORM init -input=false
$TERRAFORM plan -input=false -no-color -out=plan > plan.txt 2>&1 || echo "The plan failed." >&2
cat plan.txt
if [ -f plan ]; then $TERRAFORM show -json plan > plan.json; fi
