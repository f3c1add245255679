/** Finds redirects to a host that is not known to be the tenant's, and redirects that are no longer encrypted. */
import { isConfidential, urlIn } from "../../text/url";
import { effect, type Effect } from "../effect";
import type { PlannedAcl } from "./acl";
import { titleOf } from "./words";
import type { AclVersions } from "./versions";

/** Judges active ACLs only. */
export function redirectEffects({ before, after }: AclVersions, ownHosts: ReadonlySet<string>): Effect[] {
  const priors = new Map(before.map((acl) => [acl.key, acl]));
  const known = new Set(before.map(targetOf));
  return after.flatMap((acl) => {
    const [was, is] = [priors.get(acl.key), acl].map((one) => one && targetOf(one));
    if (is === undefined || is === was) return [];
    if (was !== undefined) return decryptedEffect(priors.get(acl.key)!, acl);
    if (known.has(is) || acl.secret.has("redirect_uri") || ownHosts.has(hostOf(is))) return [];
    const text = `${titleOf(acl)} redirects clients to ${hostOf(is)}, which is not known as a host of the tenant.`;
    return [effect("TNF-ACL-REDIRECT", text, acl)];
  });
}

/** That requests go to another host is an effect on them. A person may not notice that they are no longer encrypted. */
function decryptedEffect(prior: PlannedAcl, acl: PlannedAcl): Effect[] {
  const [was, is] = [prior, acl].map((one) => targetOf(one)!) as [string, string];
  if (!isEncrypted(was) || isEncrypted(is)) return [];
  const text = `${titleOf(acl)} redirects clients to a URI without https instead of one with https.`;
  return [effect("TNF-ACL-REDIRECT", text, { ...acl, level: "high" })];
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
