/** Notes on objects that need a decision when they are adopted. */
import type { Kind } from "../kinds/kind";
import { networkAcl } from "../kinds/network-acl";
import { networkAclKey } from "../kinds/network-acl-key";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import type { Values } from "./model";
import { aclNotes } from "./network-acl/notes";
import { policyNotes } from "./rate-limit-policy/notes";

/** Returns the notes by id. `objects`: the adopted objects of a kind, with their ids. */
export function adoptionNotes(objects: (kind: Kind) => readonly Values[]): Map<unknown, readonly string[]> {
  return new Map([...aclNotes(objects(networkAcl), objects(networkAclKey)), ...policyNotes(objects(rateLimitPolicy))]);
}
