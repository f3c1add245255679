/** Finds redirects to hosts that are not known to be the tenant's. */
import { urlIn } from "../../text/url";
import { finding, type Finding } from "../finding";
import { titleOf } from "./words";
import type { AclVersions } from "./versions";

export function redirectFindings({ before, after }: AclVersions, ownHosts: ReadonlySet<string>): Finding[] {
  const known = new Set(before.map(({ rule }) => rule.action["redirect_uri"]));
  return after.flatMap((acl) => {
    const uri: unknown = acl.rule.action["redirect_uri"];
    if (typeof uri !== "string" || known.has(uri) || acl.secret.has("redirect_uri")) return [];
    const host = urlIn(uri)?.hostname ?? "an unreadable host";
    if (ownHosts.has(host)) return [];
    const text = `${titleOf(acl)} redirects clients to ${host}, which is not known as a host of the tenant.`;
    return [finding("TF-ACL-REDIRECT", text, acl)];
  });
}
