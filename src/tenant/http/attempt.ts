/** Dispatches one request once, and collects its whole response. */
import { Timeout } from "./connector";
import type { Requests } from "./dispatcher";

export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the origin, with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawResponse {
  readonly status: number;
  /** Names are in lower case. A repeated header keeps its first value. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Attempt {
  /** Whether any byte of the request may have left. */
  readonly sent: boolean;
  readonly response: Promise<RawResponse>;
  /** Ends the attempt with this error, and closes its connection. */
  abort(error: Error): void;
}

/** Bytes of a response's body. The largest response of the service is far smaller. */
const largest = 32 * 1024 * 1024;

export class TooLarge extends Error {
  constructor() {
    super(`more than ${largest / 1024 / 1024} MiB`);
  }
}

/** `timeout`: milliseconds from the request's first byte to the response's headers. */
export function attempt(requests: Requests, { method, path, headers, body }: Exchange, timeout: number): Attempt {
  let abort: ((error: Error) => void) | undefined;
  let broken: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  let breakOff!: Attempt["abort"];
  const response = new Promise<RawResponse>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let first: RawResponse["headers"] = {};
    breakOff = (error) => {
      clearTimeout(timer);
      reject((broken ??= error));
      abort?.(broken);
    };
    // Without `reset: false` undici closes the connection after a DELETE with a body.
    requests.dispatch(
      { method, path, headers, body, reset: false },
      {
        // Called when an established connection is about to carry the request, and not before.
        onRequestStart(controller) {
          // undici may start a request again when its connection ends, but only `withRetry` decides about that.
          if (broken || abort) return controller.abort(broken ?? new Error("the connection was lost"));
          abort = (error) => controller.abort(error);
          timer = setTimeout(() => breakOff(new Timeout(`no headers within ${timeout} ms`)), timeout);
        },
        onResponseStart(controller, code) {
          if (code < 200) return;
          clearTimeout(timer);
          status = code;
          first = firstOfEach(controller.rawHeaders as Buffer[]);
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > largest) breakOff(new TooLarge());
          else chunks.push(chunk);
        },
        onResponseEnd() {
          const text = new TextDecoder().decode(Buffer.concat(chunks));
          // undici frees the connection in a later turn; until then a request would open another one.
          process.nextTick(setImmediate, resolve, { status, headers: first, text });
        },
        onResponseError: (_, error) => breakOff(error),
      },
    );
  });
  return {
    get sent() {
      return abort !== undefined;
    },
    response,
    abort: breakOff,
  };
}

function firstOfEach(raw: readonly Buffer[]): Record<string, string> {
  const first: Record<string, string> = {};
  for (let index = 0; index < raw.length; index += 2) {
    first[raw[index]!.toString("latin1").toLowerCase()] ??= raw[index + 1]!.toString("latin1");
  }
  return first;
}
