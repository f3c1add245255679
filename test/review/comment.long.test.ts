/** Writes comments to stand-ins of GitHub and GitLab: new, replaced, skipped and failed comments. */
import { Readable } from "node:stream";
import { comment } from "../../src/review/commands/comment";
import { pagesOf } from "../../src/review/report/sections";
import { toMarkdown } from "../../src/review/report/markdown";
import { openFolder, printed } from "./support/command";
import { acl, block } from "./support/objects";
import { change, reviewOf } from "./support/plan";
import { standIn, type StandIn } from "./support/threads";

const { at, put: write, read } = openFolder();
const review = (time: Date, { tag = "t", asn = 1 } = {}) => {
  const blocking = acl(1, { action: block, match: { asns: [asn] } });
  return toMarkdown(pagesOf([reviewOf([change("tenant_network_acl.x", null, blocking)])]), { tag, at: time });
};
const minutes = (count: number) => new Date(Date.now() - count * 60_000);
const github = (url: string, token = "ghp_t0ken") => ({
  GITHUB_API_URL: url,
  GITHUB_TOKEN: token,
  GITHUB_REPOSITORY: "acme/tenant",
  GITHUB_REF: "refs/pull/7/merge",
});

describe.each(["github app", "github", "gitlab"] as const)("%s", (kind) => {
  const provider = kind === "gitlab" ? "gitlab" : "github";
  let service: StandIn;
  beforeEach(async () => {
    service = await standIn(kind);
    write("event.json", { number: 7, pull_request: { number: 7 } });
    write("summary.md", "");
  });
  afterEach(() => service.close());

  /** What the command says. */
  const put = async (body: string, more: NodeJS.ProcessEnv = {}, tag?: string) => {
    const environment = {
      ...github(service.url, service.token),
      GITHUB_REF: "",
      GITHUB_EVENT_PATH: at("event.json"),
      GITHUB_STEP_SUMMARY: at("summary.md"),
      CI_API_V4_URL: service.url,
      CI_PROJECT_ID: "42",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_TOKEN: service.token,
      ...more,
    };
    const file = write("review.md", body);
    const { code, stderr } = await printed((edge) => comment(file, { provider, tag }, edge), { environment });
    expect(code).toBe(0);
    return stderr;
  };
  const bodies = () => service.notes.map(({ body }) => body);
  const stranger = { id: 666, ...(provider === "github" && { type: "User" as const }) };

  test("creates a comment for the first review, replaces it for a later one, and makes no call for an equal one", async () => {
    const second = review(minutes(2), { asn: 2 });
    expect(await put(review(minutes(3)))).toBe("The review is a new comment.\n");
    expect(await put(second)).toBe("The comment shows the new review.\n");
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
  ])("with --tag, replaces the earlier review by the failure for a file %s", async (_, text) => {
    await put(review(minutes(3)), {}, "t");
    await put(text, {}, "t");
    expect(bodies()).toEqual([expect.stringMatching(/^<!-- tenantform:review tag=t [^]*This plan has no review/)]);
  });

  test("leaves no line that the code host runs as a command", async () => {
    await put(`${review(minutes(1))}\n\n/merge\r\n \t/approve\r/close\n/\rlabel\nGET /authorize\n`);
    const end = bodies()[0]!.split("</details>").at(-1)!;
    const escape = provider === "gitlab" ? "\\" : "";
    expect(end).toContain(`\n\n${escape}/merge\n \t${escape}/approve/close\n${escape}/label\nGET /authorize`);
  });

  test("does not replace the comment of a newer run", async () => {
    const newer = review(minutes(1));
    await put(newer);
    expect(await put(review(minutes(5), { asn: 2 }))).toContain("newer");
    expect(bodies()).toEqual([newer]);
  });

  test("writes one comment for each tag", async () => {
    await put(review(minutes(3), { tag: "staging" }));
    await put(review(minutes(2), { tag: "production" }));
    await put(review(minutes(1), { tag: "staging", asn: 9 }));
    expect(bodies().map((body) => /tag=(\w+)/.exec(body)![1])).toEqual(["staging", "production"]);
    expect(bodies()[0]).toContain("AS number 9");
  });

  test("finds its own comment after hundreds of similar ones, and reads the user of the token once", async () => {
    const own = review(minutes(3));
    const author = service.self;
    const claims = [
      ...Array.from({ length: 250 }, () => `> ${own}`),
      "<!-- tenantform:review tag=%E0%A4%A at=2026-01-01T00:00:00Z -->",
      own.replace(/at=\S+/, "at=2999-01-01T00:00:00.000Z"),
    ];
    service.notes.push(...claims.map((body, id) => ({ id, body, author })), { id: 262, body: own, author });
    service.notes.push({ id: 263, body: review(minutes(-4)), author: stranger });
    const next = review(minutes(1), { asn: 2 });
    await put(next);
    expect(service.notes.find(({ id }) => id === 262)!.body).toBe(next);
    expect(service.notes).toHaveLength(254);
    expect(service.calls.filter((call) => call.includes("/user"))).toHaveLength(kind === "github app" ? 0 : 1);
  });

  test("ignores comments by other users that look like its own", async () => {
    const own = review(minutes(3));
    const claims = [own, review(minutes(-9), { asn: 3 }), review(minutes(1), { asn: 2 })];
    service.notes.push(...claims.map((body, id) => ({ id, body, author: stranger })));
    expect(await put(own)).toBe("The review is a new comment.\n");
    const next = review(minutes(1), { asn: 2 });
    expect(await put(next)).toBe("The comment shows the new review.\n");
    expect(bodies()).toEqual([...claims, next]);
  });

  test("creates a comment if it may not change the existing one", async () => {
    service.notes.push({ id: 1, body: review(minutes(3)), author: service.self });
    service.fail(provider === "github" ? "PATCH" : "PUT", 403);
    const next = review(minutes(1), { asn: 2 });
    await put(next);
    expect(bodies()[1]).toBe(next);
  });

  test("repeats a call after a temporary error, and creates no second comment after a lost response", async () => {
    service.fail("GET", 502, 429);
    service.lose("POST");
    expect(await put(review(minutes(1)))).toBe("The review is a new comment.\n");
    expect(bodies()).toHaveLength(1);
  });

  test.each([403, 401])("writes the job summary and never fails the job after status %d", async (status) => {
    const body = review(minutes(1));
    service.fail("POST", status);
    expect(await put(body)).toMatch(new RegExp(`^No comment was made: .*${status}`));
    expect(read("summary.md")).toBe(body);
  });

  test.each<[string, NodeJS.ProcessEnv]>([
    ["no token", { GITHUB_TOKEN: "", GITLAB_TOKEN: "" }],
    ["no pull request", { GITHUB_EVENT_PATH: "", CI_MERGE_REQUEST_IID: "" }],
    ["no service", { GITHUB_API_URL: "http://127.0.0.1:9", CI_API_V4_URL: "http://127.0.0.1:9" }],
    ["a summary that cannot be written", { GITHUB_TOKEN: "", GITLAB_TOKEN: "", GITHUB_STEP_SUMMARY: "/" }],
  ])("never fails the job: %s", async (_, more) => {
    const said = await put(review(minutes(1)), more);
    expect(said).toMatch(/^No comment was made: /);
    expect(said).not.toContain(service.token);
    expect(service.notes).toEqual([]);
  });

  test.each([
    ["nothing", " ", "the review is empty"],
    ["a log", "Error: no plan\n", "is not a review: write one with `tenantform review "],
    ["a review as JSON", '{"format_version":"1.1"}', "is not a review"],
    ["too much", `${review(minutes(1))}${"text ".repeat(200_000)}`, "and a comment takes at most"],
  ])("refuses %s, and calls nobody", async (what, text, words) => {
    expect(await put(text)).toMatch(new RegExp(`^No comment was made: .*${words}`));
    expect(service.calls).toEqual([]);
    if (what !== "too much") expect(read("summary.md")).toBe("");
  });
});

test("finds the pull request by the ref, and says that the review does not exist", async () => {
  const service = await standIn("github");
  try {
    const environment = github(service.url);
    const run = (file: string | undefined) =>
      printed((edge) => comment(file, { provider: "github" }, edge), {
        environment,
        stdin: Readable.from([review(minutes(1))]),
      });
    expect((await run(at("absent.md"))).stderr).toMatch(
      /absent\.md does not exist: give another path\. https:\S+#tenantform-comment\n$/,
    );
    await run(undefined);
    expect(service.notes).toHaveLength(1);
  } finally {
    await service.close();
  }
});
