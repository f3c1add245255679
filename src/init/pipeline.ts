/** The review of every pull request, for GitHub and GitLab. */
import { stackName } from "../adopt/project";
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
export function pipelineFiles(pipeline: Pipeline): Record<string, string> {
  const file = pipelineFile(pipeline);
  return pipeline.codeHost === "github"
    ? { [file]: githubYml(pipeline), "plan.sh": planSh(pipeline.language) }
    : { [file]: gitlabYml(pipeline), "review.sh": reviewSh(pipeline.language) };
}

/** Code hosts replace `$` expressions in any text, so no folder may have one in its name. */
export const isWritable = (below: string) => !/[$\p{C}]/u.test(below);

const checkout = `      - uses: ${actions.checkout}
        with:
          persist-credentials: false
`;

const node = `      - uses: ${actions.node}
        with:
          node-version: 22
`;

const terraform = `      - uses: ${actions.terraform}
        with:
          terraform_wrapper: false
`;

function githubYml({ language, manager, below }: Pipeline): string {
  const { install, test } = commands[manager];
  // Every JSON string is a YAML string with the same meaning.
  const folder = JSON.stringify(below);
  const plan = `${planFolder(language)}plan`;
  const start = `    defaults:
      run:
        working-directory: ${folder}
    steps:
${checkout}`;
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

  review:
    if: vars.TENANT_DOMAIN != '' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
      security-events: write
${start}      - uses: ${actions.checkout}
        with:
          ref: \${{ github.base_ref }}
          path: base
          persist-credentials: false
${node}${terraform}      - run: ${install}
      - id: plan
        run: sh plan.sh "$GITHUB_WORKSPACE/base/$BELOW"
        env:
          BELOW: ${folder}
          TENANT_DOMAIN: \${{ vars.TENANT_DOMAIN }}
          TENANT_CLIENT_ID: \${{ secrets.TENANT_READ_CLIENT_ID }}
          TENANT_CLIENT_SECRET: \${{ secrets.TENANT_READ_CLIENT_SECRET }}
      # The package contains the action, so the lock file pins its version too.
      - run: cp -R "$(dirname "$(node -p 'require.resolve("tenantform/package.json")')")/.github/actions/review" "$GITHUB_WORKSPACE/.review"
      # Comments, uploads SARIF, and fails the job if a finding is high or critical.
      - uses: ./.review
        with:
          working-directory: ${folder}
          plan: ${plan}
          # The expectations of the target branch judge the change too, so that a change cannot weaken them.
          expect: \${{ steps.plan.outputs.expect }}
          tag: ${JSON.stringify(below === "." ? stackName : below)}
`;
}

function gitlabYml({ manager, below }: Pipeline): string {
  const { install, test } = commands[manager];
  return `# Tests every merge request, and comments on it with the effects of the plan. Runners have Node and Terraform.
# Variables of the project, all masked: GITLAB_TOKEN, an access token (role Developer, scope api) for the comment,
${notes.map((line) => `# ${line}\n`).join("")}.tenant:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    BELOW: ${JSON.stringify(below)}
  before_script:
    - cd "$BELOW"
    - ${install}

test tenant:
  extends: .tenant
  script:
    - ${test}

review tenant:
  extends: .tenant
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event" && $TENANT_DOMAIN && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID
  script:
    - git fetch --depth 1 origin "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
    # A runner keeps the clone, and so knows this folder from the pipeline before.
    - git worktree add --force "$CI_PROJECT_DIR/../base" FETCH_HEAD
    - export TENANT_CLIENT_ID="$TENANT_READ_CLIENT_ID" TENANT_CLIENT_SECRET="$TENANT_READ_CLIENT_SECRET"
    - sh review.sh "$CI_PROJECT_DIR/../base/$BELOW"
`;
}

/** Ends with a slash. */
const planFolder = (language: Language) => (language === "hcl" ? "" : `cdktf.out/stacks/${stackName}/`);

/** Writes the file `plan`, and leaves its folder as the working directory. `run` precedes programs that the pull request chose. */
function planLines(language: Language, run: string): string[] {
  const prepared =
    language === "hcl"
      ? [
          "npx tenantform install --dir . > /dev/null",
          "expectations=$(grep -lE '^ *expectation ' \"$base\"/*.tf | head -n 1)",
        ]
      : [
          `${run}npx tsx main.ts`,
          "expectations=",
          'if [ -f "$base/main.ts" ]; then',
          '  if [ ! -e "$base/node_modules" ]; then ln -s "$PWD/node_modules" "$base/node_modules"; fi',
          `  (cd "$base" && ${run}npx tsx main.ts)`,
          `  expectations=$(grep -l '"expectation"' "$base/${planFolder(language)}cdk.tf.json" || true)`,
          "fi",
          `cd ${planFolder(language).replace(/\/$/, "")}`,
        ];
  return [...prepared, "$terraform init -input=false", "$terraform plan -input=false -out=plan"];
}

const planSh = (language: Language) =>
  [
    "#!/bin/sh",
    "# Plans for the review of a pull request: plan.sh BASE",
    "# BASE is this folder on the target branch. The output `expect` is the file with its expectations.",
    "set -eu",
    "base=$1",
    "terraform=${TERRAFORM:-terraform}",
    ...planLines(language, ""),
    'echo "expect=$expectations" >> "$GITHUB_OUTPUT"',
    "",
  ].join("\n");

const reviewHead = `#!/bin/sh
# Plans, reviews the plan, and comments on the merge request: review.sh BASE
# BASE is this folder on the target branch. Its expectations judge the change too, so that a change cannot weaken them.
# Exits with 3 if a finding is high or critical.`;

const reviewSh = (language: Language) =>
  [
    reviewHead,
    "set -eu",
    "base=$1",
    "# Terraform and the stack run code of the merge request: they do not get the token that writes the comment.",
    'without_token="env -u GITLAB_TOKEN"',
    'terraform="$without_token ${TERRAFORM:-terraform}"',
    ...planLines(language, "$without_token "),
    "",
    "status=0",
    '$without_token npx tenantform review plan ${expectations:+--expect "$expectations"} \\',
    "  --format markdown --fail-on high --output review.md || status=$?",
    "if [ -s review.md ]; then npx tenantform comment --provider gitlab review.md; fi",
    'exit "$status"',
    "",
  ].join("\n");
