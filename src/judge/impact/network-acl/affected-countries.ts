/** Finds the countries whose requests a change of network ACLs affects, with their Internet users. */
import { countries as everyCountry, internetUsersOf, type Outcome } from "../../access/access";
import type { AclAnalysis } from "./analysis";
import { hidesRequests } from "./effects";

export interface AffectedCountry {
  readonly code: string;
  /** The share of its requests, above 0. */
  readonly share: number;
  /** Whether all its requests are affected. */
  readonly isWhole: boolean;
  /** Its Internet users. 0: not known. */
  readonly users: number;
}

export interface AffectedCountries {
  /** The outcome after the change. */
  readonly outcome: Outcome;
  /** The country with the most affected Internet users first. */
  readonly countries: readonly AffectedCountry[];
  /** Whether all countries of the world are affected with the same share. */
  readonly areAlike: boolean;
}

const outcomes = ["blocked", "redirected", "allowed"] as const;

/** Empty if the countries would reveal a sensitive value. */
export function affectedCountries(analysis: AclAnalysis): AffectedCountries[] {
  if (hidesRequests(analysis)) return [];
  return outcomes.flatMap((outcome) => {
    const own = analysis.outcomes.flatMap(({ after, extent }) => (after === outcome && extent ? extent : []));
    if (own.length === 0) return [];
    const wholes = new Set(own.flatMap(({ wholeCountries }) => wholeCountries));
    const shares = new Map<string, number>();
    for (const [code, share] of own.flatMap(({ byCountry }) => [...byCountry])) {
      shares.set(code, Math.max(share, shares.get(code) ?? 0));
    }
    const found = [...shares].map(([code, share]) => ({
      code,
      share,
      isWhole: wholes.has(code),
      users: internetUsersOf(code),
    }));
    const affectedUsers = ({ share, users }: AffectedCountry) => share * users;
    return {
      outcome,
      countries: found.toSorted((one, other) => affectedUsers(other) - affectedUsers(one)),
      areAlike: found.length === everyCountry.length && found.every(({ share }) => share === found[0]!.share),
    };
  });
}
