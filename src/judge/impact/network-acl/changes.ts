/** Judges a change of network ACLs: what happens to requests, and which rules do not do what they say. */
import { likelyCode, countryNames, partsOf, type Acl, type Unreachable } from "../../access/access";
import { mostAcls } from "../../kinds/network-acl";
import { isConfidential, urlIn } from "../../../formats/text/url";
import { effect, type Effect } from "../effect";
import { sharing } from "../model";
import { unchangedAcls, type AclVersions, type PlannedAcl } from "./acl";
import { unreachableAcls, type AclAnalysis } from "./analysis";
import { aclEffects, logEffects } from "./effects";
import type { AclFacts, Log } from "./facts";
import { titleOf } from "./words";
import { isUnknown } from "../../../formats/cty/value";

/** `ownHosts`: the hosts of the tenant. */
export function judgeAcls(
  analysis: AclAnalysis,
  versions: AclVersions,
  ownHosts: ReadonlySet<string>,
  log?: Log,
): Effect[] {
  const unchanged = unchangedAcls(versions);
  const hiddenBefore = unreachableAcls(versions.before).map(({ acl }) => acl.key);
  return [
    ...aclEffects(analysis, log),
    ...logEffects(analysis),
    ...codeEffects(versions.after, unchanged),
    ...reachabilityEffects(analysis.unreachable, hiddenBefore, unchanged),
    ...redirectEffects(analysis, ownHosts),
    ...manyAclsEffects(versions),
    ...undecidedEffects(analysis),
  ];
}

function undecidedEffects({ undecided }: AclAnalysis): Effect[] {
  if (undecided === 0) return [];
  return [effect("TNF-ACL-UNDECIDED", { kind: "acl", about: "overlap", count: undecided })];
}

/** `unchanged`: the ACLs that the plan leaves unchanged. */
function codeEffects(acls: readonly PlannedAcl[], unchanged: ReadonlySet<PlannedAcl>): Effect[] {
  return acls.flatMap((acl) => {
    const about = { ...acl, ...(unchanged.has(acl) && { already: true as const }) };
    return (["match", "not_match"] as const).flatMap((side) =>
      strangeCodes(acl, side).map(([code, likely]) => {
        const country = countryNames().get(likely);
        const facts: AclFacts = {
          kind: "acl",
          about: "code",
          acl: titleOf(acl),
          side,
          code,
          likely,
          ...(country !== undefined && { country }),
        };
        const level = side === "match" ? "medium" : "high";
        return effect("TNF-ACL-NO-SUCH-CODE", facts, { ...about, level });
      }),
    );
  });
}

function strangeCodes({ rule, secret }: PlannedAcl, side: "match" | "not_match"): [code: string, likely: string][] {
  return ["geo_country_codes", "geo_subdivision_codes"].flatMap((property) => {
    const codes = partsOf(rule[side])[property];
    if (!Array.isArray(codes) || secret.has(property)) return [];
    return codes.flatMap((code: unknown): [string, string][] => {
      const likely = typeof code === "string" ? likelyCode(code) : undefined;
      return likely === undefined ? [] : [[code as string, likely]];
    });
  });
}

/** Groups of ACLs that have the same priority. An inactive ACL occupies its priority too. */
export function samePriority<A extends Pick<Acl, "priority">>(acls: readonly A[]): (readonly A[])[] {
  return sharing(acls, ({ priority }) => (isUnknown(priority) ? undefined : priority));
}

/** Judges active ACLs only. */
function redirectEffects({ before, after }: AclVersions, ownHosts: ReadonlySet<string>): Effect[] {
  const priors = new Map(before.map((acl) => [acl.key, acl]));
  const known = new Set(before.flatMap((acl) => targetOf(acl) ?? []).map(hostOf));
  return after.flatMap((acl) => {
    const [was, is] = [priors.get(acl.key), acl].map((one) => one && targetOf(one));
    if (is === undefined || is === was) return [];
    if (was !== undefined) return decryptedEffect(priors.get(acl.key)!, acl);
    if (known.has(hostOf(is)) || acl.secret.has("redirect_uri") || ownHosts.has(hostOf(is))) return [];
    return [effect("TNF-ACL-REDIRECT", { kind: "acl", about: "host", acl: titleOf(acl), host: hostOf(is) }, acl)];
  });
}

/** That requests go to another host is an effect on them. A person may not notice that they are no longer encrypted. */
function decryptedEffect(prior: PlannedAcl, acl: PlannedAcl): Effect[] {
  const [was, is] = [prior, acl].map((one) => targetOf(one)!) as [string, string];
  if (!isEncrypted(was) || isEncrypted(is)) return [];
  return [effect("TNF-ACL-REDIRECT", { kind: "acl", about: "https", acl: titleOf(acl) }, { ...acl, level: "high" })];
}

/** Undefined: no redirect, or the target is not known yet. */
function targetOf({ rule }: PlannedAcl): string | undefined {
  const uri = partsOf(rule.action)["redirect_uri"];
  return typeof uri === "string" ? uri : undefined;
}

const unreadable = "an unreadable host";

const hostOf = (uri: string) => urlIn(uri)?.hostname || unreadable;

function isEncrypted(uri: string): boolean {
  const url = urlIn(uri);
  return url !== undefined && isConfidential(url);
}

/** A rule that no request reached before, and that the plan leaves as it is, is no news, whatever hides it. */
function reachabilityEffects(
  found: readonly Unreachable<PlannedAcl>[],
  hiddenBefore: readonly string[],
  unchanged: ReadonlySet<PlannedAcl>,
): Effect[] {
  const earlier = new Set(hiddenBefore);
  return found.map(({ acl, shadowedBy }) => {
    return effect(
      "TNF-ACL-SHADOWED",
      { kind: "acl", about: "shadow", acl: titleOf(acl), by: shadowedBy.map(titleOf) },
      earlier.has(acl.key) && unchanged.has(acl) ? { ...acl, already: true } : acl,
    );
  });
}

/** Only if the plan adds ACLs: those that a tenant has are included. */
export function manyAclsEffects({ before, after }: AclVersions): Effect[] {
  const { length } = after.filter(({ tenantUnknown }) => !tenantUnknown);
  if (length <= mostAcls || length <= before.length) return [];
  return [effect("TNF-ACL-MANY", { kind: "acl", about: "number", count: length })];
}
