/** Pages of a list, by offset or by checkpoint. */
import type { Schema } from "../schema/schema";
import { boolean, exactly, listOf, number, text } from "../schema/shape";

/** Assumption: a page has 50 objects if the request names no size. */
const defaultSize = 50;

export interface OffsetQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly include_totals?: boolean;
}
export interface PagingQuery extends OffsetQuery {
  readonly from?: string;
  readonly take?: number;
}

const size: Schema = { type: "integer", minimum: 1, maximum: 100, default: defaultSize };
export const takeQuery = { take: size, from: text };
export const pagingQuery = {
  page: { type: "integer", minimum: 0, maximum: 1000 } as Schema,
  per_page: size,
  include_totals: boolean,
  ...takeQuery,
};

export const offsetShape = (name: string, items: Schema): Schema =>
  exactly({ start: number, limit: number, total: number, [name]: listOf(items) });
export const checkpointShape = (name: string, items: Schema): Schema =>
  exactly({ [name]: listOf(items), next: text }, ["next"]);

/** Checkpoints win over offsets and totals, because clients send the defaults of those as well. */
export const isCheckpoint = ({ take, from }: PagingQuery) => take !== undefined || from !== undefined;

export const sizeOf = ({ take = defaultSize }: PagingQuery) => take;

/** A page by offset: a bare list, or with totals under the name of the list. */
export function offsetPage<T>(
  name: string,
  all: readonly T[],
  { page = 0, per_page: limit = defaultSize, include_totals }: OffsetQuery,
  show: (entries: readonly T[]) => unknown[],
) {
  const start = page * limit;
  const entries = show(all.slice(start, start + limit));
  return include_totals ? { start, limit, total: all.length, [name]: entries } : entries;
}
