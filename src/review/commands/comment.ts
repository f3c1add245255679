/** Writes a review to its pull request (`tenantform comment`), and never fails a job. */
import { appendFileSync, readFileSync } from "node:fs";
import { httpApi, type HttpApi, ResponseError } from "./http-api";
import { excerpt, print } from "../../formats/text/printable";
import { withoutPasswords } from "../../formats/text/masked";
import { withCommandPage } from "../../formats/text/url";
import { version } from "../../version";
import { type Edge, readText } from "../input/input";
import { failedMarkdown, readMarker } from "../report/markdown";

export interface CommentFlags {
  readonly provider: Provider;
  /** The tag that the review must have. If the file is no such review, the comment says that there is none. */
  readonly tag?: string;
}

/** Always 0. */
export async function comment(file: string | undefined, { provider, tag }: CommentFlags, edge: Edge): Promise<number> {
  let body = "";
  try {
    body = tag === undefined ? await reviewIn(file, edge) : await reviewOrFailure(file, tag, edge);
    // A carriage return is no end of a line here, but hosts remove it: "/\rmerge" would become "/merge".
    body = body.replaceAll("\r", "");
    // GitLab runs a line such as /merge with the rights of the token.
    if (provider === "gitlab") body = body.replace(/^([^\S\n]*)(?=\/)/gm, "$1\\");
    print(process.stderr, `${await place(body, hosts[provider](edge.environment))}\n`);
  } catch (error) {
    const why = excerpt(withoutPasswords((error as Error).message)).replace(/\.$/, "");
    print(process.stderr, withCommandPage(`No comment was made: ${why}.`, "comment", version));
    fallBack(body, edge.environment);
  }
  return 0;
}

async function reviewIn(file: string | undefined, edge: Edge): Promise<string> {
  const text = await readText(file, edge);
  if (text.trim() === "") throw new Error("the review is empty");
  if (!readMarker(text)) throw new Error(noReview(file));
  return text;
}

/** The file may come from a job that ran code of the pull request, or that failed. */
async function reviewOrFailure(file: string | undefined, tag: string, edge: Edge): Promise<string> {
  const text = await readText(file, edge).catch(() => "");
  if (readMarker(text)?.tag === tag) return text;
  return failedMarkdown(
    "The job that plans has written no review with this tag. Its log says why. Correct that, and run the pipeline again.",
    { tag, at: new Date() },
  );
}

const noReview = (file = "the text") =>
  `${file} is not a review: write one with \`tenantform review PLAN --format markdown --output review.md\``;

/** Returns a sentence about the result. */
async function place(text: string, host: Host): Promise<string> {
  if (text.length > host.most)
    throw new Error(`the review has ${text.length} characters, and a comment takes at most ${host.most}`);
  const own = readMarker(text);
  const earlier = own && (await newestOwn(own.tag, host));
  if (!own || !earlier) return create(text, host);
  if (earlier.at > own.at) return "A newer review is there already.";
  if (withoutTime(textOf(earlier.comment)) === withoutTime(text)) return "The review is the same as before.";
  try {
    await host.call(host.update, `${host.one}/${earlier.comment.id}`, { body: text });
  } catch (error) {
    // Somebody deleted the comment, or it belongs to another app.
    if (!(error instanceof ResponseError && [403, 404].includes(error.status))) throw error;
    return create(text, host);
  }
  return "The comment shows the new review.";
}

async function create(text: string, host: Host): Promise<string> {
  try {
    await host.call("POST", host.comments, { body: text });
  } catch (error) {
    // The response may be lost although the comment exists.
    const own = readMarker(text);
    const made = own && (await newestOwn(own.tag, host));
    if (made?.at.getTime() !== own?.at.getTime() || !made) throw error;
  }
  return "The review is a new comment.";
}

interface OwnComment {
  readonly comment: Comment;
  readonly at: Date;
}

const mostPages = 100;
const perPage = 100;

/** Allows a clock that is a little ahead. A comment from further in the future is not ours. */
const ahead = 10 * 60 * 1000;

/** Our newest comment with the tag. Comments by other users do not count. */
async function newestOwn(tag: string, host: Host): Promise<OwnComment | undefined> {
  let newest: OwnComment | undefined;
  let user: ReturnType<typeof userOf> | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const listed = await host.call("GET", `${host.comments}?per_page=${perPage}&page=${page}`);
    const comments = (Array.isArray(listed) ? listed : []) as Comment[];
    for (const one of comments) {
      const found = readMarker(textOf(one));
      if (found?.tag !== tag || found.at.getTime() > Date.now() + ahead) continue;
      if (newest && newest.at >= found.at) continue;
      if (isBy(await (user ??= userOf(host)), one)) newest = { comment: one, at: found.at };
    }
    if (comments.length < perPage) break;
  }
  return newest;
}

/** Whether the user of the token wrote it. Anybody can write a comment that looks like ours. Apps write as bots, and people never do. */
function isBy(user: Author | undefined, { user: owner, author = owner }: Comment): boolean {
  return user ? author?.id === user.id : author?.type === "Bot";
}

function withoutTime(body: string): string {
  return body
    .replace(/ at=\S+ -->/, "")
    .replaceAll("\r\n", "\n")
    .trim();
}

/** Writes the job summary if the token must not write comments, as on pull requests from forks. */
function fallBack(body: string, environment: NodeJS.ProcessEnv): void {
  const summary = environment["GITHUB_STEP_SUMMARY"];
  if (body.trim() === "" || !summary) return;
  try {
    appendFileSync(summary, body);
    print(process.stderr, "The review is in the job summary.\n");
  } catch (error) {
    print(process.stderr, `The job summary cannot be written either: ${(error as Error).message}\n`);
  }
}

// The comments of the pull request of a job, on GitHub and GitLab.

type Provider = "github" | "gitlab";

/** GitHub writes `user`, and GitLab writes `author`. Both are null if the user was deleted. */
interface Comment {
  readonly id: number | string;
  readonly body?: unknown;
  readonly user?: Author | null;
  readonly author?: Author | null;
}

interface Author {
  readonly id: number;
  /** On GitHub: "User" or "Bot". */
  readonly type?: string;
}

const textOf = ({ body }: Comment) => (typeof body === "string" ? body : "");

/** The pull request of the job on a code host. */
interface Host {
  readonly call: HttpApi;
  /** The most characters of a comment. */
  readonly most: number;
  /** Path of the comments of the pull request. */
  readonly comments: string;
  /** Path of one comment, without its id. */
  readonly one: string;
  /** The method that replaces a comment. */
  readonly update: "PATCH" | "PUT";
  /** The token of a GitHub job belongs to an app, and has no user. */
  readonly hasUser: boolean;
}

/** Each throws if the environment names no pull or merge request. */
const hosts: Readonly<Record<Provider, (environment: NodeJS.ProcessEnv) => Host>> = {
  github(environment) {
    const token = required(environment, "GITHUB_TOKEN");
    const repository = required(environment, "GITHUB_REPOSITORY").split("/").map(encodeURIComponent).join("/");
    const issues = `/repos/${repository}/issues`;
    const call = httpApi({
      base: environment["GITHUB_API_URL"] || "https://api.github.com",
      variable: "GITHUB_API_URL",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/vnd.github+json",
        "x-github-api-version": "2022-11-28",
      },
    });
    const comments = `${issues}/${pullRequestOf(environment)}/comments`;
    const hasUser = !token.startsWith("ghs_");
    return { call, most: 65_536, comments, one: `${issues}/comments`, update: "PATCH", hasUser };
  },
  gitlab(environment) {
    const merge = environment["CI_MERGE_REQUEST_IID"];
    if (!merge) throw new Error("the job has no merge request (CI_MERGE_REQUEST_IID is not set)");
    const project = encodeURIComponent(required(environment, "CI_PROJECT_ID"));
    const comments = `/projects/${project}/merge_requests/${merge}/notes`;
    const call = httpApi({
      base: required(environment, "CI_API_V4_URL"),
      variable: "CI_API_V4_URL",
      headers: { "private-token": required(environment, "GITLAB_TOKEN") },
    });
    return { call, most: 1_000_000, comments, one: comments, update: "PUT", hasUser: true };
  },
};

/** undefined: the token has no user, or must not read it. */
async function userOf({ call, hasUser }: Host): Promise<Author | undefined> {
  if (!hasUser) return undefined;
  try {
    return (await call("GET", "/user")) as Author;
  } catch (error) {
    if (!(error instanceof ResponseError && [401, 403, 404].includes(error.status))) throw error;
    return undefined;
  }
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
