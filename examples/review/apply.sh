#!/bin/sh
# Applies the plan that was reviewed, and nothing else. Terraform refuses the plan if the state has changed since.
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
$TERRAFORM apply -input=false plan
