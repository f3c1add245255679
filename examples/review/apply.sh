#!/bin/sh
# Plans again, and applies the new plan only if it means the same as the reviewed one.
# The review job of this pipeline writes review.json.
set -eu
TENANTFORM=${TENANTFORM:-npx tenantform}
TERRAFORM=${TERRAFORM:-terraform}
$TENANTFORM install --dir . > /dev/null
$TERRAFORM init -input=false
$TERRAFORM plan -input=false -out=fresh-plan
# Exits with 4, and shows the difference, unless the effects are proven to be the same.
$TENANTFORM review fresh-plan --approved review.json --format text || exit $?
$TERRAFORM apply -input=false fresh-plan
