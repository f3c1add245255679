/**
 * An effect is what a change does: to people (their requests, limits, memberships), to an object, or to what the review can prove.
 * Everything that a review, a plan or a comparison says is an effect. The judges of this folder make and word them; a channel filters,
 * sorts and lays them out. An effect on people has `who`.
 */
import { levelOf, type FindingCode } from "../codes/codes";
import { levels, type Level } from "../codes/row";
import type { Api } from "../access/access";
import type { Witness } from "./network-acl/witness";

export type Code = FindingCode;

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
  readonly code: Code;
  readonly level: Level;
  /** The object to look at. Left out: the effect is not about one object. */
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  /** The people or requests, in the constants of the configuration: `everyone outside DE, FR (2 countries)`. Left out: no people. */
  readonly who?: string;
  /** One or more sentences. For an effect on people, one without the cause: `Blocks sign-in for about 69 % of the world (…).` */
  readonly text: string;
  /** `text` without entries of rules and names of people: `Blocks sign-in for about 69 % of the world.` Left out: `text` has none. */
  readonly brief?: string;
  /** Empty: the effect is not on requests to an API. */
  readonly apis: readonly Api[];
  /** null: no share makes sense, or it is not known. */
  readonly share: Share | null;
  /** The largest part first. */
  readonly cause: readonly Cause[];
  readonly certainty: "certain" | "possible" | "undecided";
  readonly assumptions: readonly string[];
  readonly examples: readonly Witness[];
  /** Why it is not counted, as the person said. */
  readonly ignored?: string;
  /** It was so before the plan, which does not touch it. It is not counted. */
  readonly already?: true;
  /** Whether the provider refuses the plan or the write because of it: `refusesOf` of `refusals`. */
  readonly refuses?: boolean;
}

const gapCodes: ReadonlySet<Code> = new Set([
  "TNF-INCOMPLETE",
  "TNF-PLAN-OUTDATED",
  "TNF-STACK-UNPLANNED",
  "TNF-TENANT-UNKNOWN",
]);

/** What nobody could decide is not certain. */
const undecided: ReadonlySet<Code> = new Set([
  ...gapCodes,
  "TNF-ACL-UNDECIDED",
  "TNF-EXPECTATION-UNDECIDED",
  "TNF-GUARD-UNKNOWN",
]);

/** What an effect says beside its code and text. A planned object can stand for its address and plan; `level` replaces the level of the code. */
type About = Partial<Omit<Effect, "code" | "text" | "ignored">>;

export function effect(code: Code, text: string, about: About = {}): Effect {
  const { level = levelOf(code), address = about.cause?.[0]?.address, plan = about.cause?.[0]?.plan } = about;
  const { who, brief, apis = [], share = null, cause = [], assumptions = [] } = about;
  const { certainty = undecided.has(code) ? "undecided" : "certain", examples = [], already, refuses } = about;
  return {
    code,
    level,
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(who !== undefined && { who }),
    text,
    ...(brief !== undefined && { brief }),
    apis,
    share,
    cause,
    certainty,
    assumptions,
    examples,
    ...(already && { already }),
    ...(refuses !== undefined && { refuses }),
  };
}

/** Whether the effect counts: the plan causes it, and nobody accepted it. */
export const counts = ({ ignored, already }: Effect): boolean => ignored === undefined && !already;

/** Whether the effect is about something that the review could not read. */
export const isGap = ({ code }: Effect): boolean => gapCodes.has(code);

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}

/** Sorts the worst effect first. */
export function byGravity(one: Effect, other: Effect): number {
  return levels.indexOf(other.level) - levels.indexOf(one.level) || (other.share?.value ?? 0) - (one.share?.value ?? 0);
}

/** The worst first, and those that a person ignores last. */
export function inOrder(effects: readonly Effect[]): Effect[] {
  const isIgnored = ({ ignored }: Effect) => Number(ignored !== undefined);
  return effects.toSorted((one, other) => isIgnored(one) - isIgnored(other) || byGravity(one, other));
}

export { levels, type Level };
