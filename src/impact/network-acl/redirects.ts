/** Finds redirects that lead to another host than before, or to a host that is not known to be the tenant's. */
import { isConfidential, urlIn } from "../../text/url";
import { finding, type Finding } from "../finding";
import { hidden } from "../hidden";
import type { PlannedAcl } from "./acl";
import { titleOf } from "./words";
import type { AclVersions } from "./versions";

/** Judges active ACLs only. */
export function redirectFindings({ before, after }: AclVersions, ownHosts: ReadonlySet<string>): Finding[] {
  const priors = new Map(before.map((acl) => [acl.key, acl]));
  const known = new Set(before.map(targetOf));
  return after.flatMap((acl) => {
    const [was, is] = [priors.get(acl.key), acl].map((one) => one && targetOf(one));
    if (is === undefined || is === was) return [];
    if (was !== undefined) return movedFinding(priors.get(acl.key)!, acl, ownHosts);
    if (known.has(is) || acl.secret.has("redirect_uri") || ownHosts.has(hostOf(is))) return [];
    const text = `${titleOf(acl)} redirects clients to ${hostOf(is)}, which is not known as a host of the tenant.`;
    return [finding("TNF-ACL-REDIRECT", text, acl)];
  });
}

/** A person may not notice that clients now arrive elsewhere. */
function movedFinding(prior: PlannedAcl, acl: PlannedAcl, ownHosts: ReadonlySet<string>): Finding[] {
  const [was, is] = [prior, acl].map((one) => targetOf(one)!) as [string, string];
  const isSecret = [prior, acl].some(({ secret }) => secret.has("redirect_uri"));
  const [from, to] = [was, is].map((uri) => (isSecret ? hidden : hostOf(uri)));
  const isMoved = hostOf(is) === unreadable || (hostOf(is) !== hostOf(was) && !ownHosts.has(hostOf(is)));
  const words = [
    ...(isMoved ? [`redirects clients to another host: from ${from} to ${to}`] : []),
    ...(isEncrypted(was) && !isEncrypted(is)
      ? ["redirects clients to a URI without https instead of one with https"]
      : []),
  ];
  if (words.length === 0) return [];
  return [finding("TNF-ACL-REDIRECT", `${titleOf(acl)} ${words.join(", and ")}.`, { ...acl, level: "high" })];
}

/** Undefined: no redirect, or the target is not known yet. */
function targetOf({ rule }: PlannedAcl): string | undefined {
  const uri: unknown = rule.action["redirect_uri"];
  return typeof uri === "string" ? uri : undefined;
}

const unreadable = "an unreadable host";

const hostOf = (uri: string) => urlIn(uri)?.hostname || unreadable;

function isEncrypted(uri: string): boolean {
  const url = urlIn(uri);
  return url !== undefined && isConfidential(url);
}
