/** Where comments are put: the pull request of GitHub, or merge request of GitLab, that a job's environment tells of. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export type Provider = "github" | "gitlab";

export interface Comment {
  readonly id: number | string;
  readonly body: string;
  readonly author?: Author | undefined;
}

interface Author {
  readonly id: number;
  /** GitHub's: "User" or "Bot". */
  readonly type?: string;
}

export interface Thread {
  /** Characters that a comment takes. */
  readonly most: number;
  list(page: number): Promise<{ readonly comments: readonly Comment[]; readonly last: boolean }>;
  create(body: string): Promise<unknown>;
  update(id: Comment["id"], body: string): Promise<unknown>;
  /** Whether the token's own user wrote it. Anybody may write one that looks like ours. */
  isOwn(comment: Comment): Promise<boolean>;
}

const perPage = 100;

/** Throws where the environment does not tell of one. */
export function threadOf(provider: Provider, environment: NodeJS.ProcessEnv): Thread {
  return provider === "github" ? githubThread(environment) : gitlabThread(environment);
}

function githubThread(environment: NodeJS.ProcessEnv): Thread {
  const api = environment["GITHUB_API_URL"] || "https://api.github.com";
  const token = wanted(environment, "GITHUB_TOKEN");
  const repository = wanted(environment, "GITHUB_REPOSITORY");
  const number = pullRequestOf(environment);
  const call = caller({
    authorization: `Bearer ${token}`,
    accept: "application/vnd.github+json",
    "x-github-api-version": "2022-11-28",
  });
  const base = `${api}/repos/${repository}/issues`;
  return {
    most: 65_536,
    list: async (page) => pageOf(await call("GET", `${base}/${number}/comments?per_page=${perPage}&page=${page}`)),
    create: (body) => call("POST", `${base}/${number}/comments`, { body }),
    update: (id, body) => call("PATCH", `${base}/comments/${id}`, { body }),
    // A job's own token is an app's, which need not be asked.
    isOwn: ownedBy(async () => (token.startsWith("ghs_") ? undefined : call("GET", `${api}/user`))),
  };
}

/** Of the event that started the job, else of its ref. */
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
  if (found === undefined) throw new Error("the job is about no pull request");
  return found;
}

function gitlabThread(environment: NodeJS.ProcessEnv): Thread {
  const api = wanted(environment, "CI_API_V4_URL");
  const project = wanted(environment, "CI_PROJECT_ID");
  const merge = environment["CI_MERGE_REQUEST_IID"];
  if (!merge) throw new Error("the job is about no merge request (CI_MERGE_REQUEST_IID is not set)");
  const call = caller({ "private-token": wanted(environment, "GITLAB_TOKEN") });
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${merge}/notes`;
  return {
    most: 1_000_000,
    list: async (page) => pageOf(await call("GET", `${notes}?per_page=${perPage}&page=${page}`)),
    create: (body) => call("POST", notes, { body }),
    update: (id, body) => call("PUT", `${notes}/${id}`, { body }),
    isOwn: ownedBy(() => call("GET", `${api}/user`)),
  };
}

function pageOf(answer: unknown) {
  const comments = (Array.isArray(answer) ? answer : []) as Written[];
  return {
    comments: comments.map(({ id, body, user, author = user }) => ({
      id,
      body: typeof body === "string" ? body : "",
      author: author ?? undefined,
    })),
    last: comments.length < perPage,
  };
}

/** `user` is GitHub's word, `author` GitLab's. It is null where the user is gone. */
interface Written {
  readonly id: Comment["id"];
  readonly body?: unknown;
  readonly user?: Author | null;
  readonly author?: Author | null;
}

/** Asks for the user of the token once. One that has none is an app's: apps write as bots, and people never do. */
function ownedBy(askUser: () => Promise<unknown>): Thread["isOwn"] {
  let answer: Promise<unknown> | undefined;
  return async ({ author }) => {
    answer ??= askUser().catch((error: unknown) => {
      if (!(error instanceof AnswerError && [401, 403, 404].includes(error.status))) throw error;
    });
    const user = (await answer) as Author | undefined;
    return user ? author?.id === user.id : author?.type === "Bot";
  };
}

function wanted(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set`);
}

/** The service answered, and did not do it. */
export class AnswerError extends Error {
  constructor(
    what: string,
    readonly status: number,
  ) {
    super(`${what} was answered with ${status}`);
    this.name = "AnswerError";
  }
}

const tries = 3;

function caller(headers: Record<string, string>) {
  return async (method: string, url: string, body?: object): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const { answer, failure } = await asked(method, url, headers, body);
      if (answer?.ok) return answer.json();
      await answer?.body?.cancel();
      const isRefused = answer !== undefined && answer.status < 500 && answer.status !== 429;
      // A comment whose answer was lost may be there: it is not made twice.
      const isDoubtful = method === "POST" && answer?.status !== 429;
      if (attempt === tries || isRefused || isDoubtful) {
        const what = `${method} ${new URL(url).pathname}`;
        throw answer ? new AnswerError(what, answer.status) : new Error(`${what} failed: ${failure}`);
      }
      await sleep(attempt * 300);
    }
  };
}

async function asked(method: string, url: string, headers: Record<string, string>, body: object | undefined) {
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, "user-agent": "tenantform", ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    return { answer };
  } catch (error) {
    const { message, cause } = error as Error;
    return { failure: cause instanceof Error ? cause.message : message };
  }
}
