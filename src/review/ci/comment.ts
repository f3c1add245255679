/** Writes a review to its pull request (`tenantform comment`), and never fails a job. */
import { appendFileSync } from "node:fs";
import { ResponseError } from "../../http-api";
import { excerpt } from "../../text/excerpt";
import { withoutPasswords } from "../../text/masked";
import { withCommandPage } from "../../text/page";
import { print } from "../../text/printable";
import { version } from "../../version";
import { readText, type Edge } from "../input/input";
import { failedMarkdown, readMarker } from "../render/markdown";
import { threadOf, type Comment, type Provider, type Thread } from "./code-host";

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
    print(process.stderr, `${await place(body, threadOf(provider, edge.environment))}\n`);
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
async function place(text: string, thread: Thread): Promise<string> {
  if (text.length > thread.most)
    throw new Error(`the review has ${text.length} characters, and a comment takes at most ${thread.most}`);
  const own = readMarker(text);
  const earlier = own && (await newestOwn(own.tag, thread));
  if (!own || !earlier) return create(text, thread);
  if (earlier.at > own.at) return "A newer review is there already.";
  if (withoutTime(earlier.comment.body) === withoutTime(text)) return "The review is the same as before.";
  try {
    await thread.update(earlier.comment.id, text);
  } catch (error) {
    // Somebody deleted the comment, or it belongs to another app.
    if (!(error instanceof ResponseError && [403, 404].includes(error.status))) throw error;
    return create(text, thread);
  }
  return "The comment shows the new review.";
}

async function create(text: string, thread: Thread): Promise<string> {
  try {
    await thread.create(text);
  } catch (error) {
    // The response may be lost although the comment exists.
    const own = readMarker(text);
    const made = own && (await newestOwn(own.tag, thread));
    if (made?.at.getTime() !== own?.at.getTime() || !made) throw error;
  }
  return "The review is a new comment.";
}

interface OwnComment {
  readonly comment: Comment;
  readonly at: Date;
}

const mostPages = 100;

/** Allows a clock that is a little ahead. A comment from further in the future is not ours. */
const ahead = 10 * 60 * 1000;

/** Our newest comment with the tag. Comments by other users do not count. */
async function newestOwn(tag: string, thread: Thread): Promise<OwnComment | undefined> {
  let newest: OwnComment | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const { comments, last } = await thread.list(page);
    for (const one of comments) {
      const found = readMarker(one.body);
      if (found?.tag !== tag || found.at.getTime() > Date.now() + ahead) continue;
      if (newest && newest.at >= found.at) continue;
      if (await thread.isOwn(one)) newest = { comment: one, at: found.at };
    }
    if (last) break;
  }
  return newest;
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
