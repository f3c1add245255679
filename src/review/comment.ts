/** `tenantform comment`: a review on the pull request it is about. It never fails a job. */
import { appendFileSync } from "node:fs";
import { AnswerError } from "../http-api";
import type { Provider } from "./code-host";
import { fitted } from "./fitted";
import { readDocument, type Edge } from "./input";
import { readMarker } from "./markdown";
import { threadOf, type Comment, type Thread } from "./thread";

export interface CommentFlags {
  readonly provider: Provider;
}

const mostPages = 100;

/** Always 0. */
export async function comment(file: string | undefined, { provider }: CommentFlags, edge: Edge): Promise<number> {
  let body = "";
  try {
    body = await readDocument(file, edge);
    if (body.trim() === "") throw new Error("there is nothing to say: the review is empty");
    process.stderr.write(`${await place(body, threadOf(provider, edge.environment))}\n`);
  } catch (error) {
    process.stderr.write(`No comment was made: ${(error as Error).message.replace(/\.$/, "")}.\n`);
    fallBack(body, edge.environment);
  }
  return 0;
}

/** What was done, in words. */
export async function place(body: string, thread: Thread): Promise<string> {
  const text = fitted(body, thread.most);
  const own = readMarker(body);
  const earlier = own && (await earlierOf(own.tag, thread));
  if (!own || !earlier) return create(text, thread);
  if (earlier.at > own.at) return "A newer review is there already.";
  if (withoutTime(earlier.comment.body) === withoutTime(text)) return "The review is the same as before.";
  try {
    await thread.update(earlier.comment.id, text);
  } catch (error) {
    // It is gone by now, or another app's.
    if (!(error instanceof AnswerError && [403, 404].includes(error.status))) throw error;
    return create(text, thread);
  }
  return "The comment shows the new review.";
}

async function create(text: string, thread: Thread): Promise<string> {
  try {
    await thread.create(text);
  } catch (error) {
    // The answer may have been lost on its way, and the comment be there.
    const own = readMarker(text);
    const made = own && (await earlierOf(own.tag, thread));
    if (made?.at.getTime() !== own?.at.getTime() || !made) throw error;
  }
  return "The review is a new comment.";
}

/** A clock may be a little ahead. What claims to be from further in the future is no review of ours. */
const ahead = 10 * 60 * 1000;

/** The newest of our own with the tag: of another's, who put our marker into it, nothing is believed. */
async function earlierOf(tag: string, thread: Thread): Promise<{ comment: Comment; at: Date } | undefined> {
  let newest: { comment: Comment; at: Date } | undefined;
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

/** The job summary, where the token may not write, as on pull requests from forks. */
function fallBack(body: string, environment: NodeJS.ProcessEnv): void {
  const summary = environment["GITHUB_STEP_SUMMARY"];
  if (body.trim() === "" || !summary) return;
  try {
    appendFileSync(summary, fitted(body, mostOfSummary));
    process.stderr.write("The review is in the job summary.\n");
  } catch (error) {
    process.stderr.write(`Nor can the job summary be written: ${(error as Error).message}\n`);
  }
}

/** A summary takes 1,024 KiB, of at most four bytes a character. */
const mostOfSummary = 250_000;
