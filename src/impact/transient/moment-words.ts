/** Words the moment of an apply at which an effect occurs: which objects are changed already, and which are not. */
import { decide, matches, type AccessRequest, type Moment, type Ternary, type Transient } from "../../access/access";
import { clipped } from "../clipped";
import { andWords } from "../list-words";
import type { PlannedAcl } from "../network-acl/acl";
import type { AclTransition } from "./acl-transition";
import { isAside, type AclChange, type Status } from "./acl-change";
import type { AclStage } from "./stages";

export type AclMoment = Moment<PlannedAcl, AclStage>;

/** A request and the assumptions about undocumented details under which it is evaluated. */
export interface Asked {
  readonly request: AccessRequest;
  /** Default: every assumption is possible. Facts that the request leaves out are missing, not unknown. */
  readonly assumptions?: Transient<PlannedAcl, AclStage>["assumptions"];
}

const everyAssumption = new Map<string, string>();

export const matchOf =
  ({ request, assumptions = everyAssumption }: Asked) =>
  (acl: PlannedAcl): Ternary =>
    matches(acl.rule, request, assumptions).matches;

export const deniedOf =
  ({ request, assumptions = everyAssumption }: Asked) =>
  (acls: readonly PlannedAcl[]): Ternary =>
    decide(acls, request, assumptions).denied;

/** A change that matters for the moment, and how far it is then. */
export interface Involved {
  readonly change: AclChange;
  readonly status: Status;
}

/** The changes without which the moment would not have the effect. `hasEffect`: whether ACLs have it. */
export function involvedIn(
  { stages }: AclMoment,
  { unchanged }: Pick<AclTransition, "unchanged">,
  hasEffect: (acls: readonly PlannedAcl[]) => boolean,
): Involved[] {
  const all = stages.flatMap(({ statuses }) => [...statuses].map(([change, status]) => ({ change, status })));
  const standing = [...unchanged, ...stages.flatMap(({ acls }) => acls)];
  const matter = all.filter(({ change: { before, after } }) => {
    const others = standing.filter((acl) => acl.key !== before?.key && acl.key !== after?.key);
    return ![before, after].every((acl) => hasEffect(acl ? [...others, acl] : others));
  });
  return matter.length > 0 ? matter : all;
}

const mostNamed = 4;

/** `what`: a sentence. */
export const momentarily = (what: string): string => `For a moment during the apply, ${what}`;

export const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** `This happens while tenant_network_acl.a is destroyed already and tenant_network_acl.b is not created yet.` */
export function momentWords(involved: readonly Involved[]): string {
  const all = involved.toSorted((one, other) => rank(one) - rank(other)).map(statusWords);
  const rest = all.length - mostNamed;
  const named = rest > 1 ? [...all.slice(0, mostNamed), `${rest} more objects are changing`] : all;
  return `This happens while ${andWords(named)}.`;
}

/** Objects that are away come first, then those that have changed. */
const rank = ({ status }: Involved) => (isAside(status) ? 1 : ["gone", "", "new", "both", "old"].indexOf(status));

function statusWords({ change, status }: Involved): string {
  return `${clipped(addressOf(change))} ${words(change, status)}`;
}

export const addressOf = ({ before, after }: AclChange): string => {
  const acl = (after ?? before)!;
  return acl.address ?? acl.id ?? "an ACL";
};

function words({ how }: AclChange, status: Status): string {
  if (how === "create") return status === "gone" ? "is not created yet" : "is created already";
  if (how === "delete") return status === "gone" ? "is destroyed already" : "is not destroyed yet";
  if (isAside(status)) return "waits at a free priority";
  if (how === "update") return status === "new" ? "is changed already" : "is not changed yet";
  if (status === "gone") return "is destroyed and not created again yet";
  if (status === "both") return "is created again and the old object is not destroyed yet";
  return status === "new" ? "is replaced already" : "is not replaced yet";
}
