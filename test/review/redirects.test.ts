/** Keeps the token of a code host at the URL of its API. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { comment } from "../../src/review/commands/comment";
import { printed } from "./support/command";

const opened: Server[] = [];
afterEach(() => opened.splice(0).map((server) => server.closeAllConnections() ?? server.close()));

/** The URL of a server, and the methods of its requests. `redirecting`: the method whose requests get the status and the location. */
async function serve(redirecting?: string, status = 200, location = "") {
  const seen: string[] = [];
  const server = createServer(({ method }, reply) => {
    seen.push(method!);
    if (method === redirecting) reply.writeHead(status, { location }).end();
    else reply.end("[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const token = "t0ken-of-the-job";
const review = "<!-- tenantform:review tag=t at=2026-01-01T00:00:00.000Z -->\n# Review\n";
/** What the command says. */
const put = async (url: string, provider: "github" | "gitlab" = "github") => {
  const environment = {
    GITHUB_API_URL: url,
    GITHUB_TOKEN: token,
    GITHUB_REPOSITORY: "acme/tenant",
    GITHUB_REF: "refs/pull/7/merge",
    CI_API_V4_URL: url,
    CI_PROJECT_ID: "42",
    CI_MERGE_REQUEST_IID: "7",
    GITLAB_TOKEN: token,
  };
  const edge = { stdin: Readable.from([review]), environment };
  const { code, stderr } = await printed((own) => comment(undefined, { provider }, own), edge);
  expect(code).toBe(0);
  return stderr;
};

test.each([301, 302, 303, 307, 308])("no redirect is followed, with the status %d", async (status) => {
  const target = await serve();
  for (const method of ["GET", "POST"]) {
    const { url } = await serve(method, status, `${target.url}/?signature=s3cret`);
    const said = await put(url);
    expect(said).toMatch(RegExp(`: ${method} .* is redirected, .* may get the token: correct GITHUB_API_URL\\.`));
    expect(said).not.toContain("s3cret");
  }
  expect(target.seen).toEqual([]);
});

test("a response that is no JSON names the request and the variable", async () => {
  const said = await put((await serve("GET", 200)).url);
  expect(said).toContain(
    ": GET /repos/acme/tenant/issues/7/comments failed: Unexpected end of JSON input: check GITHUB_API_URL.",
  );
});

test.each([
  ["http://gitlab.example.com/api/v4", "the token would cross the network unencrypted. Serve the API over https."],
  ["http://127.0.0.1.example.com", "the token would cross the network unencrypted"],
  ["http://localhost.evil.example", "the token would cross the network unencrypted"],
  ["ftp://example.com", "No comment was made: "],
  ["example.com", "No comment was made: "],
  ["https://ada:pw@example.com", "is not the URL of an API"],
])("no comment is made by %s", async (url, words) => {
  for (const [provider, variable] of [
    ["github", "GITHUB_API_URL"],
    ["gitlab", "CI_API_V4_URL"],
  ] as const) {
    const said = await put(url, provider);
    expect(said).toContain(words);
    expect(said).toContain(`${variable} is `);
    expect(said).not.toContain("pw@");
  }
});
