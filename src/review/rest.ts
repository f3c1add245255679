/** What else a plan does: replaced, destroyed, imported and moved objects, somebody's hand work, and the scopes it takes. */
import { finding, type Finding } from "./finding";
import { keyChangeOf, keyTitle, replacedWords, types as keyTypes } from "./keys";
import { isWhollyMarked, listedIn, removesOthers } from "./members";
import { priorResources, type Plan, type ResourceChange } from "./plan";
import { isMarked, meant } from "./value";

/** Resource type -> what it is on the service. */
const families: Record<string, string> = {
  tenant_network_acl: "network_acls",
  auth0_network_acl: "network_acls",
  tenant_network_acls: "network_acls",
  tenant_network_acl_key: "network_acl_keys",
  auth0_network_acl_key: "network_acl_keys",
  tenant_network_acl_keys: "network_acl_keys",
  tenant_rate_limit_policy: "rate_limit_policies",
  auth0_rate_limit_policy: "rate_limit_policies",
  tenant_rate_limit_policies: "rate_limit_policies",
  tenant_organization_member_set: "organization_members",
  tenant_organization_members: "organization_members",
  auth0_organization_members: "organization_members",
  auth0_organization_member: "organization_members",
};

const verbs: Record<string, string> = { create: "create", update: "update", delete: "delete" };

/** The least that a token needs to apply the plans, reading included. */
export function scopesOf(plans: readonly Plan[]): string[] {
  const read = plans.flatMap(priorResources).filter(({ mode }) => mode === "data");
  const scopes = [
    ...plans.flatMap((plan) => plan.resource_changes).flatMap(scopesOfChange),
    ...read.flatMap(({ type }) => (families[type] ? [`read:${families[type]}`] : [])),
  ];
  return [...new Set(scopes)].toSorted();
}

function scopesOfChange({ type, change }: ResourceChange): string[] {
  const family = families[type];
  if (family === undefined) return [];
  const asked = change.actions.flatMap((action) => verbs[action] ?? []);
  const needed = family === "organization_members" ? memberVerbs(change) : asked;
  return ["read", ...needed].map((verb) => `${verb}:${family}`);
}

/** A set is changed by adding and removing. */
function memberVerbs({ actions, before, after, after_unknown: unknown }: ResourceChange["change"]): string[] {
  if (actions.includes("no-op") || actions.includes("read") || actions.includes("forget")) return [];
  const ids = (values: typeof before) => listedIn(values ?? {}).filter((id): id is string => typeof id === "string");
  const isElsewhere = before?.["organization_id"] !== after?.["organization_id"];
  const [were, are] = [new Set(isElsewhere ? [] : ids(before)), new Set(isElsewhere ? [] : ids(after))];
  const isOpen =
    isMarked(unknown, "members") ||
    isWhollyMarked(unknown, "members_with_notes") ||
    isMarked(unknown, "organization_id");
  const keeps = after === null && before?.["on_destroy"] === "keep";
  const letsGo = after?.["exclusive"] === false && before?.["exclusive"] !== false;
  const removes = !keeps && !letsGo && (isOpen || ids(before).some((id) => !are.has(id)));
  return [
    ...(isOpen || ids(after).some((id) => !were.has(id)) ? ["create"] : []),
    ...((removes && before !== null) || removesOthers(before, after) ? ["delete"] : []),
  ];
}

export function restFindings(plan: Plan): Finding[] {
  const ours = plan.resource_changes.filter(({ mode = "managed", type }) => mode === "managed" && type in families);
  const drifted = plan.resource_drift.filter(({ type }) => type in families);
  const planned = new Map(ours.map((change) => [change.address, change]));
  return [
    ...ours.flatMap(ownFindings),
    ...drifted.flatMap((drift) => {
      const { address, change } = drift;
      const names = changedNames(change);
      if (names.length === 0) return [];
      const undone = planned.get(address)?.change.actions.some((action) => action !== "no-op");
      const what = change.after === null ? "was removed" : `was changed (${names.join(", ")})`;
      const then = undone ? "the apply undoes that" : "the plan leaves that as it is";
      return [finding("TF-DRIFT", `${titleOf(drift)} ${what} by other hands since the last apply: ${then}.`, address)];
    }),
    ...earlyAccess(ours),
  ];
}

function ownFindings(planned: ResourceChange): Finding[] {
  const { address, previous_address: previous, type } = planned;
  const { actions, importing } = planned.change;
  const has = (action: string) => actions.includes(action);
  const key = keyTypes.includes(type) ? keyChangeOf(planned) : undefined;
  const title = titleOf(planned);
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
    ...(has("delete") && !has("create") ? [finding("TF-DESTROYED", `${title} is destroyed.`, address)] : []),
    ...(key && has("create") && !has("delete") ? [finding("TF-KEY-CREATED", `${title} is made.`, address)] : []),
    ...(has("forget")
      ? [finding("TF-FORGOTTEN", `${title} is managed no longer: it stays on the tenant as it is.`, address)]
      : []),
    ...(importing ? [finding("TF-IMPORTED", `${title} is taken over from the tenant.`, address)] : []),
    ...(previous !== undefined && previous !== address
      ? [finding("TF-MOVED", `${previous} is now ${title}; the object itself stays.`, address)]
      : []),
  ];
}

/** A key goes by its name, too. */
function titleOf(planned: ResourceChange): string {
  return keyTypes.includes(planned.type) ? `${planned.address} (${keyTitle(keyChangeOf(planned))})` : planned.address;
}

/** Other ways to say the same are no change: the Go provider's states say null here and an empty list there. */
function changedNames({ before, after }: ResourceChange["change"]): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const meaning = (values: typeof before, name: string) => JSON.stringify(meant(values?.[name]));
  return [...names].filter((name) => name !== "updated_at" && meaning(before, name) !== meaning(after, name));
}

function earlyAccess(changes: readonly ResourceChange[]): Finding[] {
  const coming = changes.filter(({ change }) => change.actions.some((action) => ["create", "update"].includes(action)));
  const includes = (family: string) => coming.some(({ type }) => families[type] === family);
  const text = JSON.stringify(coming.map(({ change }) => change.after?.["rule"] ?? null));
  const features = [
    ...(includes("rate_limit_policies") ? ["rate limit policies"] : []),
    ...(includes("network_acl_keys") ? ["keys of HTTP message signatures"] : []),
    ...(/"auth0_managed":\[[^\]]/.test(text) ? ["curated lists"] : []),
    ...(/"http_message_signature":\[?\{/.test(text) ? ["HTTP message signatures"] : []),
    ...(/"match_all":true/.test(text) ? ["match_all"] : []),
  ];
  if (features.length === 0) return [];
  return [
    finding(
      "TF-EARLY-ACCESS",
      `In Early Access, so that the service may change them or refuse them: ${features.join(", ")}.`,
    ),
  ];
}
