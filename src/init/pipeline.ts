/**
 * The review of every pull request, for GitHub and GitLab. One job plans: it runs code of the pull request, and has no token of the code
 * host. One job comments: it gets the review as a file, and runs nothing of the pull request.
 */
import { stackName } from "../adopt/project";
import { version } from "../version";
import type { CodeHost, Language } from "./language";
import type { ManagerName } from "./manager";

const notes = [
  "TENANT_DOMAIN, and as secrets TENANT_READ_CLIENT_ID and TENANT_READ_CLIENT_SECRET of a client that may only read. Anybody who can",
  "push a branch can read these secrets. Without TENANT_DOMAIN, and for forks, only the tests run.",
  "Give the stack a backend too, so that the pipeline finds the state.",
];

const actions = {
  checkout: "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2",
  node: "actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0",
  terraform: "hashicorp/setup-terraform@b9cd54a3c349d3f38e8881555d616ced269862dd # v3.1.2",
  upload: "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2",
  download: "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0",
  sarif: "github/codeql-action/upload-sarif@1b549b9259bda1cb5ddde3b41741a82a2d15a841 # v3.28.13",
};

const commands: Readonly<Record<ManagerName, { readonly install: string; readonly test: string }>> = {
  npm: { install: "npm ci", test: "npm test" },
  pnpm: { install: "npx --yes pnpm@10 install --frozen-lockfile", test: "npx --yes pnpm@10 test" },
};

export interface Pipeline {
  readonly codeHost: CodeHost;
  readonly language: Language;
  readonly manager: ManagerName;
  /** The directory below the top folder of the repository, with slashes. `.`: the top folder itself. */
  readonly below: string;
  /** The repository has a .gitlab-ci.yml of its own. */
  readonly isIncluded: boolean;
}

/** The file with the jobs. */
export function pipelineFile({ codeHost, isIncluded }: Pick<Pipeline, "codeHost" | "isIncluded">): string {
  if (codeHost === "github") return ".github/workflows/tenant.yml";
  return isIncluded ? "tenant.gitlab-ci.yml" : ".gitlab-ci.yml";
}

/** The jobs, and the script that they start. */
export const pipelineFiles = (pipeline: Pipeline): Record<string, string> => ({
  [pipelineFile(pipeline)]: pipeline.codeHost === "github" ? githubYml(pipeline) : gitlabYml(pipeline),
  "review.sh": reviewSh(pipeline.language),
});

/** Code hosts replace `$` expressions in any text, so no folder may have one in its name. */
export const isWritable = (below: string) => !/[$\p{C}]/u.test(below);

/** Every JSON string is a YAML string with the same meaning. */
const quoted = (text: string) => JSON.stringify(text);
const tagOf = (below: string) => quoted(below === "." ? stackName : below);

/** From the registry, in an empty folder: no file of the pull request chooses what the job with the token runs. */
const comment = (codeHost: CodeHost) => `npx --yes tenantform@${version} comment --provider ${codeHost} --tag "$TAG"`;

const node = `      - uses: ${actions.node}
        with:
          node-version: 22
`;

const terraform = `      - uses: ${actions.terraform}
        with:
          terraform_wrapper: false
`;

const checkout = (folder: string, ref = "") => `      - uses: ${actions.checkout}
        with:
${ref}          path: ${folder}
          persist-credentials: false
`;

function githubYml({ language, manager, below }: Pipeline): string {
  const { install, test } = commands[manager];
  const start = `    defaults:
      run:
        working-directory: ${quoted(below === "." ? "head" : `head/${below}`)}
    steps:
${checkout("head")}`;
  return `# Tests every pull request, and comments on it with the effects of the plan. Settings of the repository: the variable
${notes.map((line) => `# ${line}\n`).join("")}name: Tenant
on:
  # Never pull_request_target: it would give the secrets to the code of a fork.
  pull_request:

# Jobs get only the permissions that they name.
permissions: {}

jobs:
  test:
    runs-on: ubuntu-latest
    permissions:
      contents: read
${start}${node}${language === "hcl" ? terraform : ""}      - run: ${install}
      - run: ${test}

  # Runs code of the pull request, so this job gets no permission to write.
  review:
    if: vars.TENANT_DOMAIN != '' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    permissions:
      contents: read
${start}${checkout("base", "          ref: ${{ github.base_ref }}\n")}${node}${terraform}      - run: ${install}
      # Ends with 3 if a finding is high or critical.
      - run: sh review.sh "$GITHUB_WORKSPACE/base/$BELOW" "$RUNNER_TEMP/review" "$TAG"
        env:
          BELOW: ${quoted(below)}
          TAG: ${tagOf(below)}
          TENANT_DOMAIN: \${{ vars.TENANT_DOMAIN }}
          TENANT_CLIENT_ID: \${{ secrets.TENANT_READ_CLIENT_ID }}
          TENANT_CLIENT_SECRET: \${{ secrets.TENANT_READ_CLIENT_SECRET }}
      - uses: ${actions.upload}
        if: always()
        with:
          name: tenant-review
          path: \${{ runner.temp }}/review
          if-no-files-found: ignore

  # Runs nothing of the pull request: no checkout, and the files of the review are only text.
  comment:
    if: always() && needs.review.result != 'skipped'
    needs: review
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
      security-events: write
    steps:
${node}      - uses: ${actions.download}
        continue-on-error: true
        with:
          name: tenant-review
          path: \${{ runner.temp }}/review
      - run: ${comment("github")} "$RUNNER_TEMP/review/review.md"
        env:
          TAG: ${tagOf(below)}
          GITHUB_TOKEN: \${{ github.token }}
      - uses: ${actions.sarif}
        continue-on-error: true
        with:
          sarif_file: \${{ runner.temp }}/review/review.sarif
          category: ${quoted(`tenantform-${below}`)}
          wait-for-processing: false
`;
}

function gitlabYml({ manager, below }: Pipeline): string {
  const { install, test } = commands[manager];
  return `# Tests every merge request, and comments on it with the effects of the plan. Variables of the project, all masked: GITLAB_TOKEN, an
# access token (role Developer, scope api), with the environment scope tenant-comment, so that only the job that comments has it;
${notes.map((line) => `# ${line}\n`).join("")}.tenant:
  image: { name: "hashicorp/terraform:1.11", entrypoint: [""] }
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    BELOW: ${quoted(below)}
    TAG: ${tagOf(below)}
    REVIEW: tenant-review-$CI_PIPELINE_ID
  before_script:
    - command -v npx > /dev/null || apk add --no-cache nodejs npm
    # A review that the merge request brings is none.
    - rm -rf "$CI_PROJECT_DIR/$REVIEW"
    - cd "$BELOW"
    - ${install}

test tenant:
  extends: .tenant
  script:
    - ${test}

# Runs code of the merge request, so this job has no token that can write.
review tenant:
  extends: .tenant
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $TENANT_DOMAIN && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
  script:
    - git fetch --depth 1 origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
    - base=$(mktemp -d)
    - git worktree add --detach "$base" FETCH_HEAD
    - export TENANT_CLIENT_ID="$TENANT_READ_CLIENT_ID" TENANT_CLIENT_SECRET="$TENANT_READ_CLIENT_SECRET"
    # Ends with 3 if a finding is high or critical.
    - sh review.sh "$base/$BELOW" "$CI_PROJECT_DIR/$REVIEW" "$TAG"
  artifacts:
    when: always
    access: developer
    paths: [$REVIEW]

# Runs nothing of the merge request: no checkout, and the files of the review are only text.
comment tenant:
  extends: .tenant
  image: node:22
  needs: [review tenant]
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $TENANT_DOMAIN && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
      when: always
  variables:
    GIT_STRATEGY: none
  environment: { name: tenant-comment, action: access }
  before_script:
    - cd "$(mktemp -d)"
  script:
    - ${comment("gitlab")} "$CI_PROJECT_DIR/$REVIEW/review.md"
`;
}

function reviewSh(language: Language): string {
  const folder = `cdktf.out/stacks/${stackName}`;
  const prepared =
    language === "hcl"
      ? ["npx tenantform install --dir . > /dev/null"]
      : [
          "npx tsx main.ts",
          'if [ -f "$base/main.ts" ]; then',
          '  if [ ! -e "$base/node_modules" ]; then ln -s "$PWD/node_modules" "$base/node_modules"; fi',
          '  (cd "$base" && npx tsx main.ts)',
          "fi",
          `base=$base/${folder}`,
          `cd ${folder}`,
        ];
  return `${[
    "#!/bin/sh",
    "# Plans, and reviews the plan: review.sh BASE OUT TAG",
    "# BASE is this folder on the target branch. Its expectations judge the change too, so that a change cannot weaken them.",
    "# OUT is the folder of the review, and TAG the tag of its comment. The job that comments gets OUT, and nothing else.",
    "# Exits with 3 if a finding is high or critical.",
    "set -eu",
    "base=$1 out=$2 tag=$3",
    "terraform=${TERRAFORM:-terraform}",
    'mkdir -p "$out"',
    ...prepared,
    "$terraform init -input=false",
    "$terraform plan -input=false -out=plan",
    'if [ ! -d "$base" ]; then base=; fi',
    'npx tenantform review plan ${base:+--protect "$base"} --tag "$tag" --fail-on high \\',
    '  --output "$out/review.md" --output "$out/review.sarif"',
  ].join("\n")}\n`;
}
