/** Finds objects that a plan destroys and creates again unchanged, because their address changed. */
import { kindOf } from "../../kinds/kinds";
import { effect, type Effect } from "../effect";
import type { PlannedObject, Values } from "../model";
import { isMarked, meant } from "../value";

/** A plan that the provider refused has no delete of the old object, which then counts as left out. */
export function renameEffects(objects: readonly PlannedObject[]): Effect[] {
  const old = objects.filter(({ actions, isDeposed, leftOut }) => !isDeposed && (leftOut || isOnly(actions, "delete")));
  return objects
    .filter(({ actions }) => isOnly(actions, "create"))
    .flatMap((created) => {
      const gone = old.find((one) => isIdentical(one, created));
      return gone ? renameEffect(gone, created) : [];
    });
}

const isOnly = (actions: readonly string[], action: string) => actions.length === 1 && actions[0] === action;

function renameEffect({ address: from }: PlannedObject, created: PlannedObject): Effect {
  const { type, address: to } = created;
  const { noun } = kindOf(type)!;
  const text =
    `${to} creates the same ${noun} that ${from} manages. If you renamed the resource or moved it into a module, write ` +
    `\`moved\` with from = ${from} and to = ${to}, so that the object stays unchanged. ` +
    "Otherwise Terraform creates and destroys in any order, so the tenant could end with no object.";
  return effect("TNF-RENAMED", text, created);
}

/** Sensitive values never count as equal, because the finding would confirm a guess. */
function isIdentical({ type, before, beforeSensitive }: PlannedObject, created: PlannedObject): boolean {
  const { after, afterSensitive } = created;
  const kind = kindOf(type);
  if (!kind || type !== created.type || !before || !after) return false;
  const entries = kind.goProvider.flatMap(({ entry }) => entry ?? []);
  const secrets = ["value", kind.secret?.attribute];
  const own = [...kind.attributes, ...entries].filter((name) => !secrets.includes(name));
  const isSame = (name: string) => asText(after, name) !== undefined && asText(after, name) === asText(before, name);
  const isSensitive = (name: string) => isMarked(beforeSensitive, name) || isMarked(afterSensitive, name);
  return own.every((name) => isSame(name) && !isSensitive(name));
}

/** undefined: a part is known only after the apply. */
function asText(values: Values, name: string): string | undefined {
  const value = meant(values[name]) ?? null;
  let isKnown = true;
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "symbol") isKnown = false;
    return part;
  });
  return isKnown ? text : undefined;
}
