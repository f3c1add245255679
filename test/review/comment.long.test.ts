/** Writes comments to stand-ins of GitHub and GitLab: new, replaced, skipped and failed comments. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { comment } from "../../src/review/ci/comment";
import { toMarkdown } from "../../src/review/render/markdown";
import { reviewPlans } from "../../src/review/review";
import { acl, block, change, plan } from "./support/plan";
import { standIn, type StandIn } from "./support/threads";

const review = (at: Date, { tag = "t", asn = 1 } = {}) =>
  toMarkdown(
    [
      reviewPlans("stack", [
        plan([change("tenant_network_acl.x", null, acl(1, { action: block, match: { asns: [asn] } }))]),
      ]),
    ],
    { tag, at },
  );
const minutes = (count: number) => new Date(Date.now() - count * 60_000);

test("stops after 256 MiB if a service lists comments without end", async () => {
  const said: string[] = [];
  jest.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  // The size must end the response, also on a machine that needs longer for it than the timeout.
  jest.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
  const piece = Buffer.alloc(1024 * 1024, " ");
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more).writeHead(200);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const environment = {
    GITHUB_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    GITHUB_TOKEN: "ghp_t0ken",
    GITHUB_REPOSITORY: "acme/tenant",
    GITHUB_REF: "refs/pull/7/merge",
  };
  const stdin = (async function* () {
    yield Buffer.from(review(minutes(1)));
  })();
  const before = process.memoryUsage().rss;
  expect(await comment(undefined, { provider: "github" }, { stdin, environment })).toBe(0);
  expect(said.join("")).toMatch(
    /^No comment was made: .*GET \/repos\/acme\/tenant.* take more than 256 MiB\. https:\S+\n$/,
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(700 * 1024 * 1024);
  jest.restoreAllMocks();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe.each(["github app", "github", "gitlab"] as const)("%s", (kind) => {
  const provider = kind === "gitlab" ? "gitlab" : "github";
  let service: StandIn;
  let folder: string;
  let said: string;
  beforeEach(async () => {
    service = await standIn(kind);
    folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-comment-"));
    said = "";
    jest.spyOn(process.stderr, "write").mockImplementation((text) => ((said += String(text)), true));
    await writeFile(path.join(folder, "event.json"), JSON.stringify({ number: 7, pull_request: { number: 7 } }));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
    await rm(folder, { recursive: true });
  });

  const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    GITHUB_API_URL: service.url,
    GITHUB_TOKEN: service.token,
    GITHUB_REPOSITORY: "acme/tenant",
    GITHUB_EVENT_PATH: path.join(folder, "event.json"),
    GITHUB_STEP_SUMMARY: path.join(folder, "summary.md"),
    CI_API_V4_URL: service.url,
    CI_PROJECT_ID: "42",
    CI_MERGE_REQUEST_IID: "7",
    GITLAB_TOKEN: service.token,
    ...more,
  });
  const put = async (body: string, more?: NodeJS.ProcessEnv, tag?: string) => {
    await writeFile(path.join(folder, "review.md"), body);
    const edge = { stdin: (async function* () {})(), environment: environment(more) };
    expect(await comment(path.join(folder, "review.md"), { provider, tag }, edge)).toBe(0);
  };
  const bodies = () => service.notes.map(({ body }) => body);

  test("creates a comment for the first review, replaces it for a later one, and makes no call for an equal one", async () => {
    const [first, second] = [review(minutes(3)), review(minutes(2), { asn: 2 })];
    await put(first);
    expect(bodies()).toEqual([first]);
    await put(second);
    expect(bodies()).toEqual([second]);
    service.calls.length = 0;
    await put(review(minutes(1), { asn: 2 }));
    expect(bodies()).toEqual([second]);
    const list = `GET ${provider === "github" ? "/repos/acme/tenant/issues" : "/projects/42/merge_requests"}/7/`;
    const asked = service.calls.filter((call) => !call.startsWith(list));
    expect(asked).toEqual(kind === "github app" ? [] : ["GET /user 200"]);
    expect(service.calls).toHaveLength(1 + asked.length);
  });

  test.each([
    ["with another tag", review(minutes(1), { tag: "other" })],
    ["that is a log", "Error: no plan\n"],
    ["that is a saved plan, which would start Terraform", "PK\u0003\u0004"],
    ["that is empty", ""],
  ])("replaces the earlier review by the failure for a file %s", async (_, text) => {
    await put(review(minutes(3)), {}, "t");
    await put(text, {}, "t");
    expect(bodies()).toEqual([expect.stringMatching(/^<!-- tenantform:review tag=t [^]*This plan has no review/)]);
  });

  test("leaves no line that the code host runs as a command", async () => {
    await put(`${review(minutes(1))}\n\n/merge\r\n \t/approve\r/close\nGET /authorize\n`);
    const end = bodies()[0]!.split("</details>").at(-1)!;
    const escape = provider === "gitlab" ? "\\" : "";
    expect(end).toContain(`\n\n${escape}/merge\r\n \t${escape}/approve\r${escape}/close\nGET /authorize`);
  });

  test("does not replace the comment of a newer run", async () => {
    const newer = review(minutes(1));
    await put(newer);
    await put(review(minutes(5), { asn: 2 }));
    expect(bodies()).toEqual([newer]);
    expect(said).toContain("newer");
  });

  test("writes one comment for each tag", async () => {
    await put(review(minutes(3), { tag: "staging" }));
    await put(review(minutes(2), { tag: "production" }));
    await put(review(minutes(1), { tag: "staging", asn: 9 }));
    expect(bodies().map((body) => /tag=(\w+)/.exec(body)![1])).toEqual(["staging", "production"]);
    expect(bodies()[0]).toContain("asn 9");
  });

  test("finds its own comment after hundreds of similar ones", async () => {
    const own = review(minutes(3));
    const author = service.self;
    service.notes.push(...Array.from({ length: 250 }, (_, id) => ({ id, body: `> ${own}`, author })));
    service.notes.push({ id: 260, body: "<!-- tenantform:review tag=%E0%A4%A at=2026-01-01T00:00:00Z -->", author });
    service.notes.push({ id: 261, body: own.replace(/at=\S+/, "at=2999-01-01T00:00:00.000Z"), author });
    service.notes.push({ id: 262, body: own, author });
    const next = review(minutes(1), { asn: 2 });
    await put(next);
    expect(service.notes.find(({ id }) => id === 262)!.body).toBe(next);
    expect(service.notes).toHaveLength(253);
  });

  test("ignores comments by other users that look like its own", async () => {
    const author = { id: 666, ...(provider === "github" && { type: "User" as const }) };
    const own = review(minutes(3));
    const claims = [own, review(minutes(-9), { asn: 3 }), review(minutes(1), { asn: 2 })];
    service.notes.push(...claims.map((body, id) => ({ id, body, author })));
    await put(own);
    expect(said).toBe("The review is a new comment.\n");
    const next = review(minutes(1), { asn: 2 });
    await put(next);
    expect(said).toContain("The comment shows the new review.\n");
    expect(bodies()).toEqual([...claims, next]);
    await put(review(minutes(2), { asn: 4 }));
    expect(said).toContain("A newer review is there already.");
    expect(bodies()).toEqual([...claims, next]);
  });

  test("reads the user of the token once, and only if a comment looks like its own", async () => {
    await put(review(minutes(3)));
    expect(service.calls.some((call) => call.includes("/user"))).toBe(false);
    const author = { id: 666 };
    service.notes.push(...[4, 5].map((ago, id) => ({ id, body: review(minutes(-ago)), author })));
    await put(review(minutes(1), { asn: 2 }));
    expect(service.calls.filter((call) => call.includes("/user"))).toHaveLength(kind === "github app" ? 0 : 1);
    expect(service.notes).toHaveLength(3);
  });

  test("creates a comment if it may not change the existing one", async () => {
    service.notes.push({ id: 1, body: review(minutes(3)), author: service.self });
    service.fail(provider === "github" ? "PATCH" : "PUT", 403);
    const next = review(minutes(1), { asn: 2 });
    await put(next);
    expect(bodies()[1]).toBe(next);
  });

  test.each([
    ["must not write", 403],
    ["is not accepted", 401],
  ])("writes the job summary and never fails the job with a token that %s", async (_, status) => {
    const body = review(minutes(1));
    service.fail("POST", status);
    await put(body);
    expect(said).toMatch(new RegExp(`^No comment was made: .*${status}`));
    expect(await readFile(path.join(folder, "summary.md"), "utf8")).toBe(body);
  });

  test("repeats a call after a temporary error", async () => {
    service.fail("GET", 502, 429);
    await put(review(minutes(1)));
    expect(bodies()).toHaveLength(1);
  });

  test("does not create a second comment after a lost response", async () => {
    service.lose("POST");
    await put(review(minutes(1)));
    expect(bodies()).toHaveLength(1);
    expect(said).toBe("The review is a new comment.\n");
  });

  test.each<[string, NodeJS.ProcessEnv]>([
    ["no token", { GITHUB_TOKEN: "", GITLAB_TOKEN: "" }],
    ["no pull request", { GITHUB_EVENT_PATH: "", CI_MERGE_REQUEST_IID: "" }],
    ["no service", { GITHUB_API_URL: "http://127.0.0.1:9", CI_API_V4_URL: "http://127.0.0.1:9" }],
    ["a summary that cannot be written", { GITHUB_TOKEN: "", GITLAB_TOKEN: "", GITHUB_STEP_SUMMARY: "/" }],
  ])("never fails the job: %s", async (_, more) => {
    await put(review(minutes(1)), more);
    expect(said).toMatch(/^No comment was made: /);
    expect(said).not.toContain(service.token);
    expect(service.notes).toEqual([]);
  });

  test("reports an empty or missing review, and never fails the job", async () => {
    await put(" ");
    expect(said).toContain("empty");
    const edge = { stdin: (async function* () {})(), environment: environment() };
    expect(await comment(path.join(folder, "absent.md"), { provider }, edge)).toBe(0);
    expect(said).toMatch(/absent\.md does not exist: give another path\. https:\S+#tenantform-comment\n$/);
    expect(service.notes).toEqual([]);
  });

  test.each([
    ["a log", "Error: no plan\n"],
    ["a review as JSON", '{"format_version":"1.1"}'],
    ["a page", "<!doctype html><title>Review</title>"],
  ])("refuses %s, and writes it nowhere", async (_, text) => {
    await put(text);
    expect(said).toMatch(/^No comment was made: .*review\.md is not a review: write one with .tenantform review /);
    expect(service.notes).toEqual([]);
    await expect(readFile(path.join(folder, "summary.md"), "utf8")).rejects.toThrow(/ENOENT/);
  });

  test("says that a text is too long for a comment", async () => {
    await put(`${review(minutes(1))}${"text ".repeat(200_000)}`);
    expect(said).toMatch(/^No comment was made: the review has 10\d{5} characters, and a comment takes at most \d+\. /);
    expect(service.calls).toEqual([]);
  });
});

test("finds the pull request by the ref", async () => {
  const service = await standIn("github");
  const stderr = jest.spyOn(process.stderr, "write").mockImplementation(() => true);
  try {
    const environment = {
      GITHUB_API_URL: service.url,
      GITHUB_TOKEN: service.token,
      GITHUB_REPOSITORY: "acme/tenant",
      GITHUB_REF: "refs/pull/7/merge",
    };
    const stdin = (async function* () {
      yield review(minutes(1));
    })();
    await comment(undefined, { provider: "github" }, { stdin, environment });
    expect(service.notes).toHaveLength(1);
  } finally {
    stderr.mockRestore();
    await service.close();
  }
});
