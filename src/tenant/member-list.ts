// All members of an organization, by whichever paging takes the fewest requests and misses nobody.
import type { Client } from "./client";
import { TenantError } from "./error";

/*
 * Paging by offset tells the total and can be read side by side, but reaches only the first thousand. Paging by checkpoint
 * reaches everybody, one page after the other, and some versions of the service let even the last page name a next.
 *
 * | members M          | requests                                                                 |
 * |--------------------|--------------------------------------------------------------------------|
 * | below 1000         | max(1, ceil(M / 100))                                                    |
 * | 1000 and more      | ceil(M / 100) + 1, less where the last page names no next; one more where the size was not known before |
 *
 * Exactly 1000 belongs to the second row: a total of 1000 may also be what a longer list is cut to.
 */

const pageSize = 100;
/** Members that paging by offset reaches. */
const reach = 1000;
const trimmed = { fields: "user_id", include_fields: true };

interface Page {
  members: { user_id: string }[];
  total?: number;
  next?: string | null;
}

/** `path`: of the organization's members; `expected`: how many there were when last seen. */
export async function readMembers(client: Client, path: string, expected: number | undefined): Promise<string[]> {
  const fetch = async (query: Record<string, string | number | boolean | undefined>): Promise<Page> => {
    const call = { method: "GET", path, query: { ...query, ...trimmed }, bucket: "members-read" } as const;
    const page = (await client.send(call)).body as Page | undefined;
    if (Array.isArray(page?.members)) return page;
    throw new TenantError("unreadable_answer", "The list of members is not a list.", { method: "GET", path });
  };
  if (expected === undefined || expected < reach) {
    const found = await byOffset(fetch);
    if (found) return found;
  }
  return byCheckpoint(fetch);
}

type Fetch = (query: Record<string, string | number | boolean | undefined>) => Promise<Page>;

/** undefined where there are more than it reaches, or the pages do not fit together because the list changed meanwhile. */
async function byOffset(fetch: Fetch): Promise<string[] | undefined> {
  const at = (page: number) => fetch({ page, per_page: pageSize, include_totals: true });
  const first = await at(0);
  const { total } = first;
  if (total === undefined || total >= reach) return undefined;
  const others = Array.from({ length: Math.max(0, Math.ceil(total / pageSize) - 1) }, (_, index) => at(index + 1));
  const pages = [first, ...(await Promise.all(others))];
  const ids = new Set(pages.flatMap(({ members }) => members.map(({ user_id }) => user_id)));
  return ids.size === total && pages.every((page) => page.total === total) ? [...ids] : undefined;
}

/** To the first empty page, or the first that names no next; a short page proves nothing. */
async function byCheckpoint(fetch: Fetch): Promise<string[]> {
  const ids = new Set<string>();
  let from: string | undefined;
  for (;;) {
    const { members, next } = await fetch({ take: pageSize, from });
    for (const { user_id } of members) ids.add(user_id);
    if (members.length === 0 || !next || next === from) return [...ids];
    from = next;
  }
}
