/** Splits the changes in outcome by the network ACL that is the cause, and by the outcomes before and after. */
import {
  decide,
  requestOf,
  scopeCovers,
  type Api,
  type Change,
  type Shift,
  type Shifts,
  type WholeRequest,
} from "../../access/access";
import type { PlannedAcl } from "./acl";
import type { AclPair } from "./causes";

export type Outcome = Change<PlannedAcl>["after"]["outcome"];

/** The requests whose outcome one network ACL changes in one way, certainly or possibly. */
export interface OutcomePart {
  readonly cause: AclPair;
  /** Whether the ACL decides these requests after the change; otherwise it decided them before. */
  readonly isAfter: boolean;
  readonly before: Outcome;
  readonly after: Outcome;
  readonly changes: readonly Change<PlannedAcl>[];
  readonly shifts: readonly Shift<PlannedAcl>[];
}

interface OpenPart extends OutcomePart {
  readonly changes: Change<PlannedAcl>[];
  readonly shifts: Shift<PlannedAcl>[];
}

/** `shifts`: left out if counting would take too long. */
export function outcomeParts(
  changes: readonly Change<PlannedAcl>[],
  shifts: Shifts<PlannedAcl> | undefined,
  changed: ReadonlyMap<string, AclPair>,
): OutcomePart[] {
  const parts = new Map<string, OpenPart>();
  const keyFor = (acl: PlannedAcl | undefined, before: Outcome, after: Outcome, isSure: boolean) =>
    JSON.stringify([acl?.key, before, after, isSure]);
  const partOf = (acl: PlannedAcl | undefined, isAfter: boolean, before: Outcome, after: Outcome, isSure: boolean) => {
    const key = keyFor(acl, before, after, isSure);
    const alone = acl && (isAfter ? { after: acl } : { before: acl });
    const cause = changed.get(acl?.key ?? "") ?? alone ?? {};
    const part = parts.get(key) ?? { cause, isAfter, before, after, changes: [], shifts: [] };
    parts.set(key, part);
    return part;
  };
  for (const shift of shifts?.all ?? []) {
    const { cause, isAfter, isCertain, before, after } = shift;
    partOf(cause, isAfter, before.outcome, after.outcome, isCertain).shifts.push(shift);
  }
  const counted = new Set(parts.keys());
  for (const change of changes) {
    const { before, after } = change;
    const isAfter = after.acl !== undefined && (changed.has(after.acl.key) || !before.acl);
    const acl = isAfter ? after.acl : before.acl;
    const isSure = change.certainty === "certain";
    // The counted requests say more about certainty than an example.
    const has = (one: boolean) => counted.has(keyFor(acl, before.outcome, after.outcome, one));
    const isCounted = !has(isSure) && has(!isSure);
    partOf(acl, isAfter, before.outcome, after.outcome, isCounted ? !isSure : isSure).changes.push(change);
  }
  return [...parts.values()];
}

export const keyOf = ({ cause }: OutcomePart): string => (cause.after ?? cause.before)?.key ?? "";

/** The ACL that decides the requests of the part. */
export const decider = ({ cause, isAfter }: OutcomePart): PlannedAcl | undefined =>
  (isAfter ? cause.after : cause.before) ?? cause.after ?? cause.before;

const paths: Readonly<Record<Api, string>> = {
  authentication: "/authorize",
  management: "/api/v2/",
  dynamic_client_registration: "/oidc/register",
};

interface Sides {
  readonly before: readonly PlannedAcl[];
  readonly after: readonly PlannedAcl[];
}

/** Requests to one of the APIs that the part affects. */
export function examplesOf(
  { changes, shifts: own }: OutcomePart,
  apis: readonly Api[],
  analysis: Analysed,
): WholeRequest[] {
  const found = changes.flatMap(({ witness }) => (witness && apis.includes(witness.api) ? witness : []));
  if (found.length > 0) return found;
  const shift = own.find(({ api }) => apis.includes(api));
  if (shift && analysis.shifts) {
    const { ip, ...place } = analysis.shifts.example(shift);
    return [{ api: shift.api, path: paths[shift.api], ip, connecting_ip: ip, ...place }];
  }
  return changes.flatMap((change) => {
    const api = apis.find((one) => concerns(change, one, analysis));
    return change.witness && api ? { ...change.witness, api, path: paths[api] } : [];
  });
}

interface Analysed extends Sides {
  readonly shifts?: Shifts<PlannedAcl>;
}

/** A fact that an example leaves out is missing in the request, not unknown. */
const onlyGivenFacts = new Map<string, string>();

/** Whether the example of a change has the same two outcomes at an API. Without an example, that is not known. */
export function concerns({ witness, before, after }: Change<PlannedAcl>, api: Api, sides: Sides): boolean {
  if (!witness || witness.api === api) return true;
  // The change may depend on an assumption. ACLs that have both APIs in their scope evaluate both in the same way.
  const acls = [...sides.before, ...sides.after];
  if (acls.every(({ rule: { scope } }) => scopeCovers(scope, api) === scopeCovers(scope, witness.api))) return true;
  const request = { ...requestOf(paths[api], witness), api };
  const mayEndAt = (own: readonly PlannedAcl[], acl: PlannedAcl | undefined) =>
    decide(own, request, onlyGivenFacts).endings.some(({ by }) => by === acl);
  return mayEndAt(sides.before, before.acl) && mayEndAt(sides.after, after.acl);
}
