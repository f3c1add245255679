#!/bin/sh
# Plans one tenant: plan.sh NAME. Writes plans/NAME.json, also of a plan that fails: the review says so. `npx tsx main.ts` runs first.
set -eu
TERRAFORM=${TERRAFORM:-terraform}
mkdir -p plans
plans=$PWD/plans
# Terraform finds the provider in the folder where it starts, so -chdir does not work here.
cd "cdktf.out/stacks/$1"
$TERRAFORM init -input=false
rm -f plan
$TERRAFORM plan -input=false -lock-timeout=2m -out=plan || [ -f plan ]
$TERRAFORM show -json plan > "$plans/$1.json"
