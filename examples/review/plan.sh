#!/bin/sh
# Plans this folder, reviews the plan and comments on the pull request: review.sh github|gitlab
#
# Plans on the tenant of TENANT_DOMAIN with the client of the environment. Without credentials (pull requests from forks), it plans
# on an embedded tenant: it loads the file TENANT_SNAPSHOT, and applies the folder TENANT_BASE (the target branch) first.
# Exits with 3 if a finding reaches the level of --fail-on.
#
# TENANT_PROTECT names a file with the protected requests and expectations of the target branch, so that a change cannot weaken
# what judges it. Default: protected.json in TENANT_BASE, if the target branch has one. Exits with 2 if TENANT_PROTECT is not there.
set -eu
provider=$1
TENANTFORM=${TENANTFORM:-npx tenantform}
# Terraform starts programs that the pull request chose: they do not get the token that writes the comment.
TERRAFORM="env -u GITHUB_TOKEN -u GITLAB_TOKEN ${TERRAFORM:-terraform}"
rm -f plan plan.sha256 review.md review.html review.sarif

if [ -n "${TENANT_SNAPSHOT:-}" ]; then
  work=$(mktemp -d)
  $TENANTFORM emulate --quiet --seed "$TENANT_SNAPSHOT" --write-env "$work/tenant.env" > "$work/log" 2>&1 &
  tenant=$!
  trap 'kill "$tenant" 2> /dev/null; rm -rf "$work" review_override.tf.json "${TENANT_BASE:-.}/review_override.tf.json"' EXIT
  tries=0
  until [ -s "$work/tenant.env" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ] || ! kill -0 "$tenant" 2> /dev/null; then cat "$work/log" >&2; exit 1; fi
    sleep 0.2
  done
  set -a
  . "$work/tenant.env"
  set +a
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
$TERRAFORM plan -input=false -out=plan

protect=${TENANT_PROTECT:-}
if [ -z "$protect" ] && [ -n "${TENANT_BASE:-}" ] && [ -f "$TENANT_BASE/protected.json" ]; then protect=$TENANT_BASE/protected.json; fi
review() { $TENANTFORM review plan ${protect:+--protect "$protect"} "$@"; }
status=0
review --tag "${TENANT_TAG:-tenant}" --format markdown --fail-on high --output review.md || status=$?
if [ ! -s review.md ]; then exit "$status"; fi
review --format html --output review.html
review --format sarif --output review.sarif
if [ -n "${TENANT_SNAPSHOT:-}" ]; then
  # A plan made on an embedded tenant must not reach the real one.
  rm -f plan
  $TENANTFORM comment --provider "$provider" review.md
else
  # The comment names the plan's checksum, and only that plan is applied later.
  sha256sum plan > plan.sha256
  $TENANTFORM comment --provider "$provider" --plan plan review.md
fi
exit "$status"
