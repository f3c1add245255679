/**
 * Reads the zips of a release from a folder or a server. The package knows the SHA-256 of each zip, so the place need not be trusted; a
 * URL must be https nevertheless, because it may have a password.
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
  return isUrl(place.trim()) ? server(place.trim()) : folder(place);
}

const isTooLarge = (place: string, mostBytes: number) =>
  new Error(
    `${place} is larger than ${mostBytes} bytes, so it is not a file of a release. Copy the file from the release again.`,
  );

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
    ...(!named.isDirectory() && { only: path.basename(place) }),
    read: (name, mostBytes) => Promise.resolve().then(() => fileAt(path.join(home, name), mostBytes)),
  };
}

function fileAt(file: string, mostBytes: number): Buffer {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new Error(`${file} does not exist: copy it from the release to the other files.`);
  if (stats.size > mostBytes) throw isTooLarge(file, mostBytes);
  return readFileSync(file);
}

const otherwise = "Download the zip by other means, and name its folder.";
/** For one file, in milliseconds. */
const patience = 10 * 60_000;

function server(text: string): Source {
  const url = urlIn(text);
  if (!url) throw new Error("The URL after --native cannot be read: write https://HOST/PATH.");
  // Without user, password and query, which may be secrets. A password with a slash reads as a port and a path.
  const bare = `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, "");
  const place = /:\d+\/[^]*@/.test(bare) ? masked(bare) : bare;
  if (!isConfidential(url)) throw new Error(`${place} is not https. Use an https URL, or the folder of the zips.`);
  const { username, password, search } = url;
  const pair = [username, password].map((part) => decodeURIComponent(part)).join(":");
  const headers = pair === ":" ? undefined : { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  return {
    place,
    async read(name, mostBytes) {
      try {
        // fetch takes the authorization out of a request to another origin.
        const response = await fetch(`${bare}/${name}${search}`, {
          ...(headers && { headers }),
          signal: AbortSignal.timeout(patience),
        });
        if (!response.ok) throw new Error(`${place}/${name} responded with ${response.status}. ${otherwise}`);
        return await bodyOf(response, `${place}/${name}`, mostBytes);
      } catch (error) {
        throw unreachable(place, error as Error);
      }
    },
  };
}

async function bodyOf(response: Response, place: string, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > mostBytes) throw isTooLarge(place, mostBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Names only the code of an error of the network: its text may come from the server. */
function unreachable(place: string, error: Error): Error {
  if (error.cause === undefined && error.constructor === Error) return error;
  const { code, name } = (error.cause ?? error) as NodeJS.ErrnoException;
  const remedy = /CERT|SIGNED|UNABLE_TO_/.test(code ?? "")
    ? " If an authority of your company issued the certificate, set NODE_EXTRA_CA_CERTS to the PEM file of that authority."
    : "";
  return new Error(`${place} cannot be read (${code ?? name}).${remedy} ${otherwise}`, { cause: error });
}
