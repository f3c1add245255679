/** Converts states of auth0_organization_members and auth0_organization_member. */
import type { Stored } from "../../sdk/resource";
import { defaults } from "./wire";

export function movedMembers({ organization_id, members }: Stored): Stored {
  return { ...defaults, id: organization_id, organization_id, members };
}

/** A set that manages one member and no others. */
export function movedMember({ organization_id, user_id }: Stored): Stored {
  return { ...movedMembers({ organization_id, members: [user_id] }), exclusive: false };
}
