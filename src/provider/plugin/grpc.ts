/** The part of gRPC over HTTP/2 that Terraform uses: one request message, and one response message or a stream. */
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Log } from "./log";

/** The bytes of one message, or of a stream of messages. */
export type Response = Uint8Array | AsyncIterable<Uint8Array>;
/** Undefined means UNIMPLEMENTED. */
export type Method = (request: Uint8Array) => Promise<Response | undefined>;

export interface GrpcOptions {
  /** The method behind a path such as `/grpc.health.v1.Health/Check`. */
  find: (path: string) => Method | undefined;
  log: Log;
}

const status = { ok: 0, unknown: 2, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

/** An error with its own gRPC status. The client sees every other error as UNKNOWN. */
class GrpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
    this.name = "GrpcError";
  }
}

const messageLimit = 256 * 1024 * 1024;
/** Bytes that may be in flight to this process. The default of 64 KiB would split large values into many small steps. */
const window = 4 * 1024 * 1024;

/** Speaks gRPC over connections that are injected with `emit("connection", …)`. */
export function createGrpcServer({ find, log }: GrpcOptions): Http2Server {
  // Node counts the memory of a session and refuses further calls beyond 10 MB, which a few large values exceed.
  const server = createServer({ maxSessionMemory: 1024, settings: { initialWindowSize: window } });
  server.on("session", (session) => {
    session.setLocalWindowSize(window);
    session.on("error", (error) => log("debug", "Session failed", { error }));
  });
  server.on("stream", (stream, headers) => void respond(stream, headers, find, log));
  return server;
}

async function respond(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, find: GrpcOptions["find"], log: Log) {
  const { ":path": path = "" } = headers;
  const call = path.split("/").at(-1);
  log("trace", `${call} begins`, { call, phase: "begin" });
  stream.on("error", (error) => log("debug", `${path} was broken off`, { error }));
  stream.once("finish", () => log("trace", `${call} ends`, { call, phase: "end" }));
  const isGone = () => stream.closed || stream.destroyed;
  const end = (code: number, message = "", last?: Uint8Array) => {
    if (isGone()) return;
    stream.once("wantTrailers", () =>
      stream.sendTrailers({ "grpc-status": String(code), "grpc-message": percentEncoded(message) }),
    );
    begin(stream);
    if (last) stream.end(frame(last));
    else stream.end();
  };

  try {
    const response = await find(path)?.(await messageFrom(stream));
    if (!response) throw new GrpcError(status.unimplemented, `There is no ${path}`);
    if (response instanceof Uint8Array) return end(status.ok, "", response);
    for await (const message of response) {
      if (isGone()) return;
      begin(stream);
      if (!stream.write(frame(message)))
        await new Promise((resume) => stream.once("drain", resume).once("close", resume));
    }
    end(status.ok);
  } catch (error) {
    if (isGone()) return;
    if (!(error instanceof GrpcError)) log("error", `${call} failed`, { error });
    const code = error instanceof GrpcError ? error.code : status.unknown;
    end(code, error instanceof Error ? error.message : String(error));
  }
}

function begin(stream: ServerHttp2Stream): void {
  if (stream.headersSent) return;
  stream.respond({ ":status": 200, "content-type": "application/grpc+proto" }, { waitForTrailers: true });
}

/** Listens for events, because an iterator of the stream takes half the time of a call. Never ends if the stream breaks off. */
async function messageFrom(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise((resolve, reject) => {
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= messageLimit + 5) return;
      stream.pause();
      reject(new GrpcError(status.resourceExhausted, `A message above ${messageLimit} bytes`));
    });
    stream.once("end", resolve);
  });
  const framed = Buffer.concat(chunks);
  if (framed.length === 0) return framed;
  if (framed[0] !== 0) throw new GrpcError(status.unimplemented, "Compressed messages are not understood");
  if (framed.length < 5 || framed.readUInt32BE(1) !== framed.length - 5) {
    throw new GrpcError(status.internal, "Not one whole message");
  }
  return framed.subarray(5);
}

/** Half of a surrogate pair cannot be encoded, so `Buffer` replaces it. */
const percentEncoded = (text: string) => encodeURIComponent(Buffer.from(text).toString());

function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(5 + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, 5);
  return framed;
}
