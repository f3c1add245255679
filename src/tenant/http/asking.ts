/** One request over one of the connections, and its answer, whole. */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Late, type Connections } from "./connections";

export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the origin, with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Asking {
  /** Whether anything of it may have left. */
  readonly sent: boolean;
  readonly answer: Promise<RawAnswer>;
  /** Ends it with this error, and its connection with it. */
  breakOff(error: Error): void;
}

/** Bytes of an answer's body; the largest that the service gives is far below. */
const largest = 32 * 1024 * 1024;

export class TooLarge extends Error {
  constructor() {
    super(`more than ${largest / 1024 / 1024} MiB`);
  }
}

/** `timeout`: milliseconds from the request's last byte to the answer's headers. */
export function ask(connections: Connections, { method, path, headers, body }: Exchange, timeout: number): Asking {
  // Of a DELETE Node would not tell the length of itself.
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const request = connections.request({ method, path, headers: { ...headers, ...length } });
  const begun = new AbortController();
  let sent = false;
  let breakOff!: Asking["breakOff"];
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    breakOff = (error) => {
      reject(error);
      begun.abort();
      request.destroy();
    };
    request.once("socket", () => (sent = true));
    request.once("finish", () => {
      const silent = new Late(`no headers within ${timeout} ms`);
      sleep(timeout, undefined, { signal: begun.signal }).then(
        () => breakOff(silent),
        () => {},
      );
    });
    request.once("response", (response) => {
      begun.abort();
      read(response, resolve, breakOff);
    });
    request.once("error", breakOff);
    request.once("close", () => breakOff(new Error("it was closed before the answer was complete")));
    request.end(body);
  });
  return {
    get sent() {
      return sent;
    },
    answer,
    breakOff,
  };
}

function read(response: IncomingMessage, whole: (answer: RawAnswer) => void, broken: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > largest) broken(new TooLarge());
    else chunks.push(chunk);
  });
  response.once("end", () => {
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    whole({ status: response.statusCode!, headers: firstOfEach(response.rawHeaders), text });
  });
}

function firstOfEach(raw: readonly string[]): Record<string, string> {
  const first: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) first[raw[index]!.toLowerCase()] ??= raw[index + 1]!;
  return first;
}
