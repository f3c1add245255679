/** One rate limit: how many requests per second pass, and what happens to the others. */
import { urlIn } from "../../text/url";
import { hidden } from "../phrases";

export interface Limit {
  readonly action: string;
  /** Requests per second; null: no number. */
  readonly limit: number | null;
  readonly redirect_uri?: string;
  /** The selector of the policy that sets the limit. */
  readonly by: string;
}

/** Shown for a value that is not known yet. */
export const pending = "(known after apply)";

/** How many requests per second pass. A request that is only logged passes. Undefined: not known. */
export function rateOf(limit: Limit | null): number | undefined {
  if (!limit || limit.action === "log" || limit.action === "allow") return Infinity;
  const isKnown = limit.action === "block" || limit.action === "redirect";
  return isKnown ? (limit.limit ?? undefined) : undefined;
}

/** Whether the limit is known only after the apply. A sensitive one is known. */
export function isOpen(limit: Limit | null): boolean {
  return limit !== null && limit.action !== hidden && (rateOf(limit) === undefined || limit.redirect_uri === pending);
}

/** `block above 25/s (default)`, `redirect every request to https://slow.example.com/` */
export function limitWords(limit: Limit | null): string {
  if (!limit) return "no limit";
  const { action, limit: number, by, redirect_uri } = limit;
  const to = action === "redirect" && redirect_uri ? ` to ${redirect_uri}` : "";
  const isKnown = ["block", "log", "redirect"].includes(action);
  const many = number === 0 ? " every request" : "";
  const above = number === 0 ? "" : ` above ${number === null ? pending : `${number}/s`}`;
  const words = isKnown ? action + many + to + above : action;
  return by === "default" ? `${words} (default)` : words;
}

/** The host of a redirect; undefined: none, or not known. */
export function hostOf({ redirect_uri: uri }: Limit): string | undefined {
  return uri === undefined ? undefined : urlIn(uri)?.host || undefined;
}
