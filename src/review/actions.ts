/** What a plan does to objects of any kind: replaced, destroyed, imported, moved and forgotten ones, and somebody's hand work. */
import { acts, type Values } from "../impact/model";
import type { PlannedAcl } from "../impact/network-acl/acl";
import { finding, type Finding } from "../impact/finding";
import { earlyAccessIn, earlyAccessWords } from "../impact/network-acl/early-access";
import { keyTitle, replacedWords, type KeyChange } from "../impact/network-acl/keys";
import { kindOf, kinds, resourceTypes } from "../kinds/kinds";
import { addressOf } from "./objects";
import type { Plan, ResourceChange } from "./plan";
import { meant } from "../impact/value";

type Change = ResourceChange["change"];

export const keyTypes: readonly string[] = ["tenant_network_acl_key", "auth0_network_acl_key"];

function keyChangeOf({ change }: ResourceChange): KeyChange {
  const { before, after, before_sensitive: beforeSensitive, after_sensitive: afterSensitive } = change;
  return { ...(before && { before }), ...(after && { after }), beforeSensitive, afterSensitive };
}

/** `acls`: what all plans make of the tenant's. */
export function actionFindings(plan: Plan, acls: readonly PlannedAcl[]): Finding[] {
  const ours = plan.resource_changes.filter(
    ({ mode = "managed", type }) => mode === "managed" && resourceTypes.includes(type),
  );
  const drifted = plan.resource_drift.filter(({ type }) => resourceTypes.includes(type));
  const planned = new Map(ours.map((one) => [addressOf(one), one.change]));
  return [
    ...ours.flatMap(ownFindings),
    ...drifted.flatMap((drift) => driftFindings(drift, planned.get(addressOf(drift)))),
    ...earlyAccess(
      ours,
      acls.filter((acl) => acl.plan === plan.name),
    ),
  ];
}

function driftFindings(drift: ResourceChange, planned: Change | undefined): Finding[] {
  const { before, after } = drift.change;
  const names = changedNames(before, after);
  if (names.length === 0) return [];
  const what = after === null ? "was removed" : `was changed (${names.join(", ")})`;
  const then = fateOf(names, after, planned);
  return [
    finding("TF-DRIFT", `${titleOf(drift)} ${what} by other hands since the last apply: ${then}.`, drift.address),
  ];
}

/** What becomes of what others did. */
function fateOf(names: readonly string[], drifted: Values | null, planned: Change | undefined): string {
  const stays = "the plan leaves that as it is";
  if (!planned || planned.actions.includes("forget")) return stays;
  if (planned.after === null) return "the apply destroys it";
  const differing = new Set(changedNames(drifted, planned.after));
  return names.some((name) => differing.has(name)) ? "the apply undoes that" : stays;
}

function ownFindings(planned: ResourceChange): Finding[] {
  const { address, previous_address: previous, type, deposed } = planned;
  const { actions, importing } = planned.change;
  const has = (action: string) => actions.includes(action);
  const key = keyTypes.includes(type) ? keyChangeOf(planned) : undefined;
  const title = titleOf(planned);
  const leftOver = deposed === undefined ? "" : ": an earlier apply replaced it, and could not destroy it";
  return [
    ...(has("create") && has("delete")
      ? [
          finding(
            "TF-REPLACED",
            `${title} is ${key ? replacedWords(key) : "replaced: the old object goes, and a new one with another id comes"}.`,
            address,
          ),
        ]
      : []),
    ...(has("delete") && !has("create") ? [finding("TF-DESTROYED", `${title} is destroyed${leftOver}.`, address)] : []),
    ...(key && has("create") && !has("delete") ? [finding("TF-KEY-CREATED", `${title} is made.`, address)] : []),
    ...(has("forget") ? [finding("TF-FORGOTTEN", `${title} ${forgottenWords(planned.change)}`, address)] : []),
    ...(importing ? [finding("TF-IMPORTED", `${title} is taken over from the tenant.`, address)] : []),
    ...(previous !== undefined && previous !== address
      ? [finding("TF-MOVED", `${previous} is now ${title}; the object itself stays.`, address)]
      : []),
  ];
}

function forgottenWords(change: Change): string {
  return acts(change)
    ? "is replaced. The old object stays on the tenant unchanged, but Terraform no longer manages it. The apply creates a new object."
    : "is no longer managed by Terraform. The object stays on the tenant unchanged.";
}

/** A key goes by its name, too. */
function titleOf(planned: ResourceChange): string {
  const address = addressOf(planned);
  return keyTypes.includes(planned.type) ? `${address} (${keyTitle(keyChangeOf(planned))})` : address;
}

/** Other ways to say the same are no change: the Go provider's states say null here and an empty list there. */
function changedNames(before: Values | null, after: Values | null): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const meaning = (values: Values | null, name: string) => JSON.stringify(meant(values?.[name]));
  return [...names].filter((name) => name !== "updated_at" && meaning(before, name) !== meaning(after, name));
}

function earlyAccess(changes: readonly ResourceChange[], acls: readonly PlannedAcl[]): Finding[] {
  const coming = changes.filter(({ change }) => change.actions.some((action) => ["create", "update"].includes(action)));
  const addresses = new Set<unknown>(coming.map(({ address }) => address));
  const rules = acls.filter(({ address }) => addresses.has(address)).map(({ rule }) => rule);
  const features = [
    ...kinds.flatMap((kind) => (coming.some(({ type }) => kindOf(type) === kind) ? (kind.earlyAccess ?? []) : [])),
    ...new Set(rules.flatMap(earlyAccessIn).map(earlyAccessWords)),
  ];
  if (features.length === 0) return [];
  const text = `In Early Access, so that the service may change them or refuse them: ${features.join(", ")}.`;
  return [finding("TF-EARLY-ACCESS", text)];
}
