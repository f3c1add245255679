/** What a plan does to objects of any kind: replaced, destroyed, imported, moved and forgotten ones, and somebody's hand work. */
import { finding, type Finding } from "./finding";
import { keyChangeOf, keyTitle, replacedWords, types as keyTypes } from "./keys";
import type { Plan, ResourceChange } from "./plan";
import { families } from "./scopes";
import { meant } from "./value";

export function actionFindings(plan: Plan): Finding[] {
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
