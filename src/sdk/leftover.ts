/** Completes a replacement that was interrupted after the new object had adopted the old one. */
import { equal, unknown, type ObjectValue } from "../cty/value";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import type { Codec } from "./codec";
import { identityOf, type Change, type Definition, type Known } from "./definition";
import { protocolDiagnostic } from "./diagnostic";
import { join } from "./plan";
import type { PlanRegistry } from "./plan-registry";
import type { Resource } from "./resource";
import type { Attribute } from "./schema";
import type { Session } from "./session";

/*
 * With `create_before_destroy`, the new object can adopt the old one. If the apply ends before the destroy, the state has two entries for
 * the object. The next plan destroys the old entry, and keeps the new one. An apply calls first for the new entry and then for the old
 * one, so the provider knows then that the object stays. But Terraform only calls for a change. So the plan of the new entry shows
 * one, in a computed attribute.
 *
 * That plan must know of the destroy. If Terraform plans the new entry first, the destroy is refused, because its apply would not know of
 * the new entry.
 */

type Registry = Pick<PlanRegistry, "isDestroyed" | "isKept" | "phase">;

/** Whether the change keeps an adopted object, and the apply will know of it before it destroys the old entry. */
export function outlives(registry: Registry, definition: Definition, own: object, change: Change): boolean {
  if (!("adopted" in own) || (change.action !== "keep" && change.action !== "update")) return false;
  const identity = identityOf(definition, change.prior);
  // An apply makes this call only for a planned change.
  const isCalled = change.action === "update" || registry.phase !== "plan";
  return identity !== undefined && (isCalled || registry.isDestroyed(definition.name, identity));
}

/** Whether another entry of the state keeps the object. */
export function isKept(
  registry: Registry | undefined,
  definition: Definition,
  objectKey: string | undefined,
  prior: Known,
): boolean {
  const identity = identityOf(definition, prior);
  return identity !== undefined && registry?.isKept(definition.name, objectKey, identity) === true;
}

/** The planned values of an object that stays as it is, in a form that makes Terraform call for it when it applies. */
export function revisited(attributes: readonly Attribute[], planned: ObjectValue): ObjectValue {
  const attribute = attributes.findLast(({ computed, derived }) => computed && !derived);
  return attribute ? { ...planned, [attribute.name]: unknown } : planned;
}

/** Whether the planned values are the prior ones, except for the attribute that `revisited` changed. */
export function isRevisited(codec: Codec, prior: ObjectValue | null, planned: ObjectValue): boolean {
  return prior !== null && equal(prior, join(codec, planned, codec.known(prior)), codec.type);
}

/** The first of the two entries that knows of the other one says so. */
export function reportOldEntry<Client>(
  { reported, registry }: Session<Client>,
  resource: Pick<Resource<Client>, "title">,
  prior: Known,
): ProtocolDiagnostic[] {
  const title = resource.title(prior);
  const topic = `old entry of ${title}`;
  if (reported.has(topic) || registry.phase !== "plan") return [];
  reported.add(topic);
  return [
    protocolDiagnostic({
      severity: "warning",
      summary: "An interrupted replacement will be completed",
      detail:
        `An earlier apply was interrupted while it replaced ${title}. The state has two entries for this object, and Terraform ` +
        "destroys the old one. This removes only the entry. The object stays.",
      path: [],
    }),
  ];
}
