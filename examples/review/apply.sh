#!/bin/sh
# Plans again, and applies the new plan only if it means the same as the approved one: apply.sh REVIEW
# REVIEW is the review (JSON) of the plan that people approved.
set -eu
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
$TENANTFORM install --dir . > /dev/null
$TERRAFORM init -input=false
$TERRAFORM plan -input=false -out=plan
# Exits with 4, and shows the difference, unless the effects are proven to be the same.
$TENANTFORM review plan --approved "$1" --format text || exit $?
$TERRAFORM apply -input=false plan
