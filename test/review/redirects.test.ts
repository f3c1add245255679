/** Keeps the token of a code host at the API's origin when the API redirects. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { comment } from "../../src/review/commands/comment";
import { printed } from "./support/command";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const opened: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(opened.splice(0).map((close) => close())));

/** `response`: status, then location or body. */
async function serve(response: (request: Seen) => readonly [number, string]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, reply) => {
    const one = { method: request.method!, url: request.url!, headers: request.headers, body: await text(request) };
    seen.push(one);
    const [status, content] = response(one);
    if (status >= 300 && status < 400) reply.writeHead(status, { location: content }).end();
    else reply.writeHead(status).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  opened.push(() => {
    server.closeAllConnections();
    return new Promise<unknown>((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${port}`, port, seen };
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

test.each([301, 302, 303, 307, 308])("no request is sent to another origin after status %d", async (status) => {
  const thief = await serve(() => [200, "[]"]);
  const reading = await serve(({ url }) => [status, `${thief.url}${url}`]);
  expect(await put(reading.url)).toContain(`was redirected to ${thief.url}, which must not get the token.`);
  const writing = await serve(({ method, url }) => (method === "GET" ? [200, "[]"] : [status, `${thief.url}${url}`]));
  expect(await put(writing.url)).toMatch(/^No comment was made: POST .* (was redirected to|would turn it into a GET)/);
  expect(thief.seen).toEqual([]);
});

test.each<[string, (own: { url: string; port: number }, path: string) => string, string]>([
  ["another name of the same host", ({ port }, path) => `http://localhost:${port}${path}`, "must not get the token"],
  ["a URL with a secret", () => "http://storage.example/x?signature=s3cret", "was redirected to "],
  ["another scheme", () => "ftp://127.0.0.1/x", "was redirected to "],
  ["a URL with a password", () => "https://ada:pw@127.0.0.1/", "was redirected to "],
])(
  "no comment is written after a redirect to %s, whose secret stays out of the error",
  async (_what, target, words) => {
    const api: Awaited<ReturnType<typeof serve>> = await serve(({ url }) => [302, target(api, url)]);
    const said = await put(api.url);
    expect(said).toContain(words);
    expect(said).not.toMatch(/s3cret|pw@/);
    expect(api.seen).toHaveLength(1);
  },
);

test("a POST does not become a GET after a redirect", async () => {
  const api = await serve(({ method, url }) => (method === "GET" ? [200, "[]"] : [302, `${url}/other`]));
  expect(await put(api.url)).toContain("would turn it into a GET");
  expect(api.seen.filter(({ url }) => url.endsWith("/other"))).toEqual([]);
});

test.each(["github", "gitlab"] as const)(
  "redirects within the origin are followed, up to five: %s",
  async (provider) => {
    const api = await serve(({ url, method, body }) => {
      if (!url.startsWith("/moved")) return [308, `/moved${url}`];
      return method === "GET" ? [200, "[]"] : [JSON.parse(body).body === review ? 201 : 422, "{}"];
    });
    expect(await put(api.url, provider)).toBe("The review is a new comment.\n");
    expect(api.seen.every(({ headers }) => JSON.stringify(headers).includes(token))).toBe(true);
    const endless = await serve(({ url }) => [302, `${url}0`]);
    expect(await put(endless.url, provider)).toContain("was redirected more than 5 times");
    expect(endless.seen.length).toBeLessThan(10);
  },
);

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
