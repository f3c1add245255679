/** Describes the pull or merge request behind a commit on the default branch, with the plan that its pipeline made. */
import type { Comment, Thread } from "./thread";

/** The job that applies the plan. */
export interface Job {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder of the configuration. */
  readonly directory: string;
}

export interface MergedChange {
  /** Such as "pull request 7". */
  readonly name: string;
  /** The last commit of the change, which is the one that was reviewed. */
  readonly head: string;
  /** The comments, one of which holds the review. */
  readonly thread: Thread;
  /** Whether the review job of this project can have written the comment. */
  isReviewer(comment: Comment): Promise<boolean>;
  /** Fetches the plans that the review job made for the head, newest first. The job may have run several times. */
  plans(): Promise<readonly (() => Promise<Buffer>)[]>;
}

/** How many of the newest plans are compared. */
export const mostPlans = 10;

/** A plan of 10,000 members has less than one megabyte. */
export const mostPlan = 64 * 1024 * 1024;

/** The objects in a response. */
export function objectsIn<T extends object>(list: unknown): readonly T[] {
  return Array.isArray(list)
    ? (list as unknown[]).filter((one): one is T => typeof one === "object" && one !== null)
    : [];
}

/** An id becomes part of a path, so it must be a number. */
export function idOf({ id }: { readonly id?: unknown }, what: string): number {
  if (typeof id === "number" && Number.isSafeInteger(id) && id > 0) return id;
  throw new Error(`${what} has no id`);
}

export function newestFirst<T extends { readonly id?: unknown }>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => Number(other.id) - Number(one.id));
}
