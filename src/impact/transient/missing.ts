/** Finds the objects that an apply destroys before it creates them again, and words the moment at which they are missing. */
import { kindOf } from "../../kinds/kinds";
import { networkAcl } from "../../kinds/network-acl";
import { rateLimitPolicy } from "../../kinds/rate-limit-policy";
import { clipped } from "../clipped";
import { effect, levels, type Code, type Effect, type Level } from "../effect";
import type { PlannedObject } from "../model";
import { keyOf, policyFrom } from "../rate-limit-policy/policy";

/** An object that is missing for a moment. `next`: the resource that creates it again. */
export interface Missing {
  readonly object: PlannedObject;
  readonly next: PlannedObject;
}

/** The order in which one resource destroys and another one creates does not matter: the tenant has one such object at a time. */
export function missingIn(objects: readonly PlannedObject[]): Missing[] {
  const own = objects.filter(({ isDeposed, leaves }) => !isDeposed && !leaves);
  return own.flatMap((object): Missing[] => {
    const { actions } = object;
    if (actions[0] !== "delete") return [];
    if (actions.includes("create")) return [{ object, next: object }];
    const next = own.find((other) => other.actions.join() === "create" && isSamePlace(object, other));
    return next ? [{ object, next }] : [];
  });
}

/** Whether a tenant cannot have both: one ACL for each priority, and one policy for the same callers. */
function isSamePlace(gone: PlannedObject, made: PlannedObject): boolean {
  const kind = kindOf(gone.type);
  const { before, after } = { before: gone.before, after: made.after };
  if (kind !== kindOf(made.type) || !before || !after) return false;
  if (kind === networkAcl) return before["priority"] !== undefined && before["priority"] === after["priority"];
  if (kind !== rateLimitPolicy) return false;
  const [was, is] = [policyFrom(gone, before), policyFrom(made, after)];
  return !is.isAnyone && keyOf(was) === keyOf(is);
}

/** The plan that only deletes the object. */
export const without = (missing: PlannedObject, objects: readonly PlannedObject[]): PlannedObject[] =>
  objects.flatMap(({ after: _after, afterSensitive: _marks, ...object }): PlannedObject[] => {
    if (!object.before) return [];
    if (object.address === missing.address && object.plan === missing.plan && !object.isDeposed)
      return [{ ...object, actions: ["delete"] }];
    return [{ ...object, after: object.before, afterSensitive: object.beforeSensitive, actions: ["no-op"] }];
  });

export const untaint = "If you do not want to replace the object, remove its taint or `-replace`.";

export const renamed = "If the resource only has another name, write `moved`.";

/** `lasting.text`: a sentence. */
export function momentEffect(
  code: Code,
  lasting: { readonly text: string; readonly level: Level },
  missing: Missing,
  remedy: string,
): Effect {
  const { object, next } = missing;
  const advice = next === object ? remedy : renamed;
  const text = `For a moment during the apply, ${uncapitalized(lasting.text)} This happens while ${gapWords(missing)}. ${advice}`;
  return effect(code, text, { ...object, level: lower(lasting.level) });
}

/** `tenant_network_acl.a is destroyed and not created again yet` */
export function gapWords({ object, next }: Missing): string {
  const is = `${clipped(object.address)} is destroyed and`;
  return next === object ? `${is} not created again yet` : `${is} ${clipped(next.address)} is not created yet`;
}

const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** An effect that lasts for a moment only is one level lower. */
const lower = (level: Level): Level => levels[Math.max(levels.indexOf(level) - 1, levels.indexOf("low"))]!;
