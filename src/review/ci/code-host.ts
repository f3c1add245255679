/** The comments of the pull request of a job, on GitHub and GitLab. */
import { readFileSync } from "node:fs";
import { ResponseError, httpApi, type HttpApi } from "../../http-api";

export type Provider = "github" | "gitlab";

export interface Comment {
  readonly id: number | string;
  readonly body: string;
  readonly author?: Author | undefined;
}

interface Author {
  readonly id: number;
  /** On GitHub: "User" or "Bot". */
  readonly type?: string;
}

export interface Thread {
  /** The most characters of a comment. */
  readonly most: number;
  list(page: number): Promise<{ readonly comments: readonly Comment[]; readonly last: boolean }>;
  create(body: string): Promise<unknown>;
  update(id: Comment["id"], body: string): Promise<unknown>;
  /** Whether the user of the token wrote it. Anybody can write a comment that looks like ours. */
  isOwn(comment: Comment): Promise<boolean>;
}

interface Connection {
  readonly api: HttpApi;
  /** Path of the comments of the pull request. */
  readonly comments: string;
  /** Path of one comment, without its id. */
  readonly one: string;
  /** The token of a GitHub job belongs to an app, and has no user. */
  readonly hasUser: boolean;
}

interface CodeHost {
  readonly most: number;
  readonly update: "PATCH" | "PUT";
  /** Throws if the environment names no pull or merge request. */
  connect(environment: NodeJS.ProcessEnv): Connection;
}

const hosts: Readonly<Record<Provider, CodeHost>> = {
  github: {
    most: 65_536,
    update: "PATCH",
    connect(environment) {
      const token = required(environment, "GITHUB_TOKEN");
      const repository = required(environment, "GITHUB_REPOSITORY").split("/").map(encodeURIComponent).join("/");
      const issues = `/repos/${repository}/issues`;
      const api = httpApi({
        base: environment["GITHUB_API_URL"] || "https://api.github.com",
        variable: "GITHUB_API_URL",
        credential: { authorization: `Bearer ${token}` },
        headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
      });
      const comments = `${issues}/${pullRequestOf(environment)}/comments`;
      return { api, comments, one: `${issues}/comments`, hasUser: !token.startsWith("ghs_") };
    },
  },
  gitlab: {
    most: 1_000_000,
    update: "PUT",
    connect(environment) {
      const merge = environment["CI_MERGE_REQUEST_IID"];
      if (!merge) throw new Error("the job has no merge request (CI_MERGE_REQUEST_IID is not set)");
      const project = encodeURIComponent(required(environment, "CI_PROJECT_ID"));
      const comments = `/projects/${project}/merge_requests/${merge}/notes`;
      const api = httpApi({
        base: required(environment, "CI_API_V4_URL"),
        variable: "CI_API_V4_URL",
        credential: { "private-token": required(environment, "GITLAB_TOKEN") },
      });
      return { api, comments, one: comments, hasUser: true };
    },
  },
};

const perPage = 100;

export function threadOf(provider: Provider, environment: NodeJS.ProcessEnv): Thread {
  const { most, update, connect } = hosts[provider];
  const { api, comments, one, hasUser } = connect(environment);
  let user: Promise<unknown> | undefined;
  return {
    most,
    list: async (page) => pageOf(await api.call("GET", `${comments}?per_page=${perPage}&page=${page}`)),
    create: (body) => api.call("POST", comments, { body }),
    update: (id, body) => api.call(update, `${one}/${id}`, { body }),
    async isOwn({ author }) {
      user ??= hasUser ? userOf(api) : Promise.resolve(undefined);
      const own = (await user) as Author | undefined;
      // Apps write as bots, and people never do.
      return own ? author?.id === own.id : author?.type === "Bot";
    },
  };
}

/** undefined: the token has no user, or must not read it. */
const userOf = (api: HttpApi) =>
  api.call("GET", "/user").catch((error: unknown) => {
    if (!(error instanceof ResponseError && [401, 403, 404].includes(error.status))) throw error;
  });

/** GitHub writes `user`, and GitLab writes `author`. Both are null if the user was deleted. */
interface Written {
  readonly id: Comment["id"];
  readonly body?: unknown;
  readonly user?: Author | null;
  readonly author?: Author | null;
}

function pageOf(response: unknown) {
  const written = (Array.isArray(response) ? response : []) as Written[];
  const comments = written.map(({ id, body, user, author = user }) => ({
    id,
    body: typeof body === "string" ? body : "",
    author: author ?? undefined,
  }));
  return { comments, last: written.length < perPage };
}

/** The number in the event that started the job, else in its ref. */
function pullRequestOf(environment: NodeJS.ProcessEnv): number | string {
  const file = environment["GITHUB_EVENT_PATH"];
  const event = (file ? JSON.parse(readFileSync(file, "utf8")) : {}) as {
    readonly number?: number;
    readonly pull_request?: { readonly number?: number };
    readonly issue?: { readonly number?: number };
    readonly workflow_run?: { readonly pull_requests?: readonly { readonly number?: number }[] };
  };
  const [, ofRef] = /^refs\/pull\/(\d+)\//.exec(environment["GITHUB_REF"] ?? "") ?? [];
  const found =
    event.pull_request?.number ??
    event.issue?.number ??
    event.number ??
    event.workflow_run?.pull_requests?.[0]?.number ??
    ofRef;
  if (found === undefined) throw new Error("the job has no pull request");
  return found;
}

function required(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set`);
}
