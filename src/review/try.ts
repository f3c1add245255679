/** Evaluates one request on the page of a review. The page contains this file as a bundle. */
import { type Acl, decide, type Facts, outcomesOf, problemIn, requestOf } from "../access/access";

export interface Tried {
  readonly outcome: string;
  /** Index of the deciding ACL. -1: no ACL matches. */
  readonly at: number;
  readonly because: string;
}

export function tried(acls: readonly Acl[], { path, ...facts }: Facts & { readonly path: string }): Tried {
  const problem = problemIn({ path, ...facts });
  if (problem !== undefined) return { outcome: "not readable", at: -1, because: problem };
  const verdict = decide(acls, requestOf(path, facts));
  const { by, because } = verdict;
  return { outcome: outcomesOf(verdict), at: by ? acls.indexOf(by) : -1, because };
}
