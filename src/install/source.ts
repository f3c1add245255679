/** Reads the files of a release from a folder or a server. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { masked } from "../text/masked";
import { download, serverAt, shown } from "./download";

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
