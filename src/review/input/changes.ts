/**
 * Lists each change of a plan with a digest: that of the canonical JSON of the object before and after, so it is equal exactly if both are.
 * The digest is null if a value is not known yet, or if a sensitive value changes: such a change is never the same as another one.
 */
import { createHash } from "node:crypto";
import { acts, bare, deposedAt, isMarked, type Marks, type Values, withoutBlanks } from "../../judge/impact/model";
import { canonical } from "../../formats/cty/value";
import { listOf, own } from "../../judge/impact/auth0/changes";
import { isRecord } from "../../formats/text/record";
import { kindOf } from "../../judge/kinds/kinds";
import type { ConfigResource, Plan, ResourceChange } from "./plan";

/** One object that a plan creates, changes, destroys, replaces, imports or moves. */
export interface ListedChange {
  readonly address: string;
  readonly actions: readonly string[];
  /** null: not everything is known. */
  readonly digest: string | null;
}

/** `declared`: the resources of the configuration. */
export function changesOf(plan: Plan, declared: ReadonlyMap<string, ConfigResource>): ListedChange[] {
  const changes = plan.resource_changes
    .filter(({ mode = "managed", change, previous_address: from }) => {
      const isOther = acts(change) || change.actions.includes("forget") || (change.importing ?? null) !== null;
      return mode === "managed" && (isOther || from !== undefined);
    })
    .map((one) => listed(one, declared.get(bare(one.address))));
  return [...changes, ...(plan.action_invocations ?? []).map(invoked)];
}

const digestOf = (content: unknown) => createHash("sha256").update(canonical(content)).digest("hex");

/** An action that the apply runs. Several changes may trigger it. */
function invoked(one: NonNullable<Plan["action_invocations"]>[number]): ListedChange {
  const { address, lifecycle_action_trigger: trigger, config_sensitive: marks, config_unknown: unknown } = one;
  const by = isRecord(trigger) ? ` by ${String(trigger["triggering_resource_address"])}` : "";
  const isOpen = JSON.stringify([marks, unknown]).includes("true");
  return { address: `${address}${by}`, actions: ["invoke"], digest: isOpen ? null : digestOf(one) };
}

function listed(
  { address, deposed, previous_address: from, type, change }: ResourceChange,
  { expressions = {}, provisioners }: Partial<ConfigResource> = {},
) {
  const written = Object.keys(expressions ?? {});
  const { actions, before, after, after_unknown: unknown, before_sensitive: were, after_sensitive: are } = change;
  // The provider computes whole attributes that nobody wrote. Plans leave out dynamic blocks, whose values stand in written ones.
  const isComputed = (name: string) =>
    !(kindOf(type)?.attributes ?? written).includes(name) &&
    own((unknown ?? {}) as Values, name) === true &&
    !listOf(before?.[name]).some(isRecord);
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  const isSame = (name: string) => canonical(withoutBlanks(before?.[name])) === canonical(withoutBlanks(after?.[name]));
  const isSecret = (name: string) => isMarked([were, are], name);
  const isOpen = names
    .concat(unknown === true ? ["(all)"] : Object.keys((unknown ?? {}) as Values))
    .some(
      (name) =>
        (isMarked(unknown as Marks, name) && !isComputed(name)) ||
        (isSecret(name) && !(before && after && isSame(name))),
    );
  // The two providers of our kinds spell an absent value in several ways.
  const meaning = (value: unknown) => (kindOf(type) ? withoutBlanks(value) : (value ?? null));
  const side = (values: Values | null) =>
    values && Object.fromEntries(names.map((name) => [name, isSecret(name) ? "sensitive" : meaning(values[name])]));
  const sides = { before: side(before), after: side(after) };
  const content = { actions, deposed, from, importing: change.importing, ...sides, provisioners };
  return { address: deposedAt(address, deposed), actions, digest: isOpen ? null : digestOf(content) };
}
