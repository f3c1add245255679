// Answers that arrive late, in pieces, or not whole.

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const pieces = 10;

/** The same answer, its body spread over `ms` milliseconds. */
export async function slowed(answer: Response, ms: number): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await pause(ms / pieces);
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
      if (at >= bytes.length) controller.close();
    },
  });
  return new Response(bytes.length === 0 ? null : body, answer);
}

/** Half of the body, delivered as if it were all. */
export async function malformed(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text === "" ? null : text.slice(0, Math.ceil(text.length / 2)), answer);
}

/** Half of a body that was announced whole; then the connection breaks. */
export async function truncated(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let begun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!begun) {
        begun = true;
        controller.enqueue(bytes.subarray(0, bytes.length >>> 1));
        return;
      }
      await pause(0);
      controller.error(new TypeError("terminated"));
    },
  });
  const headers = new Headers(answer.headers);
  headers.set("content-length", String(bytes.length));
  return new Response(body, { status: answer.status, headers });
}
