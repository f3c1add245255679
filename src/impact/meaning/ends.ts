/** The ends of everything that is in force after a change, and which of them are not known. */
import { createHash } from "node:crypto";
import { instantOf } from "../../text/instant";
import { endsIn } from "../expiry";
import { hidden } from "../phrases";
import { acts, type PlannedObject } from "../model";
import type { PlannedAcl, AclVersions } from "../network-acl/acl";
import { titleOf } from "../network-acl/words";
import { isWhollyMarked, setFrom } from "../organization-member-set/set";
import { isMarked, canonical } from "../value";
import type { Rule } from "../../access/access";

export interface MeantEnd {
  /** `The network ACL with priority 10`, `The membership of auth0|ada in org_1`. */
  readonly what: string;
  /** Equal for equal rules, or for the same membership. Priorities may differ. */
  readonly key: string;
  /** In UTC. */
  readonly end: string;
}

export interface MeantEnds {
  readonly known: readonly MeantEnd[];
  /** In clauses without a verb. */
  readonly unknown: readonly string[];
}

/** Whether a clause about something unknown is one of these. */
export const isOfEnds = (unknown: string) => /^the ends? of /.test(unknown);

const utc = (instant: number) => new Date(instant).toISOString();

/** `named`: gives the keys in a rule their names. */
export function meantEnds(
  versions: AclVersions,
  objects: readonly PlannedObject[],
  named: (rule: Rule) => Rule,
): MeantEnds {
  const acls = aclEnds(versions, named);
  const members = objects.map(memberEnds);
  return {
    known: [...acls.known, ...members.flatMap(({ known }) => known)],
    unknown: [...acls.unknown, ...members.flatMap(({ unknown }) => unknown)],
  };
}

/** Several ACLs with one rule count in the order of their priorities. */
function aclEnds({ before, after }: AclVersions, named: (rule: Rule) => Rule): MeantEnds {
  const were = new Map(before.map((acl) => [acl.key, acl.end]));
  const active = after.filter((acl) => acl.active).toSorted((one, other) => one.priority - other.priority);
  // A change that leaves an end alone needs no known end.
  const isOpen = ({ key, end, isSecretEnd }: PlannedAcl) =>
    typeof end === "symbol" || (isSecretEnd === true && were.get(key) !== end);
  const isShown = ({ isSecretEnd, secret }: PlannedAcl) => !isSecretEnd && secret.size === 0;
  const counts = new Map<string, number>();
  const known = active.flatMap((acl): MeantEnd[] => {
    const rule = canonical(named(acl.rule));
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    const instant = instantOf(acl.end);
    if (instant === undefined || !isShown(acl)) return [];
    const hash = createHash("sha256").update(rule).digest("hex").slice(0, 16);
    return [{ what: `The network ACL with priority ${acl.priority}`, key: `${hash} ${count}`, end: utc(instant) }];
  });
  return { known, unknown: active.filter(isOpen).map((acl) => `the end of ${titleOf(acl)}`) };
}

function memberEnds(object: PlannedObject): MeantEnds {
  const { after, before, afterSensitive: marks, address } = object;
  const times = after?.["expires_at"] ?? undefined;
  if (times === undefined) return { known: [], unknown: [] };
  const side = setFrom(object).after;
  const place = side?.isSecretOrganization ? hidden : (side?.organization ?? address);
  const isHidden =
    side?.isSecret === true || side?.isSecretOrganization === true || isWhollyMarked(marks, "expires_at");
  const entries = typeof times === "object" ? Object.entries(times as object) : [];
  const isOpen =
    entries.some(([member, time]) => typeof time === "symbol" || isMarked(marks, "expires_at", member)) ||
    typeof times === "symbol" ||
    (isHidden && entries.length > 0);
  const hasSymbol = typeof times === "symbol" || entries.some(([, time]) => typeof time === "symbol");
  const isSame = !hasSymbol && (!acts(object) || JSON.stringify(before?.["expires_at"]) === JSON.stringify(times));
  const inForce = endsIn([object], 0).filter(({ status }) => status !== "over");
  return {
    known: isHidden
      ? []
      : inForce
          .filter(({ end }) => end !== hidden)
          .map(({ member, instant }) => {
            const what = `The membership of ${member} in ${place}`;
            return { what, key: what, end: utc(instant) };
          }),
    unknown: isOpen && !isSame ? [`the ends of the members of ${place}`] : [],
  };
}
