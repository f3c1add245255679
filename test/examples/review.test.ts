/** What examples/review gives to a pipeline, run as a pipeline runs it: scripts against embedded tenants and a stand-in of the comments. */
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { crc32 } from "node:zlib";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import { standIn, type StandIn } from "../review/support/threads";
import { run } from "../support/program";

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
  GITHUB_TOKEN: service.token,
  GITHUB_REPOSITORY: "acme/tenant",
  GITHUB_REF: "refs/pull/7/merge",
});
const script = (name: string, env: NodeJS.ProcessEnv, ...args: string[]) =>
  run("sh", [`./${name}`, ...args], { cwd: path.join(folder, "tenant"), env: { ...job(), ...env } });
const files = () => readdir(path.join(folder, "tenant"));
const edit = async (from: string, to: string) => {
  const file = path.join(folder, "tenant/main.tf");
  await writeFile(file, (await readFile(file, "utf8")).replace(from, to));
};
const descriptions = () => [...emulator.store.networkAcls.values()].map(({ description }) => description);

test("a pull request is planned, reviewed and commented on, and what was reviewed is applied", async () => {
  const reviewed = await script("review.sh", tenant, "github");
  expect([reviewed.code, reviewed.code === 0 ? "" : reviewed.stderr + reviewed.stdout]).toEqual([0, ""]);
  expect(service.notes).toHaveLength(1);
  expect(service.notes[0]!.body).toContain("Keep known scanners out");
  expect(service.notes[0]!.body).toContain("By hand: the support desk");
  expect(await files()).toEqual(expect.arrayContaining(["plan", "plan.sha256", "review.html", "review.sarif"]));

  const applied = await script("apply.sh", tenant);
  expect(applied.stdout).toContain("1 added");
  expect(descriptions()).toContain("Keep known scanners out");

  // The next one would lock the pipeline out: the comment takes the place of the first, and the job fails.
  await edit('provider "tenant" {', 'provider "tenant" {\n  lockout_guard = "warn"');
  await edit("192.0.2.0/24", "203.0.113.0/24");
  expect((await script("review.sh", tenant, "github")).code).toBe(3);
  expect(service.notes).toHaveLength(1);
  expect(service.notes[0]!.body).toContain("TF-ACL-LOCKOUT");

  // Another plan than the reviewed one is not applied.
  const plan = path.join(folder, "tenant/plan");
  await writeFile(plan, Buffer.concat([await readFile(plan), Buffer.from("x")]));
  expect((await script("apply.sh", tenant)).code).not.toBe(0);
  await rm(plan);
  expect((await script("apply.sh", tenant)).stderr).toContain("There is no reviewed plan");
}, 180_000);

test("without credentials the change is reviewed on an embedded tenant that stands as the target branch leaves it", async () => {
  await cp(example, path.join(folder, "base/tenant"), { recursive: true });
  await edit("192.0.2.0/24", "192.0.2.0/25");
  const { code, stderr } = await script(
    "review.sh",
    { TENANT_SNAPSHOT: "snapshot.json", TENANT_BASE: "../base/tenant" },
    "github",
  );
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(service.notes[0]!.body).toContain("128 fewer IPv4 addresses");
  expect(service.notes[0]!.body).toContain("More requests get through");
  expect(descriptions()).toEqual(["By hand: the support desk"]);
  expect(await files()).not.toContain("plan");
  expect(await files()).not.toContain("review_override.tf.json");
}, 180_000);

/** An archive of the files, as they are. */
function zipOf(entries: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const [title, content] = [Buffer.from(name), Buffer.from(text)];
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(content.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, title, content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), shared, tail, title]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

describe("the reviewed plan is fetched", () => {
  const fetched = async (provider: "github" | "gitlab", answers: Readonly<Record<string, unknown>>) => {
    const server = createServer((request, response) => {
      const found = answers[request.url!];
      const allowed = [request.headers.authorization, request.headers["private-token"]].some((one) =>
        String(one).endsWith(service.token),
      );
      response.writeHead(!allowed ? 401 : found === undefined ? 404 : 200);
      response.end(
        Buffer.isBuffer(found)
          ? found
          : JSON.stringify(found ?? {}, (_, value) => (typeof value === "string" ? value.replace("URL", url) : value)),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = {
      ...job(),
      GITHUB_API_URL: url,
      GITHUB_SHA: "abc",
      CI_API_V4_URL: url,
      CI_PROJECT_ID: "42",
      CI_COMMIT_SHA: "abc",
      GITLAB_TOKEN: service.token,
    };
    const cwd = path.join(folder, "fetched");
    await mkdir(cwd, { recursive: true });
    try {
      return {
        ...(await run(process.execPath, [path.join(example, "reviewed-plan.mjs"), provider], { cwd, env })),
        cwd,
      };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const archive = zipOf({ plan: "the plan", "plan.sha256": "its sum" });
  const pulls = { "/repos/acme/tenant/commits/abc/pulls": [{ head: { sha: "head" } }] };
  const artifacts = "/repos/acme/tenant/actions/artifacts?name=plan-head";

  test.each<["github" | "gitlab", Record<string, unknown>]>([
    [
      "github",
      {
        ...pulls,
        [artifacts]: {
          artifacts: [
            { id: 1, expired: false, archive_download_url: "URL/old" },
            { id: 3, expired: true, archive_download_url: "URL/expired" },
            { id: 2, expired: false, archive_download_url: "URL/zip" },
          ],
        },
        "/zip": archive,
      },
    ],
    [
      "gitlab",
      {
        "/projects/42/repository/commits/abc/merge_requests": [{ iid: 7 }],
        "/projects/42/jobs/artifacts/refs%2Fmerge-requests%2F7%2Fhead/download?job=review": archive,
      },
    ],
  ])("from %s", async (provider, answers) => {
    const { code, stderr, cwd } = await fetched(provider, answers);
    expect([code, stderr]).toEqual([0, ""]);
    expect(await readFile(path.join(cwd, "plan"), "utf8")).toBe("the plan");
    expect((await readdir(cwd)).toSorted()).toEqual(["plan", "plan.sha256"]);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["a commit without pull request", { "/repos/acme/tenant/commits/abc/pulls": [] }, /from no pull request/],
    ["a plan that has expired", { ...pulls, [artifacts]: { artifacts: [{ id: 1, expired: true }] } }, /has expired/],
    ["no answer", {}, /answered with 404/],
  ])("but not for %s", async (_, answers, words) => {
    const { code, stderr } = await fetched("github", answers);
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

test.each(["github.yml", "gitlab.yml"])("%s calls what is there", async (name) => {
  const text = await readFile(path.join(example, name), "utf8");
  const there = await readdir(example);
  const called = [...text.matchAll(/[\w-]+\.(?:sh|mjs|json)\b/g)].map(([file]) => file);
  expect(new Set(called)).toEqual(new Set(["review.sh", "apply.sh", "reviewed-plan.mjs", "snapshot.json"]));
  expect(there).toEqual(expect.arrayContaining(called));
  expect(text).not.toMatch(/\t/);
});
