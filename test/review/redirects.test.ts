/** Keeps the token of a code host at the API's origin when the API redirects. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { comment } from "../../src/review/ci/comment";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

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
  const close = () => {
    server.closeAllConnections();
    return new Promise<unknown>((resolve) => server.close(resolve));
  };
  opened.push(close);
  return { url: `http://127.0.0.1:${port}`, port, seen };
}

const opened: (() => Promise<unknown>)[] = [];
let said: string;
beforeEach(() => {
  said = "";
  jest.spyOn(process.stderr, "write").mockImplementation((words) => ((said += String(words)), true));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.splice(0).map((close) => close()));
});

const token = "t0ken-of-the-job";
const review = "<!-- tenantform:review tag=t at=2026-01-01T00:00:00.000Z -->\n# Review\n";
const put = async (provider: "github" | "gitlab", url: string) => {
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
  const stdin = (async function* () {
    yield review;
  })();
  expect(await comment(undefined, { provider }, { stdin, environment })).toBe(0);
};

describe.each(["github", "gitlab"] as const)("a comment on %s", (provider) => {
  test.each([301, 302, 303, 307, 308])(
    "is not written if the API redirects to another origin with status %d",
    async (status) => {
      const thief = await serve(() => [200, "[]"]);
      const api = await serve(({ url }) => [status, `${thief.url}${url}`]);
      await put(provider, api.url);
      expect(thief.seen).toEqual([]);
      expect(said).toContain(`was redirected to ${thief.url}, which must not get the token.`);
    },
  );

  test("counts another name of the same host as another origin", async () => {
    const api = await serve(({ url }) => [302, `http://localhost:${api.port}${url}`]);
    await put(provider, api.url);
    expect(said).toContain("which must not get the token.");
    expect(api.seen).toHaveLength(1);
  });

  test.each(["http://storage.example/x?signature=s3cret", "ftp://127.0.0.1/x", "https://ada:pw@127.0.0.1/"])(
    "is not written if the API redirects to %s, whose secret stays out of the error",
    async (location) => {
      const api = await serve(() => [302, location]);
      await put(provider, api.url);
      expect(said).toMatch(/was redirected to /);
      expect(said).not.toMatch(/s3cret|pw@/);
      expect(api.seen).toHaveLength(1);
    },
  );

  test.each([307, 308])("is not sent to another origin after status %d", async (status) => {
    const thief = await serve(() => [201, "{}"]);
    const api = await serve(({ method, url }) => (method === "GET" ? [200, "[]"] : [status, `${thief.url}${url}`]));
    await put(provider, api.url);
    expect(thief.seen).toEqual([]);
    expect(said).toMatch(/^No comment was made: POST .* was redirected to /);
  });

  test("does not become a GET after a redirect", async () => {
    const api = await serve(({ method, url }) => (method === "GET" ? [200, "[]"] : [302, `${url}/other`]));
    await put(provider, api.url);
    expect(said).toContain("would turn it into a GET");
    expect(api.seen.filter(({ url }) => url.endsWith("/other"))).toEqual([]);
  });

  test("is written if the API redirects within its origin", async () => {
    const api = await serve(({ url, method, body }) => {
      if (!url.startsWith("/moved")) return [308, `/moved${url}`];
      return method === "GET" ? [200, "[]"] : [JSON.parse(body).body === review ? 201 : 422, "{}"];
    });
    await put(provider, api.url);
    expect(said).toBe("The review is a new comment.\n");
    expect(api.seen.every(({ headers }) => JSON.stringify(headers).includes(token))).toBe(true);
  });

  test("is not written if the API redirects without end", async () => {
    const api = await serve(({ url }) => [302, `${url}0`]);
    await put(provider, api.url);
    expect(said).toContain("was redirected more than 5 times");
    expect(api.seen.length).toBeLessThan(10);
  });

  test.each(["http://gitlab.example.com/api/v4", "http://127.0.0.1.example.com", "http://localhost.evil.example"])(
    "is not made by %s, where anybody on the way could read the token",
    async (url) => {
      await put(provider, url);
      const variable = provider === "github" ? "GITHUB_API_URL" : "CI_API_V4_URL";
      expect(said).toContain(
        `${variable} is ${new URL(url).origin}: the token would cross the network unencrypted. Serve the API over https.`,
      );
    },
  );

  test.each(["ftp://example.com", "example.com", "https://ada:pw@example.com", "file:///etc/passwd"])(
    "is not made by %s",
    async (url) => {
      await put(provider, url);
      expect(said).toMatch(/^No comment was made: /);
      expect(said).not.toContain("pw@");
    },
  );
});
