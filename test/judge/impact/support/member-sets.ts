/** Planned member sets for tests of the analysis. */
import type { PlannedObject, Values } from "../../../../src/judge/impact/model";

export const type = "tenant_organization_member_set";

export const members = (ids: unknown, more: Values = {}): Values => {
  return { organization_id: "org_1", members: ids, ...more };
};

type More = Partial<PlannedObject>;

export const memberSet = (address: string, before?: Values, after?: Values, more: More = {}): PlannedObject => ({
  address,
  type,
  actions: before && after ? ["update"] : before ? ["delete"] : ["create"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
