/** A tenant has one key for each name. */
import { networkAclKey } from "../../kinds/network-acl-key";
import type { NetworkAclKey } from "../../tenant/network-acl-keys";
import type { UniqueKey } from "../conflicts";

export const uniqueName: UniqueKey<NetworkAclKey> = {
  kind: networkAclKey,
  content: ["alg", "fingerprint"],
  holder: async ({ networkAclKeys }, { name }) => (await networkAclKeys.list()).find((key) => key.name === name),
  titleOf: ({ name }, id) =>
    `${String(id ?? "a new key")} (${typeof name === "string" ? JSON.stringify(name) : "name known after apply"})`,
  called: ({ fingerprint }) => fingerprint.slice(0, 8),
};
