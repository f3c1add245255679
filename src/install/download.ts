/** Downloads files over https, within limits of size and time. Only the named origin gets the credentials. */
import { masked } from "../text/masked";
import { isConfidential, urlIn } from "../text/url";

/** In milliseconds. */
export interface Patience {
  /** Without a byte. */
  readonly idle: number;
  /** For one file. */
  readonly total: number;
}

const patient: Patience = { idle: 60_000, total: 30 * 60_000 };
const mostRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

const otherwise =
  "Download the zip, SHA256SUMS and SHA256SUMS.sig by other means, and name their folder. In a checkout, npm run release -- --dry-run makes them.";

/** Reads the text as a URL. Throws if a file from there could be read or changed by others. */
export function serverAt(text: string): URL {
  const url = urlIn(text);
  if (!url) throw new Error("The URL after --native cannot be read: write https://HOST/PATH.");
  if (isConfidential(url)) return url;
  throw new Error(
    `${shown(url)} is not https: anyone on the network could exchange the zip. Use an https URL, or the folder of the zips.`,
  );
}

/** Without user, password and query, which may be secrets. A password with a slash reads as a port and a path. */
export const shown = ({ protocol, host, pathname }: URL) => {
  const url = `${protocol}//${host}${pathname}`;
  return /:\d+\/[^]*@/.test(url) ? masked(url) : url;
};

export async function download(from: URL, mostBytes: number, { idle, total }: Patience = patient): Promise<Buffer> {
  const control = new AbortController();
  const stop = (why: string) => control.abort(new Error(`${shown(from)} ${why}. ${otherwise}`));
  const quiet = setTimeout(() => stop(`sent nothing for ${idle / 1000} seconds`), idle);
  const deadline = setTimeout(() => stop(`was not complete after ${total / 1000} seconds`), total);
  try {
    const response = await follow(from, control.signal);
    if (!response.ok) throw new Error(`${shown(from)} responded with ${response.status}. ${otherwise}`);
    return await bodyOf(response, from, mostBytes, () => void quiet.refresh());
  } catch (error) {
    throw control.signal.aborted ? control.signal.reason : error;
  } finally {
    clearTimeout(quiet);
    clearTimeout(deadline);
    // Stops reading a response that was refused.
    control.abort();
  }
}

async function follow(from: URL, signal: AbortSignal): Promise<Response> {
  let url = from;
  for (let count = 0; count <= mostRedirects; count++) {
    const response = await request(url, from, signal);
    if (!redirects.includes(response.status)) return response;
    const location = response.headers.get("location") ?? "";
    const next = urlIn(location, url);
    if (!next) throw new Error(`${shown(url)} redirects without a valid address. ${otherwise}`);
    if (!isConfidential(next) || (url.protocol === "https:" && next.protocol !== "https:")) {
      throw new Error(`${shown(url)} redirects to ${shown(next)}, which is not https. ${otherwise}`);
    }
    url = next;
  }
  throw new Error(`${shown(from)} redirects more than ${mostRedirects} times. ${otherwise}`);
}

/** Ignores a user and password in the URL of a redirect. */
async function request(url: URL, from: URL, signal: AbortSignal): Promise<Response> {
  const headers = { "accept-encoding": "identity", ...(url.origin === from.origin ? credentialsOf(from) : {}) };
  const bare = new URL(url);
  bare.username = bare.password = "";
  try {
    return await fetch(bare, { redirect: "manual", headers, signal });
  } catch (error) {
    throw unreachable(url, error as Error);
  }
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = [username, password].map((text) => unescape(text)).join(":");
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const certificateFault = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Uses only the error code: the text of the system's message may come from the server. */
function unreachable(url: URL, error: Error): Error {
  const cause = (error.cause ?? error) as NodeJS.ErrnoException;
  const code = cause.code ?? cause.name;
  const why = certificateFault.test(code)
    ? `The certificate of ${url.host} is not trusted (${code}). If an authority of your company issued it, set NODE_EXTRA_CA_CERTS to the PEM file of that authority`
    : `${shown(url)} cannot be reached (${code})`;
  return new Error(`${why}. ${otherwise}`, { cause: error });
}

async function bodyOf(response: Response, from: URL, mostBytes: number, progress: () => void): Promise<Buffer> {
  const tooLarge = () => new Error(`${shown(from)} is larger than ${mostBytes} bytes: it is not a file of a release.`);
  if (Number(response.headers.get("content-length")) > mostBytes) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body ?? []) {
      progress();
      size += part.length;
      if (size > mostBytes) throw tooLarge();
      parts.push(part);
    }
  } catch (error) {
    throw size > mostBytes ? error : unreachable(from, error as Error);
  }
  return Buffer.concat(parts);
}
