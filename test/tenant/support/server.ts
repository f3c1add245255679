// A small HTTP server with scripted responses that records its requests.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** Parsed JSON, or undefined without a body. */
  body: any;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. A string is sent unchanged. */
  body?: unknown;
}

/** Returns the response, or sends it itself and returns undefined. */
export type Answering = (asked: Asked, response: ServerResponse) => Reply | undefined | Promise<Reply | undefined>;

export interface Server {
  endpoint: string;
  asked: Asked[];
  /** `GET /path?query` of each request, in order, without token requests. */
  lines(): string[];
  close(): Promise<void>;
}

export async function serve(answering: Answering): Promise<Server> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://tenant");
      const text = Buffer.concat(chunks).toString("utf8");
      const one: Asked = {
        method: request.method ?? "",
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body: text === "" ? undefined : JSON.parse(text),
      };
      asked.push(one);
      const reply = await answering(one, response);
      if (!reply) return;
      const { status = 200, headers = {}, body } = reply;
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
      response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    lines: () =>
      asked
        .filter(({ path }) => path !== "/oauth/token")
        .map(
          ({ method, path, query }) =>
            `${method} ${path}${query.size > 0 ? `?${decodeURIComponent(query.toString())}` : ""}`,
        ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
