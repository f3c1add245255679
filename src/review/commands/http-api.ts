/** Calls the API of a code host. No other URL gets the credential, because no redirect is followed. */
import { setTimeout as sleep } from "node:timers/promises";
import { isConfidential, urlIn } from "../../formats/text/url";

/** Returns the JSON of the response. `path` starts with a slash, and is appended to the base URL of the API. */
export type HttpApi = (method: string, path: string, body?: object) => Promise<unknown>;

interface Options {
  readonly base: string;
  /** The environment variable with the base URL. */
  readonly variable: string;
  /** With the credential. */
  readonly headers: Readonly<Record<string, string>>;
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

const tries = 3;

export function httpApi({ base, variable, headers }: Options): HttpApi {
  const root = rootOf(base, variable);
  const send = (method: string, url: URL, body?: object) =>
    fetch(url, {
      method,
      headers: { "user-agent": "tenantform", ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(15_000),
    });
  return async (method, path, body) => {
    const url = new URL(root + path);
    const what = `${method} ${url.pathname}`;
    for (let attempt = 1; ; attempt++) {
      const response = await send(method, url, body).catch(({ message, cause }: Error) =>
        Error(`${what} failed: ${cause instanceof Error ? cause.message : message}`),
      );
      const status = response instanceof Error ? undefined : response.status;
      if (response instanceof Response && response.ok)
        return response.json().catch(({ message }: Error) => {
          throw new Error(`${what} failed: ${message}: check ${variable}`);
        });
      if (status !== undefined && status >= 300 && status < 400)
        throw new Error(`${what} is redirected, and no other URL may get the token: correct ${variable}`);
      const isRefused = status !== undefined && status < 500 && status !== 429;
      // If a response was lost, the comment may exist, so do not create it twice.
      const isDoubtful = method === "POST" && status !== 429;
      if (attempt === tries || isRefused || isDoubtful)
        throw response instanceof Error ? response : new ResponseError(what, response.status);
      await sleep(attempt * 300);
    }
  };
}

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
