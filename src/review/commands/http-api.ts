/** Calls an HTTP API with a credential that no other origin ever gets. */
import { setTimeout as sleep } from "node:timers/promises";
import { isConfidential, urlIn } from "../../formats/text/url";

export interface HttpApi {
  /** The JSON of the response. `path` starts with a slash, and is appended to the base URL of the API. */
  call(method: string, path: string, body?: object): Promise<unknown>;
}

export interface HttpApiOptions {
  readonly base: string;
  /** The environment variable with the base URL. */
  readonly variable: string;
  /** Headers for the API's origin alone. */
  readonly credential: Readonly<Record<string, string>>;
  /** Further headers for the API. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function httpApi({ base, variable, credential, headers = {} }: HttpApiOptions): HttpApi {
  const root = rootOf(base, variable);
  const own = { ...headers, ...credential };
  let left = mostOfJson;
  return {
    async call(method, path, body) {
      const response = await repeated({ method, url: new URL(root + path), headers: own, body });
      const bytes = await bytesOf(response, left, `${method} ${path}`);
      left -= bytes.length;
      return JSON.parse(bytes.toString("utf8")) as unknown;
    },
  };
}

/** The API responded with an error status. */
export class ResponseError extends Error {
  constructor(
    what: string,
    readonly status: number,
  ) {
    super(`${what} failed with status ${status}`);
    this.name = "ResponseError";
  }
}

/** A redirect that must not be followed. */
class RedirectError extends Error {}

interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

const tries = 3;
const mostRedirects = 5;
/** For all calls together: a page of 100 comments has at most 100 MB, but a server may list pages without end. */
const mostOfJson = 256 * 1024 * 1024;

function rootOf(base: string, variable: string): string {
  const url = urlIn(base);
  if (!url || url.search || url.hash || url.username || url.password) {
    throw new Error(`${variable} is not the URL of an API, such as https://gitlab.example.com/api/v4`);
  }
  if (!isConfidential(url)) {
    throw new Error(
      `${variable} is ${url.origin}: the token would cross the network unencrypted. Serve the API over https`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

async function repeated(outgoing: Outgoing): Promise<Response> {
  const { method, url } = outgoing;
  const what = `${method} ${url.pathname}`;
  for (let attempt = 1; ; attempt++) {
    const { response, failure } = await attempted(outgoing, what);
    if (response?.ok) return response;
    await response?.body?.cancel();
    const isRefused = response !== undefined && response.status < 500 && response.status !== 429;
    // If a response was lost, the comment may exist, so do not create it twice.
    const isDoubtful = method === "POST" && response?.status !== 429;
    if (attempt === tries || isRefused || isDoubtful) {
      throw response ? new ResponseError(what, response.status) : new Error(`${what} failed: ${failure}`);
    }
    await sleep(attempt * 300);
  }
}

async function attempted(outgoing: Outgoing, what: string): Promise<{ response?: Response; failure?: string }> {
  try {
    return { response: await followed(outgoing, what) };
  } catch (error) {
    if (error instanceof RedirectError) throw error;
    const { message, cause } = error as Error;
    return { failure: cause instanceof Error ? cause.message : message };
  }
}

async function followed({ method, url, headers, body }: Outgoing, what: string): Promise<Response> {
  let at = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await fetch(at, {
      method,
      headers: {
        "user-agent": "tenantform",
        ...headers,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    });
    const next = nextOf(response, at, method, what);
    if (!next) return response;
    await response.body?.cancel();
    if (next.origin !== url.origin) {
      throw new RedirectError(`${what} was redirected to ${next.origin}, which must not get the token`);
    }
    at = next;
  }
  throw new RedirectError(`${what} was redirected more than ${mostRedirects} times`);
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect; undefined for other responses. */
function nextOf({ status, headers }: Response, at: URL, method: string, what: string): URL | undefined {
  const location = headers.get("location");
  if (!redirects.has(status) || location === null) return undefined;
  const next = urlIn(location, at);
  if (!next || next.username || next.password)
    throw new RedirectError(`${what} was redirected to a URL that cannot be used`);
  if (method !== "GET" && status < 307) {
    throw new RedirectError(`${what} was redirected with ${status}, which would turn it into a GET`);
  }
  return next;
}

async function bytesOf(response: Response, most: number, what: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > most) throw new Error(`the responses up to ${what} take more than ${mostOfJson / 1024 / 1024} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
