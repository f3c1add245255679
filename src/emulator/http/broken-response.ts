/** Responses that arrive late, in pieces, or incomplete. */
import { setTimeout as pause } from "node:timers/promises";

const pieces = 10;

async function* inPieces(bytes: Uint8Array, ms: number): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    await pause(ms / pieces);
    yield bytes.subarray(at, at + size);
  }
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

/** Sends the body over `ms` milliseconds. */
export async function slowed(response: Response, ms: number): Promise<Response> {
  const bytes = await bytesOf(response);
  return new Response(bytes.length === 0 ? null : ReadableStream.from(inPieces(bytes, ms)), response);
}

/** Sends half of the body as if it were complete. */
export async function malformed(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(text === "" ? null : text.slice(0, Math.ceil(text.length / 2)), response);
}

/** Looks like the error that a client's own fetch throws when the connection breaks. */
export class ConnectionReset extends TypeError {
  /** `begun` is the part of a response that was sent before. */
  constructor(readonly begun?: { status: number; headers: Record<string, string>; part: Uint8Array }) {
    super("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
  }
}

/** Announces the whole body, sends half of it, and breaks the connection. */
export async function truncated(response: Response): Promise<never> {
  const bytes = await bytesOf(response);
  const headers = { ...Object.fromEntries(response.headers), "content-length": String(bytes.length) };
  throw new ConnectionReset({ status: response.status, headers, part: bytes.subarray(0, bytes.length >>> 1) });
}

async function* brokenAfter(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part;
  throw new TypeError("terminated");
}

/** Shows a connection that broke in the middle of a response as a client's fetch shows it, or throws. */
export function brokenFetch(error: unknown): Response {
  if (!(error instanceof ConnectionReset) || error.begun === undefined) throw error;
  const { status, headers, part } = error.begun;
  return new Response(ReadableStream.from(brokenAfter(part)), { status, headers });
}
