#!/bin/sh
# Plans one tenant: plan.sh NAME. Writes plans/NAME.json. `npx tsx main.ts` runs first.
set -eu
# Terraform starts programs that the pull request chose: they do not get the token that writes the comment.
TERRAFORM="env -u GITHUB_TOKEN ${TERRAFORM:-terraform}"
mkdir -p plans
plans=$PWD/plans
# Terraform finds the provider in the folder where it starts, so -chdir does not work here.
cd "cdktf.out/stacks/$1"
$TERRAFORM init -input=false
$TERRAFORM plan -input=false -lock-timeout=2m -out=plan
$TERRAFORM show -json plan > "$plans/$1.json"
