#!/bin/sh
# Applies the plan that was reviewed, and nothing else: Terraform refuses it where the state has changed since.
set -eu
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
if [ ! -f plan ] || [ ! -f plan.sha256 ]; then
  echo "There is no reviewed plan of this tenant: plan it on a branch of this repository." >&2
  exit 1
fi
sha256sum -c plan.sha256
$TENANTFORM install --dir . > /dev/null
$TERRAFORM init -input=false
$TERRAFORM apply -input=false plan
