/** A tenant has one network ACL for each priority. */
import { networkAcl } from "../../kinds/network-acl";
import type { NetworkAcl } from "../../tenant/network-acl";
import type { UniqueKey } from "../conflicts";

export const uniquePriority: UniqueKey<NetworkAcl> = {
  kind: networkAcl,
  code: "TNF-ACL-SAME-PRIORITY",
  content: ["description", "active", "rule"],
  holder: async ({ networkAcls }, { priority }) => (await networkAcls.list()).find((acl) => acl.priority === priority),
  titleOf: ({ description }, id) => `${String(id ?? "a new ACL")} (${JSON.stringify(description)})`,
  called: ({ description }) => JSON.stringify(description),
};
