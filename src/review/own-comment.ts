/** Finds our newest comment on a pull request. Comments by other users do not count. */
import { readMarker } from "./markdown";
import type { Comment, Thread } from "./thread";

export interface OwnComment {
  readonly comment: Comment;
  readonly at: Date;
}

const mostPages = 100;

/** Allows a clock that is a little ahead. A comment from further in the future is not ours. */
const ahead = 10 * 60 * 1000;

export async function newestOwn(tag: string, thread: Thread): Promise<OwnComment | undefined> {
  let newest: OwnComment | undefined;
  for (let page = 1; page <= mostPages; page++) {
    const { comments, last } = await thread.list(page);
    for (const comment of comments) {
      const found = readMarker(comment.body);
      if (found?.tag !== tag || found.at.getTime() > Date.now() + ahead) continue;
      if (newest && newest.at >= found.at) continue;
      if (await thread.isOwn(comment)) newest = { comment, at: found.at };
    }
    if (last) break;
  }
  return newest;
}
