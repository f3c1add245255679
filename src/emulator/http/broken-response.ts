/** Answers that arrive late, in pieces, or not whole. */
import { setTimeout as pause } from "node:timers/promises";

const pieces = 10;

async function* inPieces(bytes: Uint8Array, ms: number): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    await pause(ms / pieces);
    yield bytes.subarray(at, at + size);
  }
}

/** The same answer, its body spread over `ms` milliseconds. */
export async function slowed(answer: Response, ms: number): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return new Response(bytes.length === 0 ? null : ReadableStream.from(inPieces(bytes, ms)), answer);
}

/** Half of the body, delivered as if it were all. */
export async function malformed(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text === "" ? null : text.slice(0, Math.ceil(text.length / 2)), answer);
}

/** What a client's own fetch would throw when a fault breaks the connection. */
export class ConnectionReset extends TypeError {
  /** `begun` is what of an answer went out before. */
  constructor(readonly begun?: { status: number; headers: Record<string, string>; part: Uint8Array }) {
    super("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
  }
}

/** Half of a body that was announced whole; then the connection breaks. */
export async function truncated(answer: Response): Promise<never> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const headers = { ...Object.fromEntries(answer.headers), "content-length": String(bytes.length) };
  throw new ConnectionReset({ status: answer.status, headers, part: bytes.subarray(0, bytes.length >>> 1) });
}

async function* brokenAfter(part: Uint8Array): AsyncGenerator<Uint8Array> {
  yield part;
  throw new TypeError("terminated");
}

/** A connection that broke in the middle of an answer, as a client's fetch shows it. */
export function brokenOff({ begun }: ConnectionReset): Response | undefined {
  if (begun === undefined) return undefined;
  const { status, headers, part } = begun;
  return new Response(ReadableStream.from(brokenAfter(part)), { status, headers });
}
