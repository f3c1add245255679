/** Stand-ins of the comments of a pull request, made from what GitHub and GitLab say of them in public. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Note {
  readonly id: number;
  body: string;
}

export interface StandIn {
  readonly url: string;
  readonly notes: Note[];
  /** Method and path of every request, and the status that answered it. */
  readonly calls: string[];
  /** Answers the next requests of the method in place of the comments. */
  fail(method: string, ...statuses: number[]): void;
  /** Does what is asked, and loses the answer. */
  lose(method: string): void;
  close(): Promise<void>;
}

export const token = "t0ken";

interface Manners {
  /** Of the pull request 7. */
  readonly list: string;
  /** Of one comment, before its id. */
  readonly one: string;
  readonly update: string;
  readonly most: number;
  readonly tooLong: number;
  isAllowed(request: IncomingMessage): boolean;
}

const github: Manners = {
  list: "/repos/acme/tenant/issues/7/comments",
  one: "/repos/acme/tenant/issues/comments/",
  update: "PATCH",
  most: 65_536,
  tooLong: 422,
  isAllowed: ({ headers }) => headers.authorization === `Bearer ${token}`,
};

const gitlab: Manners = {
  list: "/projects/42/merge_requests/7/notes",
  one: "/projects/42/merge_requests/7/notes/",
  update: "PUT",
  most: 1_000_000,
  tooLong: 400,
  isAllowed: ({ headers }) => headers["private-token"] === token,
};

export async function standIn(provider: "github" | "gitlab"): Promise<StandIn> {
  const manners = { github, gitlab }[provider];
  const notes: Note[] = [];
  const calls: string[] = [];
  const failures: { method: string; status: number | "lost" }[] = [];
  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const written = await text(request);
    if (!manners.isAllowed(request)) return [401, { message: "Bad credentials" }];
    if (request.method === "GET" && pathname === manners.list) {
      const [page, size] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("per_page") ?? 30)];
      return [200, notes.slice((page - 1) * size, page * size)];
    }
    const body = (JSON.parse(written) as { body?: unknown }).body;
    if (typeof body !== "string" || body === "" || body.length > manners.most) return [manners.tooLong, {}];
    if (request.method === "POST" && pathname === manners.list) {
      const note = { id: notes.length + 1000, body };
      notes.push(note);
      return [201, note];
    }
    const note = notes.find(({ id }) => pathname === `${manners.one}${id}`);
    if (request.method !== manners.update || !note) return [404, { message: "Not Found" }];
    note.body = body;
    return [200, note];
  };
  const server = createServer(async (request, response) => {
    const at = failures.findIndex(({ method }) => method === request.method);
    const [failure] = at < 0 ? [] : failures.splice(at, 1);
    const [status, content] = typeof failure?.status === "number" ? [failure.status, {}] : await answer(request);
    calls.push(`${request.method} ${new URL(request.url!, "http://localhost").pathname} ${status}`);
    if (failure?.status === "lost") return response.destroy();
    return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    notes,
    calls,
    fail: (method, ...statuses) => void failures.push(...statuses.map((status) => ({ method, status }))),
    lose: (method) => void failures.push({ method, status: "lost" }),
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}
