/** States of auth0_organization_members as ours. */
import type { Stored } from "../../sdk/resource";
import { defaults } from "./wire";

export function movedMembers({ organization_id, members }: Stored): Stored {
  return { ...defaults, id: organization_id, organization_id, members };
}
