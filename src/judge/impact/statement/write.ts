/** Judges one write of a network ACL by the ACLs that the tenant has right before and right after it. */
import { equal } from "../../../formats/cty/value";
import {
  entriesOf,
  partsOf,
  precedes,
  signals,
  unknownProperties,
  type Acl,
  type Criteria,
  type Rule,
} from "../../access/access";
import type { AclVersions } from "../network-acl/acl";
import { ofLockout, refusedBy } from "../refusals";
import { isDenial, lockoutsOf, type Lockout, type Terraform } from "./lockout";
import type { BuiltIn } from "./statement";

type Content = Omit<Acl, "key">;

/** Whether the write can block a request that the tenant allows now. undefined: the ACL does not exist. */
export function mayRestrict(before: Content | undefined, after: Content | undefined): boolean {
  const [opened, opens] = [before, after].map(
    (acl) => acl?.active === true && partsOf(acl.rule.action)["allow"] === true,
  );
  const [denied, denies] = [before, after].map(isDenial);
  if (denies && !(denied && !precedes(after!, before!) && isPartOf(after!.rule, before!.rule))) return true;
  return opened! && !(opens && !precedes(before!, after!) && isPartOf(before!.rule, after!.rule));
}

/** Whether every request that matches `narrow` matches `wide`. False if the lists of entries alone do not show it. */
function isPartOf(narrow: Rule, wide: Rule): boolean {
  if (narrow.scope !== wide.scope && wide.scope !== "tenant") return false;
  if (equal(criteriaOf(narrow), criteriaOf(wide))) return true;
  if ([narrow, wide].some((rule) => unknownProperties(rule).length > 0)) return false;
  if (wide.match_all === true || narrow.match_all === true) return wide.match_all === true;
  return isSmaller(narrow.match, wide.match) && isSmaller(wide.not_match, narrow.not_match);
}

const criteriaOf = ({ action: _action, scope: _scope, ...criteria }: Rule) => criteria;

const properties: ReadonlySet<string> = new Set(signals.flatMap((signal) => signal.properties));

/** Whether both sides have the same properties, and each list of the first one is a part of the other's. */
function isSmaller(small: Rule["match"], large: Rule["match"]): boolean {
  const [some, all] = [small, large].map(partsOf) as [Criteria, Criteria];
  if (!equal(Object.keys(some), Object.keys(all), "unordered")) return false;
  return Object.entries(some).every(([property, value]) => {
    if (!properties.has(property)) return equal(value, all[property]);
    const [few, many] = [entriesOf(property, value), entriesOf(property, all[property])];
    return !few.unread && !many.unread && few.texts.every((text) => many.texts.includes(text));
  });
}

/** The lock-outs that the write causes and that refuse it. */
export function writeLockouts(versions: AclVersions, builtIn: readonly BuiltIn[], terraform: Terraform): Lockout[] {
  const refusing = builtIn.filter((stated) => refusedBy({ refuses: true }, { stated, isEnforced: true }));
  const all = refusing.flatMap((one) => lockoutsOf(one, versions, terraform));
  return all.filter((lockout) => ofLockout(lockout).refuses);
}
