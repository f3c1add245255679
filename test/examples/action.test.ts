/** Runs the GitHub action and the GitLab component on plans, against a stand-in for the code host. */
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { acl, block, change, planText } from "../review/support/plan";
import { standIn, type Kind, type StandIn } from "../review/support/threads";
import { readAction, readComponent, runAction, runComponent, type Job } from "./support/action";

const cli = path.join(__dirname, "../../dist/cli.js");
const grave = planText([change("tenant_network_acl.all", null, acl(1, { action: block, match_all: true }))]);
const still = planText([]);

let folder: string;
let service: StandIn | undefined;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-action-"))));
afterEach(async () => {
  await service?.close();
  await rm(folder, { recursive: true, force: true });
});
const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const read = (name: string) => readFile(path.join(folder, name), "utf8");

type Hosted = { readonly code: number | null; readonly stderr: string; readonly outputs?: Record<string, string> };
interface Host {
  readonly kind: Kind;
  run(job: Job): Promise<Hosted>;
  env(service: StandIn): NodeJS.ProcessEnv;
}
const hosts: Record<string, Host> = {
  "the GitHub action": {
    kind: "github app",
    run: runAction,
    env: ({ url, token }) => ({
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/tenant",
      GITHUB_REF: "refs/pull/7/merge",
      JOB_TOKEN: token,
    }),
  },
  "the GitLab component": {
    kind: "gitlab",
    run: runComponent,
    env: ({ url, token }) => ({
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "42",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_TOKEN: token,
    }),
  },
};

describe.each(Object.entries(hosts))("%s", (_, { kind, run, env }) => {
  const job = (inputs: Job["inputs"] = {}, more: NodeJS.ProcessEnv = {}): Promise<Hosted> =>
    run({
      workspace: folder,
      inputs: { command: `${process.execPath} ${cli}`, ...inputs },
      env: { HOME: folder, ...env(service!), ...more },
    });
  beforeEach(async () => (service = await standIn(kind)));

  test("comments on a harmful plan, writes all files, and keeps exit code 3", async () => {
    await write("plan.json", grave);
    expect(await job()).toMatchObject({ code: 3 });
    expect(service!.notes.map(({ body }) => body)).toEqual([expect.stringContaining("TF-ACL-LOCKOUT")]);
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(["review.md", "review.html", "review.json", "review.sarif"]),
    );
    expect(JSON.parse(await read("review.sarif")).runs[0].results).not.toEqual([]);
  });

  test("updates its comment in the next run", async () => {
    await write("plan.json", grave);
    await job();
    await write("plan.json", still);
    expect(await job()).toMatchObject({ code: 0 });
    expect(service!.notes).toHaveLength(1);
    expect(service!.notes[0]!.body).not.toContain("TF-ACL-LOCKOUT");
  });

  test("exits with 2 for a missing plan, and does not comment with the files of an earlier run", async () => {
    await write("plan.json", grave);
    await job({ comment: "false" }, { GITLAB_TOKEN: "" });
    const { code, stderr } = await job({ plan: "absent.json" });
    expect([code, stderr]).toEqual([2, expect.stringContaining("absent.json does not exist")]);
    expect(service!.notes).toEqual([]);
    expect(await readdir(folder)).not.toContain("review.md");
  });

  test("keeps the exit code if the comment fails", async () => {
    await write("plan.json", grave);
    service!.fail("POST", 403);
    const { code, stderr } = await job();
    expect([code, stderr]).toEqual([3, expect.stringContaining("No comment was made")]);
  });

  test("takes a hostile text as the name of a plan or a tag only", async () => {
    const name = "-$(touch hacked) `touch hacked`;touch hacked;'\"\n::error::x.json";
    await write(name, grave);
    expect(await job({ plan: name, tag: "$(touch hacked)" })).toMatchObject({ code: 3 });
    expect(service!.notes).toHaveLength(1);
    expect((await readdir(folder)).filter((file) => file.startsWith("hacked"))).toEqual([]);
  });

  test("takes the guard and expectations of the target branch, and the level", async () => {
    await write("plan.json", grave);
    expect(await job({ protect: "absent.json" })).toMatchObject({ code: 2 });
    expect(await job({ "fail-on": "enormous" })).toMatchObject({ code: 1 });
    const expectation = { name: "open", outcome: "reached", request: { countries: ["DE"] } };
    await write("expect.json", JSON.stringify([expectation]));
    expect(await job({ expect: "expect.json" })).toMatchObject({ code: 3 });
    expect(service!.notes.at(-1)!.body).toContain("TF-EXPECTATION-BROKEN");
  });

  test("does not give its token to the review", async () => {
    await write("plan.json", still);
    const spy = path.join(folder, "spy.sh");
    await write("spy.sh", `#!/bin/sh\nenv > "seen.$1"\nexec ${process.execPath} ${cli} "$@"\n`);
    expect(await job({ command: `sh ${spy}` })).toMatchObject({ code: 0 });
    expect(await read("seen.review")).not.toContain(service!.token);
    expect(await read("seen.comment")).toContain(service!.token);
  });
});

describe("the GitHub action", () => {
  const job = (env: NodeJS.ProcessEnv, inputs: Job["inputs"] = {}) =>
    runAction({
      workspace: folder,
      inputs: { command: `${process.execPath} ${cli}`, ...inputs },
      env: { HOME: folder, GITHUB_REPOSITORY: "acme/tenant", ...env },
    });

  test("writes the job summary on a push, and for a fork whose token cannot comment", async () => {
    service = await standIn("github app");
    await write("plan.json", grave);
    await write("summary.md", "");
    const GITHUB_STEP_SUMMARY = path.join(folder, "summary.md");
    const push = { GITHUB_API_URL: service.url, JOB_TOKEN: service.token, GITHUB_REF: "refs/heads/main" };
    expect(await job({ ...push, GITHUB_STEP_SUMMARY })).toMatchObject({ code: 3 });
    expect(await read("summary.md")).toContain("TF-ACL-LOCKOUT");
    await write("summary.md", "");
    const fork = { ...push, JOB_TOKEN: "ghs_0ther", GITHUB_REF: "refs/pull/7/merge" };
    expect(await job({ ...fork, GITHUB_STEP_SUMMARY })).toMatchObject({ code: 3 });
    expect(await read("summary.md")).toContain("TF-ACL-LOCKOUT");
    expect(service.notes).toEqual([]);
  });

  test("gives the exit code and the verdict on one line, and uploads SARIF", async () => {
    await write("plan.json", grave.replaceAll("tenant_network_acl.all", "tenant_network_acl.a\\r\\nexit-code=0\\n"));
    const { outputs, used } = await job({}, { comment: "false" });
    expect(outputs).toEqual({ "exit-code": "3", verdict: expect.stringMatching(/^✖ .*Blocks/) });
    expect(used).toEqual([
      {
        uses: expect.stringMatching(/^github\/codeql-action\/upload-sarif@[0-9a-f]{40}$/),
        with: { sarif_file: "./review.sarif", category: "tenantform-tenant", "wait-for-processing": "false" },
      },
    ]);
    expect((await job({}, { comment: "false", plan: "absent.json" })).used).toEqual([]);
    expect((await job({}, { comment: "false", sarif: "false" })).used).toEqual([]);
  });

  test("ends with another code than 0 if the review could not run", async () => {
    expect(await job({}, { comment: "false", command: "tenantform-is-absent" })).toMatchObject({ code: 127 });
  });

  test("puts no expression into a script, and gives only one step the token", async () => {
    const { steps } = (await readAction()).runs;
    for (const step of steps) expect(step.run ?? "").not.toContain("${{");
    expect(steps.filter(({ env }: any) => JSON.stringify(env ?? {}).includes("token"))).toHaveLength(1);
  });
});

test("the GitLab component puts no input into its script, and has the action's inputs", async () => {
  const { inputs, job } = await readComponent();
  expect(job.script.join("\n")).not.toContain("$[[");
  for (const { value, expand } of Object.values<any>(job.variables)) {
    expect([value, expand]).toEqual([expect.stringMatching(/^\$\[\[ inputs\.[\w-]+ \]\]$/), false]);
  }
  const others = ["working-directory", "comment", "sarif", "token", "job", "stage", "folder"];
  const shared = (names: object) =>
    Object.keys(names)
      .filter((name) => !others.includes(name))
      .toSorted();
  expect(shared(inputs)).toEqual(shared((await readAction()).inputs));
});
