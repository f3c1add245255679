#!/bin/sh
# Plans again, and applies the new plan only if it makes exactly the approved changes: apply.sh REVIEW
# REVIEW is the review (JSON) of the plan that people approved.
set -eu
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
$TENANTFORM install --dir . > /dev/null
$TERRAFORM init -input=false
$TERRAFORM plan -input=false -out=plan
# Exits with 4, and shows the difference, unless the plan makes exactly the approved changes.
$TENANTFORM review plan --same-as "$1" || exit $?
$TERRAFORM apply -input=false plan
