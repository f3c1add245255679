/** Lists the objects that a plan identifies by their ids, to tell tenants apart. */
import { identityOf, importedAs } from "../impact/objects/identity";
import type { Values } from "../impact/model";
import { kindOf, kinds } from "../kinds/kinds";
import { importOf, readData } from "./objects";
import { priorResources, type Plan } from "./input/plan";

/** The identities of all objects in the plan: managed, or read by data sources. */
export function identitiesIn(plan: Plan): Set<string> {
  const isOwn = ({ address }: { readonly address: string }) => !plan.unplaced?.has(address);
  const changes = [...plan.resource_changes, ...plan.resource_drift].filter(isOwn);
  const found = [
    ...changes.flatMap(({ type, change }) => [
      identityOf(type, change.before),
      // A new object has no id yet, but an organization exists before its members.
      ...(kindOf(type)?.list ? [identityOf(type, change.after)] : []),
      importedAs(type, importOf(change).importId),
    ]),
    ...priorResources(plan)
      .filter(isOwn)
      .map(({ type, values }) => identityOf(type, values)),
    ...kinds.flatMap(({ type, dataSource: { type: source, objects } }) =>
      readData(plan, source)
        .flatMap((values) => (objects === undefined ? [] : ((values[objects] ?? []) as Values[])))
        .map((one) => identityOf(type, one)),
    ),
  ];
  return new Set(found.filter((identity) => identity !== undefined));
}
