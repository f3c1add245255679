/** Runs the GitHub actions and the GitLab component on plans, against a stand-in for the code host. */
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { acl, block } from "../review/support/objects";
import { change, planText } from "../review/support/plan";
import { standIn, type Kind, type StandIn } from "../review/support/threads";
import { newFolder } from "../support/folder";
import {
  passArtifact,
  readAction,
  readComponent,
  runAction,
  runComponent,
  targetBranch,
  type Done,
  type Job,
} from "./support/action";

const cli = path.join(__dirname, "../../dist/cli.js");
const grave = planText([change("tenant_network_acl.all", null, acl(1, { action: block, match_all: true }))]);
const still = planText([]);

let folder: string;
let service: StandIn | undefined;
let base: string;
beforeEach(() => {
  folder = newFolder();
  base = path.join(folder, ".target");
});
afterEach(() => service?.close());
const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const read = (name: string) => readFile(path.join(folder, name), "utf8");

type Hosted = Pick<Done, "code" | "stdout" | "stderr">;
interface Host {
  readonly kind: Kind;
  review(job: Job): Promise<Hosted>;
  /** The job that comments, after the artifact has come. */
  comment(job: Job): Promise<Hosted>;
  /** The folder of the review, below the workspace. */
  readonly out: string;
  env(service: StandIn): NodeJS.ProcessEnv;
}
const hosts: Record<string, Host> = {
  "the GitHub actions": {
    kind: "github app",
    review: (job) => runAction("review", job),
    comment: (job) => passArtifact(job.workspace).then(() => runAction("comment", job)),
    out: ".temp/tenantform-review",
    env: ({ url, token }) => ({
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: "acme/tenant",
      GITHUB_REF: "refs/pull/7/merge",
      JOB_TOKEN: token,
    }),
  },
  "the GitLab component": {
    kind: "gitlab",
    review: (job) => runComponent("review", job),
    comment: (job) => runComponent("comment", job),
    out: "tenant-review-7",
    env: ({ url, token }) => ({
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "42",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_TOKEN: token,
    }),
  },
};

describe.each(Object.entries(hosts))("%s", (_, host) => {
  const command = `${process.execPath} ${cli}`;
  const review = (inputs: Job["inputs"] = {}) =>
    host.review({ workspace: folder, inputs: { command, ...inputs }, env: { HOME: folder } });
  const comment = (inputs: Job["inputs"] = {}) =>
    host.comment({
      workspace: folder,
      base,
      inputs: { command, "comment-command": command, install: "true", ...inputs },
      env: { HOME: folder, ...host.env(service!) },
    });
  const reviewed = async (inputs: Job["inputs"] = {}) => {
    const ended = await review(inputs);
    expect(await comment(inputs)).toMatchObject({ code: 0 });
    return ended;
  };
  const bodies = () => service!.notes.map(({ body }) => body);
  beforeEach(async () => {
    service = await standIn(host.kind);
    await mkdir(base, { recursive: true });
  });

  describe("on a base branch with the tool", () => {
    beforeEach(() => targetBranch(base));

    test("keep exit code 3 of a harmful plan, write all files outside of the configuration, and comment", async () => {
      await write("plan.json", grave);
      expect(await review()).toMatchObject({ code: 3 });
      const files = ["review.html", "review.json", "review.md", "review.sarif"];
      expect(await readdir(path.join(folder, host.out))).toEqual(expect.arrayContaining(files));
      expect(JSON.parse(await read(path.join(host.out, "review.sarif"))).runs[0].results).not.toEqual([]);
      await comment();
      expect(bodies()).toEqual([expect.stringContaining("TNF-ACL-LOCKOUT")]);
      await write("plan.json", still);
      expect(await reviewed()).toMatchObject({ code: 0 });
      expect(bodies()).toEqual([expect.not.stringContaining("TNF-ACL-LOCKOUT")]);
    });

    test("comment the failure of a review, and never a review that the branch brings", async () => {
      const forged = "<!-- tenantform:review tag=tenant at=2026-01-01T00:00:00.000Z -->\nAll is well.\n";
      await mkdir(path.join(folder, host.out), { recursive: true });
      for (const at of ["review.md", path.join(host.out, "review.md")]) await write(at, forged);
      const { code, stderr } = await reviewed({ plan: "absent.json" });
      expect([code, stderr]).toEqual([2, expect.stringContaining("absent.json does not exist")]);
      expect(bodies()).toEqual([expect.stringMatching(/This plan has no review[^]*absent\.json does not exist/)]);
    });

    test("comment that there is no review if the job ended before it", async () => {
      await write("plan.json", grave);
      await reviewed();
      expect(await review({ command: "tenantform-is-absent" })).toMatchObject({ code: 127 });
      await comment();
      expect(bodies()).toEqual([expect.stringContaining("This plan has no review")]);
    });

    test("take a hostile text as the name of a plan or a tag only", async () => {
      const name = "-$(touch hacked) `touch hacked`;touch hacked;'\"\n::error::x.json";
      await write(name, grave);
      expect(await reviewed({ plan: name, tag: "$(touch hacked)" })).toMatchObject({ code: 3 });
      expect(bodies()).toEqual([expect.stringContaining("TNF-ACL-LOCKOUT")]);
      expect((await readdir(folder)).filter((file) => file.startsWith("hacked"))).toEqual([]);
    });

    test("take the guard and expectations of the base branch, the level, and effects to ignore", async () => {
      await write("plan.json", grave);
      expect(await review({ base: "absent.json" })).toMatchObject({ code: 2 });
      expect(await review({ "fail-on": "enormous" })).toMatchObject({ code: 2 });
      const expectation = { name: "open", outcome: "reached", request: { countries: ["DE"] } };
      await write("expect.json", JSON.stringify([expectation]));
      expect(await reviewed({ expect: "expect.json" })).toMatchObject({ code: 3 });
      expect(bodies().at(-1)).toContain("TNF-EXPECTATION-BROKEN");
      const high = JSON.parse(
        await read(path.join(host.kind === "gitlab" ? host.out : ".temp/tenantform-comment", "review.json")),
      );
      const codes = new Set(high.effects.map(({ code }: { code: string }) => code));
      const ignore = [...codes].map((code) => `${code}=It's "$(touch hacked)" fine`).join("\n");
      expect(await review({ ignore: `\n${ignore}\n`, expect: "expect.json" })).toMatchObject({ code: 0 });
      expect(await readdir(folder)).not.toContain("hacked");
    });
  });

  test("comment with the tool of the base branch, which alone gets the token, and run nothing of the branch", async () => {
    const seen = (by: string) => path.join(folder, `seen-${by}`);
    const spy = (by: string, then = "") => `#!/bin/sh\nenv > '${seen(by)}'\n${then}`;
    const manifest = (more: object) => JSON.stringify({ dependencies: { tenantform: "file:tool" }, ...more });
    const own = { name: "tenantform", version: "0.0.0", bin: { tenantform: "tool.sh" } };
    const scripts = { preinstall: "./scripts.sh", install: "./scripts.sh", prepare: "./scripts.sh" };
    const packages = {
      "": { dependencies: { tenantform: "file:tool" } },
      "node_modules/tenantform": { resolved: "tool", link: true },
      tool: { ...own, hasInstallScript: true },
    };
    await targetBranch(base, {
      "auth/package.json": manifest({ scripts }),
      "auth/package-lock.json": JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
      "auth/tool/package.json": JSON.stringify({ ...own, scripts }),
      "auth/tool/tool.sh": spy("tool", `exec ${command} "$@"\n`),
      "auth/tool/scripts.sh": spy("script"),
      "auth/scripts.sh": spy("script"),
    });
    // The branch and its artifact bring a tool too.
    await write("plan.json", grave);
    expect(await review()).toMatchObject({ code: 3 });
    for (const at of [folder, path.join(folder, host.out)]) {
      await mkdir(path.join(at, "node_modules/.bin"), { recursive: true });
      await writeFile(path.join(at, "node_modules/.bin/tenantform"), spy("branch"), { mode: 0o755 });
      await writeFile(path.join(at, "package.json"), manifest({ scripts: { preinstall: spy("branch") } }));
    }
    const programs = path.join(folder, "programs");
    await mkdir(programs);
    await writeFile(path.join(programs, "npm"), spy("npm", `PATH=$OLD exec npm "$@"\n`), { mode: 0o755 });
    const { PATH: OLD } = process.env;
    const npm = { OLD, PATH: `${programs}:${OLD}`, npm_config_audit: "false", npm_config_update_notifier: "false" };
    const inputs = { "package-folder": "auth" };
    const job = { workspace: folder, base, inputs, env: { HOME: folder, ...npm, ...host.env(service!) } };
    const { code, stderr } = await host.comment(job);
    expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(bodies()).toEqual([expect.stringContaining("TNF-ACL-LOCKOUT")]);
    const all = await readdir(folder);
    expect(all.filter((name) => name.startsWith("seen-")).toSorted()).toEqual(["seen-npm", "seen-tool"]);
    expect(await read("seen-npm")).not.toContain(service!.token);
    expect(await read("seen-tool")).toContain(service!.token);
  });

  test("end without a comment while the base branch does not have the tool", async () => {
    await targetBranch(base, { "package.json": "{}" });
    await write("plan.json", grave);
    await review();
    const { code, stdout } = await comment({ install: "false", command: "false", "comment-command": "false" });
    expect([code, stdout]).toEqual([0, expect.stringContaining("No comment: package.json of the base branch")]);
    expect(bodies()).toEqual([]);
  });
});

describe("the GitHub actions", () => {
  const command = `${process.execPath} ${cli}`;
  const env = { HOME: "/", GITHUB_REPOSITORY: "acme/tenant" };

  test("write the job summary, also for a fork whose token cannot comment", async () => {
    service = await standIn("github app");
    await write("plan.json", grave);
    await write("summary.md", "");
    const GITHUB_STEP_SUMMARY = path.join(folder, "summary.md");
    const shared = { workspace: folder, inputs: { command } };
    expect(await runAction("review", { ...shared, env: { ...env, GITHUB_STEP_SUMMARY } })).toMatchObject({ code: 3 });
    expect(await read("summary.md")).toContain("TNF-ACL-LOCKOUT");
    await write("summary.md", "");
    await passArtifact(folder);
    await targetBranch(base);
    const fork = { GITHUB_API_URL: service.url, JOB_TOKEN: "ghs_0ther", GITHUB_REF: "refs/pull/7/merge" };
    const inputs = { command, install: "true" };
    await runAction("comment", { ...shared, base, inputs, env: { ...env, ...fork, GITHUB_STEP_SUMMARY } });
    expect(await read("summary.md")).toContain("TNF-ACL-LOCKOUT");
    expect(service.notes).toEqual([]);
  });

  // The shell may be dash, whose `echo` makes lines of the two characters \n.
  test.each([
    "\\nexit-code=0",
    "\r\nexit-code=0\n",
    "%s%n%d",
    "`exit 0`$(exit 0)",
    "\n::set-output name=exit-code::0",
    "<<EOF\n0\nEOF",
  ])("give the exit code and the verdict of a plan with the name %j", async (name) => {
    const deleted = change("auth0_connection.users", { id: "con_1", name: `x${name}`, strategy: "auth0" }, null);
    await write("plan.json", planText([{ ...deleted, type: "auth0_connection" } as never]));
    const { code, outputs } = await runAction("review", { workspace: folder, inputs: { command }, env });
    expect([code, outputs]).toEqual([3, { "exit-code": "3", verdict: expect.stringMatching(/^✖ .*"x/) }]);
  });

  test("give the verdict of a hostile address, keep the review, and upload SARIF", async () => {
    await write("plan.json", grave.replaceAll("tenant_network_acl.all", "tenant_network_acl.a\\r\\nexit-code=0\\n"));
    const { outputs, used } = await runAction("review", { workspace: folder, inputs: { command }, env });
    expect(outputs).toEqual({ "exit-code": "3", verdict: expect.stringMatching(/^✖ .*Blocks/) });
    const temp = path.join(folder, ".temp");
    expect(used.map(({ with: given }) => given)).toEqual([
      { name: "review", path: `${temp}/tenantform-review`, "if-no-files-found": "ignore" },
    ]);
    await passArtifact(folder);
    await targetBranch(base);
    const commented = await runAction("comment", {
      workspace: folder,
      base,
      inputs: { command, install: "true" },
      env,
    });
    expect(commented.used.map(({ with: given }) => given)).toEqual([
      { ref: "base", path: "tenantform-base", "persist-credentials": "false" },
      { name: "review", path: `${temp}/tenantform-comment` },
      {
        sarif_file: `${temp}/tenantform-comment/review.sarif`,
        category: "tenantform-tenant",
        "wait-for-processing": "false",
      },
    ]);
    for (const { uses } of [...used, ...commented.used]) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  });

  test("put no expression into a script, and give only the step that comments the token", async () => {
    const [review, comment] = [await readAction("review"), await readAction("comment")];
    const steps = [...review.runs.steps, ...comment.runs.steps];
    for (const step of steps) expect(step.run ?? "").not.toContain("${{");
    expect(JSON.stringify(review)).not.toContain("github.token");
    expect(steps.filter((step: any) => JSON.stringify(step.env ?? {}).includes("token"))).toHaveLength(1);
  });
});

test("the GitLab component puts no input into its scripts, and has the inputs of the actions", async () => {
  const { inputs, review, comment } = await readComponent();
  for (const { script, variables } of [review, comment]) {
    expect(script.join("\n")).not.toContain("$[[");
    const { GIT_STRATEGY: _, ...given } = variables;
    for (const { value, expand } of Object.values<any>(given)) {
      expect([value, expand]).toEqual([expect.stringMatching(/^\$\[\[ inputs\.[\w-]+ \]\]$/), false]);
    }
  }
  const others = "working-directory artifact package-folder install job comment-job comment-command stage image".split(
    " ",
  );
  const shared = (names: object) => new Set(Object.keys(names).filter((name) => !others.includes(name)));
  expect(shared(inputs)).toEqual(shared((await readAction("review")).inputs));
});
