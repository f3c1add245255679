/**
 * Reads the files of a release from a folder or a server. Downloads are over https, within limits of size and time, and only the named
 * origin gets the credentials.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { masked } from "../text/masked";
import { isConfidential, urlIn } from "../text/url";

export interface Source {
  /** For messages. */
  readonly place: string;
  /** Name of the one zip that was named. */
  readonly only?: string;
  /** Throws if the file is missing or larger. */
  read(name: string, mostBytes: number): Promise<Buffer>;
}

/** A path may contain a colon. A name of one letter before the colon is a drive of Windows, not a URL scheme. */
const isUrl = (place: string) => /^(https?:|[a-z][a-z0-9+.-]+:\/\/)/i.test(place);

export function sourceAt(place: string): Source {
  return isUrl(place.trim()) ? server(serverAt(place.trim())) : folder(place);
}

function server(url: URL): Source {
  const base = url.pathname.replace(/\/+$/, "");
  url.pathname = base;
  return {
    place: shown(url).replace(/\/$/, ""),
    read(name, mostBytes) {
      const file = new URL(url);
      file.pathname = `${base}/${name}`;
      file.hash = "";
      return download(file, mostBytes);
    },
  };
}

function folder(place: string): Source {
  const named = statSync(place, { throwIfNoEntry: false });
  if (!named) {
    // A text that looks like USER:PASSWORD@ was meant as part of a URL.
    const name = /:[^]*@/.test(place) ? masked(place) : place;
    throw new Error(`${name} does not exist: name the folder with the zips of the release, one of them, or a URL.`);
  }
  const home = named.isDirectory() ? place : path.dirname(place);
  return {
    place: home,
    only: named.isDirectory() ? undefined : path.basename(place),
    read: (name, mostBytes) => Promise.resolve().then(() => fileAt(path.join(home, name), mostBytes)),
  };
}

function fileAt(file: string, mostBytes: number): Buffer {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) {
    throw new Error(`${file} does not exist: copy it from the release to the other files.`);
  }
  if (stats.size > mostBytes) {
    throw new Error(`${file} is larger than ${mostBytes} bytes: it is not a file of a release.`);
  }
  return readFileSync(file);
}

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
function serverAt(text: string): URL {
  const url = urlIn(text);
  if (!url) throw new Error("The URL after --native cannot be read: write https://HOST/PATH.");
  if (isConfidential(url)) return url;
  throw new Error(
    `${shown(url)} is not https: anyone on the network could exchange the zip. Use an https URL, or the folder of the zips.`,
  );
}

/** Without user, password and query, which may be secrets. A password with a slash reads as a port and a path. */
const shown = ({ protocol, host, pathname }: URL) => {
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
