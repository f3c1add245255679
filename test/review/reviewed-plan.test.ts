/** Fetches the plan of a merged change only if this project's review job made it and commented on it. */
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { reviewedPlan } from "../../src/review/reviewed-plan";
import { run } from "../support/program";
import { craft, type Part } from "../archive/support/zip";
import {
  commentOn,
  commit,
  head,
  merged,
  onGithub,
  onGitlab,
  plan,
  sha256,
  token,
  type Merged,
} from "./support/merged";

const cli = path.join(__dirname, "../../dist/cli.js");

let root: string;
let folder: string;
let service: Merged;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), "tenantform-reviewed-")));
  folder = path.join(root, "tenant");
  await mkdir(folder);
});
afterEach(async () => {
  await service.close();
  await rm(root, { recursive: true, force: true });
});

type Provider = "github" | "gitlab";
const open = async (provider: Provider) =>
  (service = await merged(provider === "github" ? onGithub() : onGitlab(), root));
async function fetchPlan(
  provider: Provider,
  { tag = "tenant", env = {} }: { tag?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const said = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    jest.spyOn(process[stream], "write").mockImplementation((text) => ((said[stream] += String(text)), true)),
  );
  const environment = { ...service.env, ...env };
  const code = await reviewedPlan({ provider, tag }, { environment, directory: folder });
  for (const spy of spies) spy.mockRestore();
  return { code, ...said };
}
/** Expects an error in one line with its link, and no written file. */
const refused = async (provider: Provider, words: RegExp | string, env: NodeJS.ProcessEnv = {}) => {
  const before = (await readdir(folder)).toSorted();
  const { code, stdout, stderr } = await fetchPlan(provider, { env });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^There is no reviewed plan to apply: .+ Plan again on a branch of this repository, .+\. https:\S+#tenantform-reviewed-plan\n$/,
  );
  expect(stderr).toMatch(words);
  expect(stderr).not.toContain(token);
  expect((await readdir(folder)).toSorted()).toEqual(before);
};

const pulls = `/repos/acme/tenant/commits/${commit}/pulls`;
const comments = "/repos/acme/tenant/issues/7/comments";
const runs = "/repos/acme/tenant/actions/workflows/tenant.yml/runs";
const artifacts = "/repos/acme/tenant/actions/runs/70/artifacts";
const archive = "/repos/acme/tenant/actions/artifacts/700/zip";
const requests = `/projects/42/repository/commits/${commit}/merge_requests`;
const notes = "/projects/42/merge_requests/7/notes";
const pipelines = "/projects/42/merge_requests/7/pipelines";
const jobs = "/projects/42/pipelines/70/jobs";
const file = "/projects/42/jobs/700/artifacts/tenant/plan";
const evil = Buffer.from("PK a plan of somebody else");

test.each<Provider>(["github", "gitlab"])(
  "the reviewed plan is fetched from %s, and the storage service gets no token",
  async (provider) => {
    await open(provider);
    const args = [cli, "reviewed-plan", "--provider", provider, "--tag", "tenant"];
    const { code, stdout, stderr } = await run(process.execPath, args, { cwd: folder, env: service.env });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`request 7 for commit ${head} is in plan (SHA-256 ${sha256(plan)}).`);
    expect((await readdir(folder)).toSorted()).toEqual(["plan", "plan.sha256"]);
    expect(await readFile(path.join(folder, "plan"))).toEqual(plan);
    expect(await readFile(path.join(folder, "plan.sha256"), "utf8")).toBe(`${sha256(plan)}  plan\n`);
    expect(service.stored).toHaveLength(1);
    expect(service.stored[0]).toMatch(/ without token$/);
  },
);

describe.each<Provider>(["github", "gitlab"])("on %s", (provider) => {
  const [change, thread, by] = provider === "github" ? [pulls, comments, "user"] : [requests, notes, "author"];

  test("refuses a plan that differs from the comment, even if its own checksum matches", async () => {
    const { responses } = await open(provider);
    if (provider === "gitlab") responses[file] = evil;
    else {
      responses[archive] = zip([
        { name: "plan", content: evil },
        { name: "plan.sha256", content: `${sha256(evil)}  plan\n` },
      ]);
    }
    await refused(
      provider,
      new RegExp(`the plan has the SHA-256 ${sha256(evil)}, but the review .* names ${sha256(plan)}`),
    );
  });

  test.each<[string, object, string]>([
    ["by another person", { id: 666, type: "User", login: "mallory" }, "no comment by this project's review job"],
    ["by another app", { id: 99, type: "Bot", login: "echo[bot]" }, "no comment by this project's review job"],
    ["by a person with the app's name", { id: 66, type: "User", login: "github-actions[bot]" }, "no comment by"],
    ["by nobody", {}, "no comment by this project's review job"],
  ])("ignores a checksum in a comment %s", async (_, author, words) => {
    const { responses } = await open(provider);
    const [own] = responses[thread];
    const forged = { id: 6, body: commentOn(sha256(evil), { at: "2026-01-05T00:00:00.000Z" }), [by]: author };
    if (provider === "gitlab") responses[file] = evil;
    else responses[archive] = zip([{ name: "plan", content: evil }]);
    responses[thread] = [own, forged];
    await refused(provider, "but the review");
    responses[thread] = [forged];
    await refused(provider, words);
  });

  test.each<[string, string]>([
    ["without a checksum", commentOn(undefined)],
    ["that quotes another review", `> ${commentOn(sha256(plan)).replaceAll("\n", "\n> ")}`],
    ["with the checksum further down", `${commentOn(undefined)}\n<!-- tenantform:plan sha256=${sha256(plan)} -->\n`],
    ["with half a checksum", commentOn(sha256(plan).slice(0, 32))],
    ["with another tag", commentOn(sha256(plan), { tag: "staging" })],
  ])("refuses a plan if the comment is one %s", async (_, body) => {
    const { responses } = await open(provider);
    responses[thread][0].body = body;
    await refused(provider, /no comment by this project's review job with the tag tenant|does not name its plan/);
  });

  test("uses the newest review of the tag, and other plans for other tags", async () => {
    const { responses } = await open(provider);
    const [own] = responses[thread];
    responses[thread] = [
      { ...own, id: 4, body: commentOn(sha256("old"), { at: "2026-01-01T00:00:00.000Z" }) },
      own,
      { ...own, id: 6, body: commentOn(sha256("other"), { at: "2026-01-04T00:00:00.000Z", tag: "staging" }) },
    ];
    expect((await fetchPlan(provider)).code).toBe(0);
    await rm(path.join(folder, "plan"));
    await rm(path.join(folder, "plan.sha256"));
    expect((await fetchPlan(provider, { tag: "staging" })).stderr).toContain(`names ${sha256("other")}`);
  });

  test.each(["plan", "plan.sha256"])("does not overwrite a file or link %s of the commit", async (name) => {
    await open(provider);
    await writeFile(path.join(folder, name), "mine");
    await refused(provider, `${name} exists already: remove it`);
    await rm(path.join(folder, name));
    await symlink(path.join(root, "elsewhere"), path.join(folder, name));
    await refused(provider, `${name} exists already: remove it`);
    expect(await readdir(root)).toEqual(["tenant"]);
  });

  test.each<[string, (list: any[]) => unknown]>([
    ["nothing", () => []],
    ["no list", () => ({ message: "Not Found" })],
    ["two changes", ([one]) => [one, { ...one, number: 8, iid: 8 }]],
  ])("finds no plan for a commit from %s", async (_, changed) => {
    const { responses } = await open(provider);
    responses[change] = changed(responses[change]);
    await refused(provider, `commit ${commit} comes from `);
  });

  test("writes nothing if the service fails or knows no plan", async () => {
    const { responses } = await open(provider);
    for (const name of Object.keys(responses).filter((one) => one !== "/user")) {
      const kept = responses[name];
      delete responses[name];
      await refused(provider, /failed with status 404/);
      responses[name] = kept;
    }
  });

  test.each(["GITHUB_API_URL", "CI_API_V4_URL"])("sends no token over plain http: %s", async (variable) => {
    await open(provider);
    if ((provider === "github") !== variable.startsWith("GITHUB")) return;
    await refused(provider, `${variable} is http://example.com: the token would cross`, {
      [variable]: "http://example.com",
    });
  });
});

describe("on GitHub, a plan is refused", () => {
  const fork = { id: 666, full_name: "mallory/tenant", default_branch: "main" };

  test.each<[string, (pull: any) => void, RegExp]>([
    ["not merged", (pull) => (pull.merged_at = null), /no pull request/],
    ["merged as another commit", (pull) => (pull.merge_commit_sha = head), /no pull request/],
    ["merged into another branch", (pull) => (pull.base.ref = "evil"), /no pull request/],
    ["from another repository", (pull) => (pull.base.repo.full_name = "mallory/tenant"), /no pull request/],
    ["from a fork", (pull) => (pull.head.repo = fork), /pull request 7 comes from a fork/],
    ["from a fork that is gone", (pull) => (pull.head.repo = null), /pull request 7 comes from a fork/],
  ])("from a pull request %s", async (_, edit, words) => {
    const { responses } = await open("github");
    edit(responses[pulls][0]);
    await refused("github", words);
  });

  test.each<[string, (run: any) => void]>([
    ["a fork", (one) => (one.head_repository = fork)],
    ["a fork that is gone", (one) => (one.head_repository = null)],
    ["another repository", (one) => (one.repository = fork)],
    ["another workflow", (one) => (one.path = ".github/workflows/other.yml")],
    ["a workflow of the same file name elsewhere", (one) => (one.path = "evil/.github/workflows/tenant.yml")],
    ["a push", (one) => (one.event = "push")],
    ["pull_request_target", (one) => (one.event = "pull_request_target")],
    ["a failed run", (one) => (one.conclusion = "failure")],
    ["a run that goes on", (one) => (one.conclusion = null)],
    ["another commit", (one) => (one.head_sha = commit)],
    ["no run with an id", (one) => (one.id = "70/../666")],
  ])("from %s", async (_, edit) => {
    const { responses } = await open("github");
    edit(responses[runs].workflow_runs[0]);
    await refused("github", /has no successful run of \.github\/workflows\/tenant\.yml|the run has no id/);
    expect(service.stored).toEqual([]);
  });

  test.each<[string, (artifact: any) => void, RegExp]>([
    ["from another run", (one) => (one.workflow_run.id = 666), /does not exist/],
    ["from a fork", (one) => (one.workflow_run.head_repository_id = 666), /does not exist/],
    ["from another repository", (one) => (one.workflow_run.repository_id = 666), /does not exist/],
    ["from another commit", (one) => (one.workflow_run.head_sha = commit), /does not exist/],
    ["from no run", (one) => delete one.workflow_run, /does not exist/],
    ["with another name", (one) => (one.name = "plan-2"), /does not exist/],
    ["that has expired", (one) => (one.expired = true), /the artifact plan of run 70 has expired/],
  ])("in an artifact %s", async (_, edit, words) => {
    const { responses } = await open("github");
    edit(responses[artifacts].artifacts[0]);
    await refused("github", words);
    expect(service.stored).toEqual([]);
  });

  test("but not if there are hundreds of runs of forks", async () => {
    const { responses } = await open("github");
    const [own] = responses[runs].workflow_runs;
    responses[runs].workflow_runs = [
      ...Array.from({ length: 99 }, (_, index) => ({ ...own, id: 1000 + index, head_repository: fork })),
      { ...own, id: 60 },
      own,
    ];
    responses[artifacts].artifacts.push(
      { ...responses[artifacts].artifacts[0], id: 699 },
      { ...responses[artifacts].artifacts[0], id: 701, expired: true },
    );
    expect((await fetchPlan("github")).code).toBe(0);
  });

  test("but not if somebody opened another pull request from the same branch, whose run is newer", async () => {
    const { responses } = await open("github");
    const [own] = responses[runs].workflow_runs;
    const [artifact] = responses[artifacts].artifacts;
    responses[runs].workflow_runs.unshift({ ...own, id: 71 });
    responses["/repos/acme/tenant/actions/runs/71/artifacts"] = {
      artifacts: [{ ...artifact, id: 701, workflow_run: { ...artifact.workflow_run, id: 71 } }],
    };
    responses["/repos/acme/tenant/actions/artifacts/701/zip"] = zip([{ name: "plan", content: evil }]);
    expect((await fetchPlan("github")).code).toBe(0);
    expect(await readFile(path.join(folder, "plan"))).toEqual(plan);
    responses[comments][0].body = commentOn(sha256("neither"));
    await rm(path.join(folder, "plan"));
    await rm(path.join(folder, "plan.sha256"));
    await refused("github", `the plan has the SHA-256 ${sha256(evil)}, but`);
  });

  test("if the job does not name its workflow", async () => {
    await open("github");
    await refused("github", "GITHUB_WORKFLOW_REF is not set", { GITHUB_WORKFLOW_REF: undefined });
    await refused("github", "names no workflow file", { GITHUB_WORKFLOW_REF: "tenant.yml" });
  });

  const good = { name: "plan", content: plan };
  const archives: [string, Buffer][] = [
    ["a script next to the plan", zip([good, { name: "apply.sh", content: "evil" }])],
    ["a provider next to the plan", zip([good, { name: ".terraform/providers/x", content: "evil" }])],
    ["a file outside", zip([good, { name: "../apply.sh", content: "evil" }])],
    ["an absolute name", zip([good, { name: "/tmp/plan", content: "evil" }])],
    ["the plan by another way", zip([{ name: "./plan", content: plan }])],
    ["a folder", zip([good, { name: "plan/", content: "" }])],
    ["two plans", zip([good, { name: "plan", content: evil }])],
    ["three files", zip([good, { name: "plan.sha256", content: "" }, { name: "plan.sha256", content: "" }])],
    ["no plan", zip([{ name: "plan.sha256", content: "" }])],
    ["nothing", zip([])],
    ["a link", zip([{ ...good, mode: 0o120777 }])],
    ["a device", zip([{ ...good, mode: 0o020666 }])],
    ["an encrypted plan", zip([{ ...good, flags: 1 }])],
    ["another compression", zip([{ ...good, method: 12 }])],
    ["more than it says", zip([{ ...good, content: Buffer.alloc(50_000_000), size: 100 }])],
    ["less than it says", zip([{ ...good, size: 100 }])],
    ["a plan of a gigabyte", zip([{ ...good, size: 1_000_000_000 }])],
    ["64-bit sizes", zip([{ ...good, size: 0xffffffff }])],
    ["half an archive", zip([good], (bytes) => bytes.subarray(0, bytes.length - 30))],
    ["something behind the archive", zip([good], (bytes) => Buffer.concat([bytes, Buffer.from("x")]))],
    ["a directory that counts one file less", zip([good, { name: "plan.sha256", content: "" }], counting(1))],
    ["a directory that counts one file more", zip([good], counting(2))],
    ["text", Buffer.from("not a zip, but longer than the end of one")],
    ["no byte", Buffer.alloc(0)],
  ];
  test.each(archives)("whose archive holds %s", async (_, bytes) => {
    const { responses } = await open("github");
    responses[archive] = bytes;
    await refused("github", /its archive does not have the form/);
  });

  test.each<[string, readonly Entry[]]>([
    ["without its checksum", [good]],
    ["stored, not deflated", [{ ...good, method: 0 }]],
    ["written as a stream, with names in UTF-8", [{ ...good, flags: 0x808 }]],
    ["written where there are no modes", [{ ...good, mode: 0 }]],
    ["with a checksum that nobody reads", [good, { name: "plan.sha256", content: "x" }]],
  ])("but not %s", async (_, entries) => {
    const { responses } = await open("github");
    responses[archive] = zip(entries);
    expect((await fetchPlan("github")).code).toBe(0);
  });
});

interface Entry extends Part {
  /** Unix mode: 0o120777 for a link. */
  readonly mode?: number;
}

function zip(entries: readonly Entry[], change = (bytes: Buffer) => bytes): Buffer {
  const parts = entries.map(({ mode = 0o100644, ...part }) => ({ ...part, attributes: mode * 65_536 }));
  return change(craft(parts));
}

function counting(count: number) {
  return (bytes: Buffer) => {
    bytes.writeUInt16LE(count, bytes.length - 14);
    bytes.writeUInt16LE(count, bytes.length - 12);
    return bytes;
  };
}

describe("on GitLab, a plan is refused", () => {
  test.each<[string, (request: any) => void, RegExp]>([
    ["not merged", (one) => (one.state = "opened"), /no merge request/],
    ["merged as another commit", (one) => (one.merge_commit_sha = head), /no merge request/],
    ["merged into another branch", (one) => (one.target_branch = "evil"), /no merge request/],
    ["from another project", (one) => (one.target_project_id = 666), /no merge request/],
    ["from a fork", (one) => (one.source_project_id = 666), /merge request 7 comes from a fork/],
    ["from a fork that is gone", (one) => (one.source_project_id = null), /merge request 7 comes from a fork/],
    ["without a number", (one) => (one.iid = "7/../8"), /the merge request has no id/],
  ])("from a merge request %s", async (_, edit, words) => {
    const { responses } = await open("gitlab");
    edit(responses[requests][0]);
    await refused("gitlab", words);
  });

  test.each<[string, (pipeline: any) => void]>([
    ["from another commit", (one) => (one.sha = commit)],
    ["from a fork", (one) => (one.project_id = 666)],
    ["from a push", (one) => (one.source = "push")],
  ])("from a pipeline %s", async (_, edit) => {
    const { responses } = await open("gitlab");
    edit(responses[pipelines][0]);
    await refused("gitlab", /has no merge request pipeline of this project/);
    expect(service.stored).toEqual([]);
  });

  test.each<[string, (job: any) => void]>([
    ["with another name", (one) => (one.name = "reviews")],
    ["that failed", (one) => (one.status = "failed")],
    ["from another commit", (one) => (one.pipeline.sha = commit)],
    ["from another pipeline", (one) => (one.pipeline.id = 666)],
  ])("from a job %s", async (_, edit) => {
    const { responses } = await open("gitlab");
    edit(responses[jobs][0]);
    await refused("gitlab", "pipeline 70 has no successful job review");
    expect(service.stored).toEqual([]);
  });

  test("if no pipeline has a successful review, with the error of the newest", async () => {
    const { responses } = await open("gitlab");
    responses[pipelines].push({ ...responses[pipelines][0], id: 71 });
    responses[jobs] = [];
    responses["/projects/42/pipelines/71/jobs"] = [];
    await refused("gitlab", "pipeline 71 has no successful job review");
  });

  test("but not if an earlier pipeline made the plan in the comment", async () => {
    const { responses } = await open("gitlab");
    responses[pipelines].push({ ...responses[pipelines][0], id: 71 });
    responses["/projects/42/pipelines/71/jobs"] = [
      { id: 701, name: "review", status: "success", pipeline: { id: 71, sha: head } },
    ];
    responses["/projects/42/jobs/701/artifacts/tenant/plan"] = evil;
    expect((await fetchPlan("gitlab")).code).toBe(0);
    expect(await readFile(path.join(folder, "plan"))).toEqual(plan);
  });

  test.each(["merge_commit_sha", "squash_commit_sha", "sha"])("but not for a merge that %s names", async (property) => {
    const { responses } = await open("gitlab");
    Object.assign(responses[requests][0], { merge_commit_sha: null, [property]: commit });
    if (property === "sha") {
      responses[pipelines][0].sha = commit;
      responses[jobs][0].pipeline.sha = commit;
    }
    expect((await fetchPlan("gitlab")).code).toBe(0);
  });
});
