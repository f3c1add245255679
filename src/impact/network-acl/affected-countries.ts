/** Finds the countries whose requests a change of network ACLs affects, with their Internet users. */
import { countries as everyCountry, internetUsersOf } from "../../access/access";
import type { AclAnalysis, Outcome } from "./analysis";
import { hidesExtents } from "./effects";

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

/** Empty if the requests were not counted, or if the countries would reveal a sensitive value. */
export function affectedCountries(analysis: AclAnalysis): AffectedCountries[] {
  const { parts, shifts } = analysis;
  if (!shifts || hidesExtents(analysis)) return [];
  return outcomes.flatMap((outcome) => {
    const own = parts.filter(({ after }) => after === outcome).flatMap((part) => part.shifts);
    if (own.length === 0) return [];
    const { byCountry, wholeCountries } = shifts.extent(own);
    const wholes = new Set(wholeCountries);
    const found = [...byCountry].map(([code, share]) => ({
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
