/**
 * Finds objects of the auth0 provider that one resource destroys and another one creates with the same unique key, such as a priority.
 * Terraform runs both at the same time, and the tenant refuses the create if the destroy comes second: a renamed key of `for_each` can
 * end with neither object. A resource of our provider waits for the key instead.
 *
 *     auth0_network_acl.all["old"]  priority 5  destroyed  ┐ the create may fail with 409,
 *     auth0_network_acl.all["new"]  priority 5  created    ┘ and the destroy is done
 */
import { textOf } from "../../kinds/kind";
import { kindOf } from "../../kinds/kinds";
import { effect, type Effect } from "../effect";
import { grouped, isSensitive, placeIn, type PlannedObject, type Values } from "../model";
import { clipped } from "../../../formats/text/lists";
import { canonical, isUnknown } from "../../../formats/cty/value";

export function collisionEffects(objects: readonly PlannedObject[]): Effect[] {
  const gone = grouped(
    objects.filter(({ actions, isDeposed }) => actions.includes("delete") && !isDeposed),
    (one) => keyOf(one, one.before),
  );
  return objects
    .filter(({ actions }) => actions.includes("create"))
    .flatMap((created) => {
      const key = keyOf(created, created.after);
      const rivals = key === undefined ? [] : (gone.get(key) ?? []);
      const old = rivals.find((one) => one.address === created.address && one.plan === created.plan) ?? rivals[0];
      return old === undefined ? [] : collisionEffect(old, created);
    });
}

/** The kind and its unique key. Undefined: another provider's, or a part is not known. */
function keyOf(object: PlannedObject, values: Values | undefined) {
  const kind = kindOf(object.type);
  if (!kind || kind.list || !object.type.startsWith("auth0_") || !values) return undefined;
  const key = kind.uniqueKey.map((name) => values[name]);
  const isHidden = kind.uniqueKey.some((name) => isSensitive(placeIn(object, name)));
  return isHidden || key.some((part) => isUnknown(part) || (part ?? undefined) === undefined)
    ? undefined
    : canonical([kind.name, ...key]);
}

function collisionEffect(old: PlannedObject, created: PlannedObject): Effect[] {
  const { noun, uniqueKey } = kindOf(created.type)!;
  const key = uniqueKey.map((name) => `${name} ${clipped(textOf(created.after![name]))}`).join(", ");
  // A replacement that destroys first has room.
  if (old === created && created.actions[0] === "delete") return [];
  const facts = { kind: "collision", noun, key, created: created.address } as const;
  return [effect("TNF-APPLY-MAY-FAIL", old === created ? facts : { ...facts, destroyed: old.address }, created)];
}
