/** Pipelines give no token of the code host that can write to code of the branch; the container image, because no test builds it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { version } from "../../package.json";
import { run as runProgram } from "../support/program";
import { componentFile, readAction, readComponent } from "./support/action";

const yaml = require("js-yaml") as { load(text: string): any; loadAll(text: string): any[] };

const read = (file: string) => readFile(path.join(__dirname, "../..", file), "utf8");
/** Programs of a job that comments. The rest of a line is data for them. */
const programs = [
  'cd "$FOLDER"',
  'cd "$REVIEW_FOLDER"',
  "cd base",
  `if grep -qs '"tenantform"' "$FOLDER/package.json"`,
  `if ! grep -qs '"tenantform"' `,
  "npm ci --ignore-scripts",
  "printf '",
  'echo "',
  "npx --no tenantform comment ",
  'cd "base/$FOLDER" && npx --no tenantform comment ',
  "exit 0",
  "else",
  "fi",
];
const ofGitLab = [
  'cd "$(mktemp -d)"',
  'git clone --quiet --depth 1 --branch "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME" "$CI_REPOSITORY_URL" .',
  "env -u GITLAB_TOKEN npm ci --ignore-scripts",
];
const linesOf = (script: string) =>
  script
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
const unknown = (script: string, more: readonly string[] = []) =>
  linesOf(script).filter((line) => ![...programs, ...more].some((program) => line.startsWith(program)));
const action = new RegExp(
  `^((actions|github)/[\\w/-]+@[0-9a-f]{40}|tenantform/tenantform/\\.github/actions/comment@v${version})$`,
);

describe.each<[string, () => Promise<string>]>([
  ["examples/start/hcl/github.yml", () => read("examples/start/hcl/github.yml")],
  ["examples/start/typescript/github.yml", () => read("examples/start/typescript/github.yml")],
  ["examples/review/github.yml", () => read("examples/review/github.yml")],
  ["examples/fleet/github.yml", () => read("examples/fleet/github.yml")],
])("%s", (_, text) => {
  test("comments in one job that runs nothing of the branch, and gives no other job a permission to write", async () => {
    const { jobs, permissions } = yaml.load(await text());
    expect(permissions).toEqual({});
    const writing = Object.values<any>(jobs).filter((job) => JSON.stringify(job.permissions).includes("write"));
    expect(writing).toHaveLength(1);
    const [{ steps, if: condition }] = writing as any;
    for (const { run, uses, with: given, env = {} } of steps) {
      if (run === undefined) expect(uses).toMatch(action);
      else expect(unknown(run)).toEqual([]);
      if (/checkout/.test(uses)) expect(given.ref).toBe("${{ github.event.pull_request.base.sha }}");
      expect([run, "GITHUB_TOKEN" in env]).toEqual([
        run,
        /^(cd "base\/\$FOLDER" && )?npx --no tenantform comment [^\n]*$/.test(run),
      ]);
    }
    expect(condition).toContain("always()");
    const others = Object.values<any>(jobs).filter((job) => job !== writing[0]);
    expect(JSON.stringify(others)).not.toContain("github.token");
  });

  test("names every action by its commit, leaves no token in a checkout, and puts no expression into a script", async () => {
    const written = await text();
    const steps = Object.values<any>(yaml.load(written).jobs).flatMap(({ steps: own }) => own);
    for (const { uses, run = "" } of steps) {
      if (uses !== undefined && !uses.startsWith("tenantform/")) expect(uses).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
      expect(run).not.toContain("${{");
    }
    const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    for (const { with: given } of checkouts) expect(given["persist-credentials"]).toBe(false);
    expect(written).not.toMatch(/^\s*pull_request_target:/m);
  });
});

describe.each<[string, () => Promise<string>]>([
  ["examples/start/hcl/gitlab.yml", () => read("examples/start/hcl/gitlab.yml")],
  ["examples/start/typescript/gitlab.yml", () => read("examples/start/typescript/gitlab.yml")],
  [
    "the GitLab component",
    async () => (await read(componentFile)).split("\n---\n")[1]!.replaceAll(/: (\$\[\[.*)$/gm, ': "$1"'),
  ],
])("%s", (_, text) => {
  test("comments in one job that runs nothing of the branch, and alone has the environment of the token", async () => {
    const jobs = Object.entries<any>(yaml.load(await text()));
    const commenting = jobs.filter(([, { environment }]) => environment);
    expect(commenting).toHaveLength(1);
    const [[, { script, before_script: before = [], variables, environment, rules }]] = commenting as any;
    expect(variables.GIT_STRATEGY).toBe("none");
    expect(environment.action).toBe("access");
    expect(rules[0].when).toBe("always");
    const filled = [...before, ...script]
      .join("\n")
      .replace("$REVIEW_INSTALL", "npm ci --ignore-scripts")
      .replace("$REVIEW_COMMAND", "npx --no tenantform");
    expect(unknown(filled, ofGitLab)).toEqual([]);
    // In this order, and no install with the token.
    expect(linesOf(filled).slice(0, 2)).toEqual(ofGitLab.slice(0, 2));
    expect(linesOf(filled).filter((line) => line.includes("npm ci"))).toEqual(ofGitLab.slice(2));
  });

  test("reviews in a folder of this pipeline that no branch can bring, and names its image", async () => {
    const jobs = Object.values<any>(yaml.load(await text()));
    const [reviewing] = jobs.filter(({ artifacts }) => artifacts);
    const all = JSON.stringify(jobs);
    expect(JSON.stringify([reviewing.artifacts.paths, all])).toContain("tenant-review-$CI_PIPELINE_ID");
    expect(all).toMatch(/rm -rf \\"\$(CI_PROJECT_DIR\/\$REVIEW|out)\\"/);
    expect(all).toContain('"image":{"name":');
    expect(all).not.toContain("../base");
  });
});

test("the action and the component comment with the tool of the lock file by default", async () => {
  const { inputs: ofAction } = await readAction("comment");
  const { inputs: ofComponent } = await readComponent();
  for (const { install, command } of [ofAction, { ...ofComponent, command: ofComponent["comment-command"] }]) {
    expect([install.default, command.default]).toEqual(["npm ci --ignore-scripts", "npx --no tenantform"]);
  }
});

test("no pipeline takes Tenantform from the registry by its name", async () => {
  const shown = [componentFile, ".github/actions/review/action.yml", ".github/actions/comment/action.yml"];
  const starts = ["hcl", "typescript"].flatMap((name) => [`start/${name}/github.yml`, `start/${name}/gitlab.yml`]);
  const examples = [...starts, "review/github.yml", "review/gitlab.yml", "fleet/github.yml"];
  for (const file of [...shown, ...examples.map((name) => `examples/${name}`)])
    expect(await read(file)).not.toMatch(/tenantform@\d|--yes tenantform/);
});

test.each(["ci", "nightly", "release"])("our workflow %s names every action by its commit", async (name) => {
  const found = [...(await read(`.github/workflows/${name}.yml`)).matchAll(/uses: (\S+)/g)].map(([, uses]) => uses!);
  expect(found.length).toBeGreaterThan(2);
  for (const one of found) expect(one).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
});

const root = path.join(__dirname, "../..");

/** The instructions without comments, each on one line. */
async function instructions(): Promise<[string, string][]> {
  const text = await readFile(path.join(root, ".github/image/Containerfile"), "utf8");
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replaceAll("\\\n", "")
    .trim()
    .split("\n");
  return lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

test("builds on a named version of Alpine, and runs as another user than root", async () => {
  const all = await instructions();
  expect(all.map(([name]) => name).join(" ")).toBe("ARG FROM COPY RUN ENV USER WORKDIR ENTRYPOINT CMD");
  const valueOf = Object.fromEntries(all);
  expect(valueOf["ARG"]).toMatch(/^BASE=alpine:\d+\.\d+$/);
  expect(valueOf["USER"]).toBe("tenantform");
});

test("its script is valid, and calls the command with options that exist", async () => {
  const [, script] = (await instructions()).find(([name]) => name === "RUN")!;
  expect(await runProgram("sh", ["-n", "-c", script], { cwd: root })).toMatchObject({ code: 0, stderr: "" });
  const [, call] = /tenantform (install [^;]*);/.exec(script)!;
  const { stdout: help } = await runProgram(process.execPath, ["dist/cli.js", "install", "--help"], { cwd: root });
  for (const [option] of call!.matchAll(/--[\w-]+/g)) expect(help).toContain(option);
  const [, settings] = /printf '([^']*)'/.exec(script)!;
  expect(settings).toContain('include = ["registry.terraform.io/tenantform/tenant"]');
});
