/** Reads and writes the comments of the pull or merge request that the job's environment names. */
import { readFileSync } from "node:fs";
import { httpApi, ResponseError, type HttpApi } from "../http-api";

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

const perPage = 100;

/** Throws if the environment names no pull or merge request. */
export function threadOf(provider: Provider, environment: NodeJS.ProcessEnv): Thread {
  if (provider === "github") return githubThread(environment, pullRequestOf(environment));
  const merge = environment["CI_MERGE_REQUEST_IID"];
  if (!merge) throw new Error("the job has no merge request (CI_MERGE_REQUEST_IID is not set)");
  return gitlabThread(environment, merge);
}

function githubThread(environment: NodeJS.ProcessEnv, number: number | string): Thread {
  const { api, token, project } = github(environment);
  const comments = `${project}/issues/${number}/comments`;
  return {
    most: 65_536,
    list: async (page) => pageOf(await api.call("GET", `${comments}?per_page=${perPage}&page=${page}`)),
    create: (body) => api.call("POST", comments, { body }),
    update: (id, body) => api.call("PATCH", `${project}/issues/comments/${id}`, { body }),
    // The token of a job belongs to an app, whose user is known.
    isOwn: ownedBy(async () => (token.startsWith("ghs_") ? undefined : api.call("GET", "/user"))),
  };
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

function gitlabThread(environment: NodeJS.ProcessEnv, iid: number | string): Thread {
  const { api, project } = gitlab(environment);
  const notes = `${project}/merge_requests/${iid}/notes`;
  return {
    most: 1_000_000,
    list: async (page) => pageOf(await api.call("GET", `${notes}?per_page=${perPage}&page=${page}`)),
    create: (body) => api.call("POST", notes, { body }),
    update: (id, body) => api.call("PUT", `${notes}/${id}`, { body }),
    isOwn: ownedBy(() => api.call("GET", "/user")),
  };
}

function pageOf(response: unknown) {
  const comments = (Array.isArray(response) ? response : []) as Written[];
  return {
    comments: comments.map(({ id, body, user, author = user }) => ({
      id,
      body: typeof body === "string" ? body : "",
      author: author ?? undefined,
    })),
    last: comments.length < perPage,
  };
}

/** GitHub writes `user`, and GitLab writes `author`. Both are null if the user was deleted. */
interface Written {
  readonly id: Comment["id"];
  readonly body?: unknown;
  readonly user?: Author | null;
  readonly author?: Author | null;
}

/** Reads the user of the token once. An app's token has no user: apps write as bots, and people never do. */
function ownedBy(askUser: () => Promise<unknown>): Thread["isOwn"] {
  let own: Promise<unknown> | undefined;
  return async ({ author }) => {
    own ??= askUser().catch((error: unknown) => {
      if (!(error instanceof ResponseError && [401, 403, 404].includes(error.status))) throw error;
    });
    const user = (await own) as Author | undefined;
    return user ? author?.id === user.id : author?.type === "Bot";
  };
}

/** The API, the token and the project of the job. */
interface CodeHost {
  readonly api: HttpApi;
  readonly token: string;
  /** Path of the repository or project in the API. */
  readonly project: string;
}

function github(environment: NodeJS.ProcessEnv): CodeHost {
  const token = required(environment, "GITHUB_TOKEN");
  const api = httpApi({
    base: environment["GITHUB_API_URL"] || "https://api.github.com",
    variable: "GITHUB_API_URL",
    credential: { authorization: `Bearer ${token}` },
    headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  });
  const repository = required(environment, "GITHUB_REPOSITORY").split("/").map(encodeURIComponent).join("/");
  return { api, token, project: `/repos/${repository}` };
}

function gitlab(environment: NodeJS.ProcessEnv): CodeHost {
  const base = required(environment, "CI_API_V4_URL");
  const project = `/projects/${encodeURIComponent(required(environment, "CI_PROJECT_ID"))}`;
  const token = required(environment, "GITLAB_TOKEN");
  const api = httpApi({ base, variable: "CI_API_V4_URL", credential: { "private-token": token } });
  return { api, token, project };
}

function required(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set`);
}
