/** Stand-ins of pull request comments, written from the public references of GitHub and GitLab. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Note {
  readonly id: number;
  body: string;
  readonly author: Author;
}

interface Author {
  readonly id: number;
  readonly type?: "User" | "Bot";
}

export interface StandIn {
  readonly url: string;
  readonly token: string;
  /** The user of the token. */
  readonly self: Author;
  readonly notes: Note[];
  /** Method, path and response status of every request. */
  readonly calls: string[];
  /** Responds to the next requests of the method instead of the comments. */
  fail(method: string, ...statuses: number[]): void;
  /** Executes the request, and loses the response. */
  lose(method: string): void;
  close(): Promise<void>;
}

export type Kind = "github" | "github app" | "gitlab";

interface Manners {
  readonly token: string;
  readonly self: Author;
  /** The token of an app has no user. */
  readonly user: 200 | 403;
  /** The property of a comment that names its author. */
  readonly by: "user" | "author";
  /** Path of the comments of pull request 7. */
  readonly list: string;
  /** Path of one comment, without its id. */
  readonly one: string;
  readonly update: string;
  readonly most: number;
  readonly tooLong: number;
  isAllowed(request: IncomingMessage, token: string): boolean;
}

const github: Manners = {
  token: "ghp_t0ken",
  self: { id: 41, type: "User" },
  user: 200,
  by: "user",
  list: "/repos/acme/tenant/issues/7/comments",
  one: "/repos/acme/tenant/issues/comments/",
  update: "PATCH",
  most: 65_536,
  tooLong: 422,
  isAllowed: ({ headers }, token) => headers.authorization === `Bearer ${token}`,
};

/** The form of a job's token. */
const app: Manners = { ...github, token: "ghs_t0ken", self: { id: 43, type: "Bot" }, user: 403 };

const gitlab: Manners = {
  token: "glpat-t0ken",
  self: { id: 42 },
  user: 200,
  by: "author",
  list: "/projects/42/merge_requests/7/notes",
  one: "/projects/42/merge_requests/7/notes/",
  update: "PUT",
  most: 1_000_000,
  tooLong: 400,
  isAllowed: ({ headers }, token) => headers["private-token"] === token,
};

export async function standIn(kind: Kind): Promise<StandIn> {
  const manners = { github, "github app": app, gitlab }[kind];
  const { token, self } = manners;
  const notes: Note[] = [];
  const calls: string[] = [];
  const shown = ({ id, body, author }: Note) => ({ id, body, [manners.by]: author });
  const failures: { method: string; status: number | "lost" }[] = [];
  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const written = await text(request);
    if (!manners.isAllowed(request, token)) return [401, { message: "Bad credentials" }];
    if (request.method === "GET" && pathname === "/user") return [manners.user, manners.user === 200 ? self : {}];
    if (request.method === "GET" && pathname === manners.list) {
      const [page, size] = [Number(searchParams.get("page") ?? 1), Number(searchParams.get("per_page") ?? 30)];
      return [200, notes.slice((page - 1) * size, page * size).map(shown)];
    }
    const body = (JSON.parse(written) as { body?: unknown }).body;
    if (typeof body !== "string" || body === "" || body.length > manners.most) return [manners.tooLong, {}];
    if (request.method === "POST" && pathname === manners.list) {
      const note = { id: notes.length + 1000, body, author: self };
      notes.push(note);
      return [201, shown(note)];
    }
    const note = notes.find(({ id }) => pathname === `${manners.one}${id}`);
    if (request.method !== manners.update || !note) return [404, { message: "Not Found" }];
    note.body = body;
    return [200, shown(note)];
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
    token,
    self,
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
