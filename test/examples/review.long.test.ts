/** Runs examples/review like a pipeline, against embedded tenants and a stand-in for the code host. */
import { cp, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Emulator } from "../../src/emulator/emulator";
import { standIn, type StandIn } from "../review/support/threads";
import { version } from "../../package.json";
import { newFolder, root } from "../support/folder";
import { run } from "../support/program";
import { listeningTenant } from "../support/tenant";
import { passArtifact, readAction, readComponent, readYaml, runAction, targetBranch } from "./support/action";

const example = path.join(root, "examples/review");

let folder: string;
let emulator: Emulator;
let close: () => Promise<void>;
let service: StandIn;
let tenant: NodeJS.ProcessEnv;
beforeEach(async () => {
  folder = newFolder();
  await cp(example, path.join(folder, "tenant"), { recursive: true });
  await targetBranch(targetFolder());
  await edit("acme.eu.auth0.com", "127.0.0.1");
  service = await standIn("github app");
  const seed = JSON.parse(await readFile(path.join(example, "snapshot.json"), "utf8"));
  ({ emulator, env: tenant, close } = await listeningTenant({ seed }));
});
afterEach(() => Promise.all([service.close(), close()]));

const job = (): NodeJS.ProcessEnv => ({
  HOME: folder,
  TENANTFORM: `"${process.execPath}" ${path.join(root, "dist/cli.js")}`.replaceAll('"', ""),
  GITHUB_API_URL: service.url,
  GITHUB_REPOSITORY: "acme/tenant",
  GITHUB_REF: "refs/pull/7/merge",
});
const script = (name: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
  run("sh", [`./${name}`, ...args], { cwd: path.join(folder, "tenant"), env: { ...job(), ...env } });
const targetFolder = () => path.join(folder, ".target");
/** The steps of the jobs that plan and comment. */
const reviewJob = async (env: NodeJS.ProcessEnv, inputs: Record<string, string> = {}) => {
  const planned = await script("plan.sh", env);
  if (planned.code !== 0) return planned;
  const command = { command: job().TENANTFORM! };
  const reviewing = { "working-directory": "tenant", ...command, ...inputs };
  const reviewed = await runAction("review", { workspace: folder, env: { ...job(), ...env }, inputs: reviewing });
  await passArtifact(folder);
  const commenting = { workspace: folder, base: targetFolder(), inputs: { ...command, install: "true" } };
  await runAction("comment", { ...commenting, env: { ...job(), JOB_TOKEN: service.token } });
  return reviewed;
};
const artifact = () => path.join(folder, ".temp/tenantform-comment/review.json");
const files = () => readdir(path.join(folder, "tenant"));
const edit = async (from: string, to: string) => {
  const file = path.join(folder, "tenant/main.tf");
  await writeFile(file, (await readFile(file, "utf8")).replace(from, to));
};
const descriptions = () => [...emulator.store.networkAcls.values()].map(({ description }) => description);

test("plans, reviews and comments on a pull request", async () => {
  const reviewed = await reviewJob(tenant);
  expect([reviewed.code, reviewed.code === 0 ? "" : reviewed.stderr + reviewed.stdout]).toEqual([0, ""]);
  expect(service.notes).toHaveLength(1);
  expect(service.notes[0]!.body).toContain("Keep known scanners out");
  expect(service.notes[0]!.body).toContain("By hand: the support desk");

  // The next change would lock the pipeline out. Its comment replaces the first one, and the job fails.
  await edit('provider "tenant" {', 'provider "tenant" {\n  lockout_guard = "warn"');
  await edit("192.0.2.0/24", "203.0.113.0/24");
  expect((await reviewJob(tenant)).code).toBe(3);
  expect(service.notes).toHaveLength(1);
  expect(service.notes[0]!.body).toContain("TNF-ACL-LOCKOUT");
});

test("keeps a change from weakening the guard that checks it", async () => {
  await cp(path.join(folder, "tenant"), path.join(folder, "base"), { recursive: true });
  const held = { base: "../base" };
  expect(await reviewJob(tenant, held)).toMatchObject({ code: 0 });
  await edit('ip   = "203.0.113.7"', 'ip   = "203.0.113.8"');
  expect((await reviewJob(tenant, held)).code).toBe(3);
  expect(service.notes[0]!.body).toContain("TNF-GUARD-WEAKENED");
});

test("without credentials, reviews the change on an embedded tenant with the objects of the base branch", async () => {
  await cp(example, path.join(folder, "base/tenant"), { recursive: true });
  await edit("192.0.2.0/24", "192.0.2.0/25");
  const { code, stderr } = await reviewJob({ TENANT_SNAPSHOT: "snapshot.json", TENANT_BASE: "../base/tenant" });
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(service.notes[0]!.body).toContain("Allows sign\\-in");
  expect(descriptions()).toEqual(["By hand: the support desk"]);
  expect(await files()).not.toContain("plan");
  expect(await files()).not.toContain("review_override.tf.json");
});

test("applies a fresh plan only if it makes the approved changes", async () => {
  expect((await reviewJob(tenant)).code).toBe(0);
  const review = JSON.parse(await readFile(artifact(), "utf8")) as { changes: { digest: string }[] };
  const other = path.join(path.dirname(artifact()), "other.json");
  await writeFile(
    other,
    JSON.stringify({ ...review, changes: review.changes.map((one) => ({ ...one, digest: "0" })) }),
  );
  const refused = await script("apply.sh", tenant, other);
  expect([refused.code, refused.stdout]).toEqual([4, expect.stringMatching(/✖ Not the approved changes:\n/)]);
  expect(descriptions()).not.toContain("Keep known scanners out");

  const applied = await script("apply.sh", tenant, artifact());
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("1 added")]);
  expect(applied.stdout).toContain("✔ The plan makes exactly the approved changes.");
  expect(descriptions()).toContain("Keep known scanners out");
});

test.each(["github.yml", "gitlab.yml"])("%s calls commands that exist", async (name) => {
  const text = await readFile(path.join(example, name), "utf8");
  const there = await readdir(example);
  const called = [...text.matchAll(/[\w-]+\.(?:sh|mjs|json)\b/g)].map(([file]) => file);
  expect(called).toEqual(expect.arrayContaining(["plan.sh", "apply.sh", "snapshot.json"]));
  expect([...there, "plan.json", "review.json"]).toEqual(expect.arrayContaining(called));
  expect(text).not.toMatch(/\t/);
});

describe("github.yml", () => {
  let text: string;
  beforeAll(async () => (text = await readFile(path.join(example, "github.yml"), "utf8")));
  const jobs = () =>
    text
      .slice(text.indexOf("\njobs:"))
      .split(/^ {2}(?=\w+:$)/m)
      .slice(1);

  test("gives no secret to a pull request of a fork, and no secret that can write to any pull request", () => {
    const [plan, comment, apply] = jobs();
    const secrets = [...plan!.matchAll(/\$\{\{([^}]*secrets\.[^}]*)\}\}/g)].map(([, expression]) => expression!.trim());
    expect(secrets).toHaveLength(2);
    for (const secret of secrets) {
      expect(secret).toMatch(/^env\.FROM_FORK == 'false' && secrets\.TENANT_READ_CLIENT_(ID|SECRET) \|\| ''$/);
    }
    expect(comment).not.toContain("secrets.");
    expect(apply).toContain("if: github.event_name == 'push'");
    expect(apply).toContain("environment: tenant");
  });
});

test("both pipelines give only inputs that exist, from this version", async () => {
  const { jobs } = await readYaml("examples/review/github.yml");
  const step = jobs.plan.steps.find(({ uses = "" }) => uses.startsWith("tenantform/"));
  expect(Object.keys((await readAction("review")).inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const { include, ...own } = await readYaml("examples/review/gitlab.yml");
  expect(include[0].remote).toContain(`/tenantform/v${version}/.gitlab/templates/review.yml`);
  // The pipeline adds to jobs of the component.
  const { inputs } = await readComponent();
  for (const name of [inputs.job.default, inputs["comment-job"].default]) expect(Object.keys(own)).toContain(name);
});
