/** The physical limit: the least time in which a piece of work can be done at a tenant, however good the client. Pure. */
import { bucketAllowance, globalAllowance, type Allowance, type Tier } from "../../emulator/http/limit";

/*
 * Two things take time that no client can save: the way there and back, and the tenant's quota.
 *
 * - Some requests can only be made when another one is answered: nothing goes without a token, a page of a list that is read
 *   by cursor needs the page before it, and Terraform does ten things at a time. The longest such chain, in rounds, takes
 *   `rounds * latency`.
 * - A bucket that holds `burst` requests and gains `perSecond` lets the n-th request go (n - burst) / perSecond seconds after
 *   the first one, at the earliest. Before the first one comes the token, which no bucket counts, and after the last one its
 *   answer: `latency + (n - burst) / perSecond + latency`. A request may draw on two buckets; the slower one decides.
 *
 * Whichever is longer is the limit. What Terraform itself takes for its start, its graph and its state is not in it, and is
 * measured beside it.
 */

/** The fewest requests that a piece of work can be done with. */
export interface Work {
  /** Requests for a token. */
  tokens: number;
  /** Requests that only the tenant's overall quota counts. */
  plain: number;
  /** Requests that the overall quota and the one for reading members count. */
  memberReads: number;
  /** The same for writing members. */
  memberWrites: number;
  /** Requests of the longest chain in which each waits for the answer of the one before, that for the token included. */
  rounds: number;
}

export const requestsOf = (work: Work) => work.tokens + work.plain + work.memberReads + work.memberWrites;

/** Seconds; `latency` is in seconds too. */
export function limitOf(work: Work, tier: Tier, latency: number): number {
  const chain = work.rounds * latency;
  if (tier === "none") return chain;
  const held = ({ burst, perSecond }: Allowance, requests: number) => Math.max(0, requests - burst) / perSecond;
  const quota = Math.max(
    held(globalAllowance[tier], requestsOf(work) - work.tokens),
    held(bucketAllowance.memberReads, work.memberReads),
    held(bucketAllowance.memberWrites, work.memberWrites),
  );
  return Math.max(chain, 2 * latency + quota);
}

/** Objects on a page of a list. */
const page = 100;
/** Members that the service takes in one request. */
const batch = 10;
/** Changes that Terraform has under way at a time, unless it is told otherwise. */
const parallelism = 10;
/** Requests that the provider has under way at a time, unless it is told otherwise. */
const concurrency = 32;
/** Members that paging by offset reaches; its pages can be read side by side, those by cursor cannot. */
const reach = 1000;

const idle: Work = { tokens: 1, plain: 0, memberReads: 0, memberWrites: 0, rounds: 1 };

/** Reading so many ACLs and policies, of a tenant that has no others: by the pages of their lists, both at a time. */
export function readingOf(acls: number, policies: number): Work {
  const pages = [Math.ceil(acls / page), Math.ceil(policies / page)] as const;
  return { ...idle, plain: pages[0] + pages[1], rounds: 1 + Math.max(...pages) };
}

/** Making so many ACLs and policies: each by a request of its own. */
export function makingOf(objects: number): Work {
  return { ...idle, plain: objects, rounds: 1 + Math.ceil(objects / parallelism) };
}

/** Reading an organization of so many members. Above the reach of offsets a last, empty page tells the end. */
export function readingMembersOf(members: number): Work {
  const pages = Math.max(1, Math.ceil(members / page));
  if (members < reach) return { ...idle, memberReads: pages, rounds: 2 };
  return { ...idle, memberReads: pages + 1, rounds: 1 + pages + 1 };
}

/** Giving so many members to an organization that has none, which one read must show first. */
export function addingMembersOf(members: number): Work {
  const batches = Math.ceil(members / batch);
  return { ...idle, memberReads: 1, memberWrites: batches, rounds: 2 + Math.ceil(batches / concurrency) };
}
