/** Finds the network ACLs that a plan leaves unchanged. */
import { comparable } from "../value";
import type { PlannedAcl } from "./acl";
import type { AclVersions } from "./versions";

/** The ACLs of `after` that are the same before. A replaced ACL gets another id, so it is not the same. */
export function unchangedAcls({ before, after }: AclVersions): ReadonlySet<PlannedAcl> {
  const old = new Map(before.map((acl) => [acl.key, textOf(acl)]));
  return new Set(after.filter((acl) => old.get(acl.key) === textOf(acl)));
}

const textOf = ({ secret: _secret, ...acl }: PlannedAcl) => comparable(acl);
