/** Effects are what a plan does to people: to their requests, their limits and their memberships. */
import type { Api } from "../../access/access";
import { levels, type Level } from "../finding";
import type { Witness } from "../network-acl/witness";

export type EffectKind =
  "blocks" | "allows" | "redirects" | "logs" | "limit" | "members" | "lockout" | "expectation" | "key" | "none";

export interface Share {
  /** From 0 to 1. */
  readonly value: number;
  /** `sign-in requests worldwide`, `members of org_1`. */
  readonly of: string;
  /** How the share was counted. */
  readonly basis: string;
}

/** Where a configuration declares an object. */
export interface Place {
  /** Relative to the working directory, with forward slashes. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The folder to which the file is relative. Default: the working directory. */
  readonly base?: string;
}

/** An object that the plan changes. */
export interface Cause extends Partial<Place> {
  readonly address: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  /** How the plan changes it: `is switched on`. */
  readonly words: string;
}

export interface Effect {
  readonly kind: EffectKind;
  readonly level: Level;
  /** Empty: the effect is not on requests to an API. */
  readonly apis: readonly Api[];
  /** null: no share makes sense, or it is not known. */
  readonly share: Share | null;
  /** The people or requests, in the constants of the configuration: `everyone outside DE, FR (2 countries)`. */
  readonly who: string;
  /** One sentence for the people affected, without the cause: `Blocks sign-in for about 69 % of the world (…).` */
  readonly text: string;
  /** `text` without entries of rules and names of people: `Blocks sign-in for about 69 % of the world.` Left out: `text` has none. */
  readonly brief?: string;
  /** The largest part first. */
  readonly cause: readonly Cause[];
  readonly certainty: "certain" | "possible" | "undecided";
  readonly assumptions: readonly string[];
  readonly examples: readonly Witness[];
}

/** Sorts the worst effect first. */
export function byGravity(one: Effect, other: Effect): number {
  return levels.indexOf(other.level) - levels.indexOf(one.level) || (other.share?.value ?? 0) - (one.share?.value ?? 0);
}
