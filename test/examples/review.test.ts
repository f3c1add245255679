/** Runs examples/review like a pipeline, against embedded tenants and a stand-in for the code host. */
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { standIn, type StandIn } from "../review/support/threads";
import { version } from "../../package.json";
import { run } from "../support/program";
import { readAction, readComponent, readYaml, runAction } from "./support/action";

const root = path.join(__dirname, "../..");
const example = path.join(root, "examples/review");

let folder: string;
let emulator: Emulator;
let close: () => Promise<void>;
let service: StandIn;
let tenant: NodeJS.ProcessEnv;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-pipeline-"));
  await cp(example, path.join(folder, "tenant"), { recursive: true });
  service = await standIn("github app");
  emulator = createEmulator({ seed: JSON.parse(await readFile(path.join(example, "snapshot.json"), "utf8")) });
  const listening = await emulator.listen();
  close = listening.close;
  tenant = {
    TENANT_ENDPOINT: listening.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
});
afterEach(async () => {
  await Promise.all([service.close(), close()]);
  await rm(folder, { recursive: true, force: true });
});

const job = (): NodeJS.ProcessEnv => ({
  HOME: folder,
  TENANTFORM: `"${process.execPath}" ${path.join(root, "dist/cli.js")}`.replaceAll('"', ""),
  GITHUB_API_URL: service.url,
  GITHUB_REPOSITORY: "acme/tenant",
  GITHUB_REF: "refs/pull/7/merge",
});
const script = (name: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
  run("sh", [`./${name}`, ...args], { cwd: path.join(folder, "tenant"), env: { ...job(), ...env } });
/** The steps of the review job: plans, and runs the action if that succeeds. */
const reviewJob = async (env: NodeJS.ProcessEnv, inputs: Record<string, string> = {}) => {
  const planned = await script("plan.sh", env);
  if (planned.code !== 0) return planned;
  const common = { "working-directory": "tenant", command: job().TENANTFORM! };
  return runAction({
    workspace: folder,
    env: { ...job(), ...env, JOB_TOKEN: service.token },
    inputs: { ...common, ...inputs },
  });
};
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
  expect(await files()).toEqual(expect.arrayContaining(["plan.json", "review.html", "review.json", "review.sarif"]));

  // The next change would lock the pipeline out. Its comment replaces the first one, and the job fails.
  await edit('provider "tenant" {', 'provider "tenant" {\n  lockout_guard = "warn"');
  await edit("192.0.2.0/24", "203.0.113.0/24");
  expect((await reviewJob(tenant)).code).toBe(3);
  expect(service.notes).toHaveLength(1);
  expect(service.notes[0]!.body).toContain("TF-ACL-LOCKOUT");
});

test("keeps a change from weakening the guard that checks it", async () => {
  await cp(path.join(example, "protected.json"), path.join(folder, "base.json"));
  const held = { protect: "../base.json" };
  expect(await reviewJob(tenant, held)).toMatchObject({ code: 0 });
  await edit('ip   = "203.0.113.7"', 'ip   = "203.0.113.8"');
  expect((await reviewJob(tenant, held)).code).toBe(3);
  expect(service.notes[0]!.body).toContain("TF-GUARD-WEAKENED");
});

test("without credentials, reviews the change on an embedded tenant with the objects of the target branch", async () => {
  await cp(example, path.join(folder, "base/tenant"), { recursive: true });
  await edit("192.0.2.0/24", "192.0.2.0/25");
  const { code, stderr } = await reviewJob({ TENANT_SNAPSHOT: "snapshot.json", TENANT_BASE: "../base/tenant" });
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(service.notes[0]!.body).toContain("128 fewer IPv4 addresses");
  expect(service.notes[0]!.body).toContain("Opens sign\\-in");
  expect(descriptions()).toEqual(["By hand: the support desk"]);
  expect(await files()).not.toContain("plan");
  expect(await files()).not.toContain("review_override.tf.json");
});

describe("the job that applies", () => {
  test("applies a fresh plan only if it means what the review of the same pipeline shows", async () => {
    expect((await reviewJob(tenant)).code).toBe(0);
    await cp(example, path.join(folder, "fresh"), { recursive: true });
    const apply = () => run("sh", ["./apply.sh"], { cwd: path.join(folder, "fresh"), env: { ...job(), ...tenant } });

    // Without the review, nothing is applied.
    const without = await apply();
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("review.json does not exist")]);
    await cp(path.join(folder, "tenant/review.json"), path.join(folder, "fresh/review.json"));

    // Somebody allowed half of the scanners by hand after the review.
    const rule = { action: { allow: true }, match: { ipv4_cidrs: ["192.0.2.0/25"] }, scope: "tenant" };
    const [support] = emulator.store.networkAcls.values();
    emulator.store.networkAcls.put({ ...support!, id: "acl_byhand0000000001", priority: 1, rule });
    const refused = await apply();
    expect([refused.code, refused.stdout]).toEqual([
      4,
      expect.stringMatching(
        /✖ .* does not mean what was approved\.\n.* Approved: allowed becomes blocked. Now: stays allowed\./,
      ),
    ]);
    expect(descriptions()).not.toContain("Keep known scanners out");

    // Another description is another plan with the same effects.
    emulator.store.networkAcls.drop("acl_byhand0000000001");
    emulator.store.networkAcls.put({ ...support!, description: "The support desk" });
    const applied = await apply();
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("1 added")]);
    expect(applied.stdout).toContain("✔ The plan means what was approved. Proven");
    expect(descriptions()).toContain("Keep known scanners out");
  });
});

test("does not give the comment token to programs that Terraform starts for a plan", async () => {
  const spy = path.join(folder, "terraform");
  await writeFile(spy, `#!/bin/sh\nenv >> '${folder}/seen'\nexec terraform "$@"\n`, { mode: 0o755 });
  const secret = { GITLAB_TOKEN: service.token, GITHUB_TOKEN: service.token };
  expect((await script("plan.sh", { ...tenant, TERRAFORM: spy, ...secret })).code).toBe(0);
  const seen = await readFile(path.join(folder, "seen"), "utf8");
  expect(seen).toContain("TENANT_CLIENT_ID=");
  expect(seen).not.toContain(service.token);
});

test.each(["github.yml", "gitlab.yml"])("%s calls commands that exist", async (name) => {
  const text = await readFile(path.join(example, name), "utf8");
  const there = await readdir(example);
  // The review writes review.json.
  const called = [...text.matchAll(/[\w-]+\.(?:sh|mjs|json)\b/g)].flatMap(([file]) =>
    file === "review.json" ? [] : [file],
  );
  expect(new Set(called)).toEqual(new Set(["plan.sh", "apply.sh", "snapshot.json", "protected.json"]));
  expect(there).toEqual(expect.arrayContaining(called));
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

  test("names every action by its commit", () => {
    const own = `tenantform/tenantform/.github/actions/review@v${version}`;
    const actions = [...text.matchAll(/uses: (\S+)/g)].flatMap(([, action]) => (action === own ? [] : [action!]));
    expect(actions.length).toBeGreaterThan(5);
    expect(text).toContain(own);
    expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test("gives no secret to a pull request of a fork, and no secret that can write to any pull request", () => {
    expect(text).not.toMatch(/^\s*pull_request_target:/m);
    const [review, apply] = jobs();
    expect(review).toContain("FROM_FORK: ${{ github.event_name == 'pull_request' && ");
    const secrets = [...review!.matchAll(/\$\{\{([^}]*secrets\.[^}]*)\}\}/g)].map(([, expression]) =>
      expression!.trim(),
    );
    expect(secrets).toHaveLength(2);
    for (const secret of secrets) {
      expect(secret).toMatch(/^env\.FROM_FORK == 'false' && secrets\.TENANT_READ_CLIENT_(ID|SECRET) \|\| ''$/);
    }
    expect(apply).toContain("if: github.event_name == 'push'");
    expect(apply).toContain("environment: tenant");
  });

  test("gives each job the permissions that it needs, and leaves no token in the checkout", () => {
    expect(text).toMatch(/^permissions: \{\}$/m);
    const granted = jobs().map((one) =>
      [...one.matchAll(/^ {6}([a-z-]+): (read|write)$/gm)].map(([line]) => line.trim()),
    );
    expect(granted).toEqual([["contents: read", "pull-requests: write", "security-events: write"], ["contents: read"]]);
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)!.length);
  });

  test("puts no expression into a script", () => {
    expect(text).not.toMatch(/run:[^\n]*\$\{\{/);
  });
});

test("both pipelines give only inputs that exist, from this version", async () => {
  const { jobs } = await readYaml("examples/review/github.yml");
  const step = jobs.review.steps.find(({ uses = "" }) => uses.startsWith("tenantform/"));
  expect(Object.keys((await readAction()).inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
  const [{ remote, inputs }] = (await readYaml("examples/review/gitlab.yml")).include;
  expect(remote).toContain(`/tenantform/v${version}/.gitlab/templates/review.yml`);
  const component = await readComponent();
  expect(Object.keys(component.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
});
