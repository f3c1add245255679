/** States of auth0_organization_members and auth0_organization_member as ours. */
import type { Stored } from "../../sdk/resource";
import { defaults } from "./wire";

export function movedMembers({ organization_id, members }: Stored): Stored {
  return { ...defaults, id: organization_id, organization_id, members };
}

/** One that knows of one member, and leaves the others alone. */
export function movedMember({ organization_id, user_id }: Stored): Stored {
  return { ...movedMembers({ organization_id, members: [user_id] }), exclusive: false };
}
