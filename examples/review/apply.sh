#!/bin/sh
# Plans again, and applies the new plan only if it means the same as the reviewed one.
# The job runs `tenantform reviewed-plan` first, which writes plan and plan.sha256.
set -eu
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
if [ ! -f plan ] || [ ! -f plan.sha256 ]; then
  echo "There is no reviewed plan of this tenant: plan it on a branch of this repository." >&2
  exit 1
fi
# plan.sha256 could name another file, so take only its checksum.
printf '%s  plan\n' "$(cut -c 1-64 plan.sha256)" | sha256sum -c -
$TENANTFORM install --dir . > /dev/null
$TERRAFORM init -input=false
$TENANTFORM review plan --output review.json
$TERRAFORM plan -input=false -out=fresh-plan
# Exits with 4, and shows the difference, unless the effects are proven to be the same.
$TENANTFORM review fresh-plan --approved review.json --format text || exit $?
$TERRAFORM apply -input=false fresh-plan
