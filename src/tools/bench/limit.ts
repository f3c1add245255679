/** The physical limit: the least time that any client needs for a piece of work at a tenant. Pure. */
import { bucketAllowance, globalAllowance, type Allowance, type Tier } from "../../emulator/http/limit";

/*
 * The limit is the longer of two times that no client can save. It does not include Terraform's own time.
 *
 * - Round trips: some requests need an earlier response. All need the token, a page by cursor needs the page before it, and Terraform
 *   does ten things at a time. The longest such chain takes `rounds * latency`.
 * - Quota: a bucket with `burst` requests that gains `perSecond` lets the n-th request pass (n - burst) / perSecond seconds after
 *   the first, at the earliest. With the token and the last response: `latency + (n - burst) / perSecond + latency`. If a
 *   request draws on two buckets, the slower one decides.
 */

/** The fewest requests for a piece of work. */
export interface Work {
  tokens: number;
  /** Requests that only the overall quota counts. */
  plain: number;
  /** Requests that also the quota for reading members counts. */
  memberReads: number;
  /** Requests that also the quota for writing members counts. */
  memberWrites: number;
  /** Length of the longest chain in which each request waits for the response before it, with the token. */
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
/** Changes that Terraform has under way at a time, by default. */
const parallelism = 10;
/** Requests that the provider has under way at a time, by default. */
const concurrency = 32;
/** Members that paging by offset reaches. Its pages can be read in parallel, pages by cursor cannot. */
const reach = 1000;

const idle: Work = { tokens: 1, plain: 0, memberReads: 0, memberWrites: 0, rounds: 1 };

/** Reads these numbers of ACLs and policies: the pages of both lists, in parallel. */
export function readingOf(acls: number, policies: number): Work {
  const pages = [Math.ceil(acls / page), Math.ceil(policies / page)] as const;
  return { ...idle, plain: pages[0] + pages[1], rounds: 1 + Math.max(...pages) };
}

/** Creates ACLs and policies, each with a request of its own. */
export function makingOf(objects: number): Work {
  return { ...idle, plain: objects, rounds: 1 + Math.ceil(objects / parallelism) };
}

/** Reads an organization with this number of members. Above the reach of offsets, an empty page ends the list. */
export function readingMembersOf(members: number): Work {
  const pages = Math.max(1, Math.ceil(members / page));
  if (members < reach) return { ...idle, memberReads: pages, rounds: 2 };
  return { ...idle, memberReads: pages + 1, rounds: 1 + pages + 1 };
}

/** Adds members to an organization without members. One read comes first. */
export function addingMembersOf(members: number): Work {
  const batches = Math.ceil(members / batch);
  return { ...idle, memberReads: 1, memberWrites: batches, rounds: 2 + Math.ceil(batches / concurrency) };
}
