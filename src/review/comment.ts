/** `tenantform comment`: a review on the pull request it is about. It never fails a job. */
import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Edge } from "./input";
import { readDocument } from "./input";
import { readMarker } from "./markdown";

export interface Comment {
  readonly id: number | string;
  readonly body: string;
}

/** Where comments are: a pull request of GitHub, a merge request of GitLab. */
export interface Thread {
  list(page: number): Promise<Comment[]>;
  create(body: string): Promise<unknown>;
  update(id: Comment["id"], body: string): Promise<unknown>;
}

export interface CommentFlags {
  readonly provider: "github" | "gitlab";
}

const perPage = 100;
const mostPages = 30;

export async function comment(file: string | undefined, { provider }: CommentFlags, edge: Edge): Promise<number> {
  let body = "";
  try {
    body = await readDocument(file, edge);
    const thread = provider === "github" ? githubThread(edge.environment) : gitlabThread(edge.environment);
    process.stderr.write(`${await place(body, thread)}\n`);
  } catch (error) {
    process.stderr.write(`No comment was made: ${(error as Error).message}\n`);
    fallBack(body, edge.environment);
  }
  return 0;
}

/** What was done, in words. */
export async function place(body: string, thread: Thread): Promise<string> {
  const own = readMarker(body);
  const earlier = own && (await earlierOf(own.tag, thread));
  if (!own || !earlier) {
    await thread.create(body);
    return "The review is a new comment.";
  }
  if (earlier.at > own.at) return "A newer review is there already.";
  if (withoutTime(earlier.comment.body) === withoutTime(body)) return "The review is the same as before.";
  await thread.update(earlier.comment.id, body);
  return "The comment shows the new review.";
}

/** A clock may be a little ahead. What claims to be from further in the future is no review of ours. */
const ahead = 10 * 60 * 1000;

async function earlierOf(tag: string, thread: Thread) {
  for (let page = 1; page <= mostPages; page++) {
    const comments = await thread.list(page);
    for (const one of comments) {
      const found = readMarker(one.body);
      if (found?.tag === tag && found.at.getTime() < Date.now() + ahead) return { comment: one, at: found.at };
    }
    if (comments.length < perPage) return undefined;
  }
  return undefined;
}

function withoutTime(body: string): string {
  return body
    .replace(/ at=\S+ -->/, "")
    .replaceAll("\r\n", "\n")
    .trim();
}

/** The job summary, where the token may not write, as on pull requests from forks. */
function fallBack(body: string, environment: NodeJS.ProcessEnv): void {
  const summary = environment["GITHUB_STEP_SUMMARY"];
  if (body === "" || !summary) return;
  try {
    appendFileSync(summary, body);
    process.stderr.write("The review is in the job summary.\n");
  } catch (error) {
    process.stderr.write(`Nor can the job summary be written: ${(error as Error).message}\n`);
  }
}

function githubThread(environment: NodeJS.ProcessEnv): Thread {
  const api = environment["GITHUB_API_URL"] ?? "https://api.github.com";
  const token = wanted(environment, "GITHUB_TOKEN");
  const repository = wanted(environment, "GITHUB_REPOSITORY");
  const event = JSON.parse(readFileSync(wanted(environment, "GITHUB_EVENT_PATH"), "utf8")) as {
    readonly number?: number;
    readonly pull_request?: { readonly number?: number };
    readonly issue?: { readonly number?: number };
  };
  const number = event.pull_request?.number ?? event.issue?.number ?? event.number;
  if (number === undefined) throw new Error("the event is about no pull request");
  const call = caller({ authorization: `Bearer ${token}`, accept: "application/vnd.github+json" });
  const base = `${api}/repos/${repository}/issues`;
  return {
    list: async (page) =>
      (await call("GET", `${base}/${number}/comments?per_page=${perPage}&page=${page}`)) as Comment[],
    create: (body) => call("POST", `${base}/${number}/comments`, { body }),
    update: (id, body) => call("PATCH", `${base}/comments/${id}`, { body }),
  };
}

function gitlabThread(environment: NodeJS.ProcessEnv): Thread {
  const api = wanted(environment, "CI_API_V4_URL");
  const project = wanted(environment, "CI_PROJECT_ID");
  const merge = wanted(environment, "CI_MERGE_REQUEST_IID");
  const call = caller({ "private-token": wanted(environment, "GITLAB_TOKEN") });
  const notes = `${api}/projects/${encodeURIComponent(project)}/merge_requests/${merge}/notes`;
  return {
    list: async (page) => (await call("GET", `${notes}?per_page=${perPage}&page=${page}`)) as Comment[],
    create: (body) => call("POST", notes, { body }),
    update: (id, body) => call("PUT", `${notes}/${id}`, { body }),
  };
}

function wanted(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set`);
}

const tries = 3;

function caller(headers: Record<string, string>) {
  return async (method: string, url: string, body?: object): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(url, {
        method,
        headers: { ...headers, "user-agent": "tenantform", ...(body && { "content-type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(15_000),
      });
      if (answer.ok) return answer.json();
      await answer.body?.cancel();
      if (attempt === tries || (answer.status < 500 && answer.status !== 429)) {
        throw new Error(`${method} ${new URL(url).pathname} was answered with ${answer.status}`);
      }
      await sleep(attempt * 300);
    }
  };
}
