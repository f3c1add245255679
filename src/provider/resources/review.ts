/** Parts of the review of each kind: its object in the plan, scopes, Early Access, and the warning of effects. */
import { wholePlan } from "../sdk/diagnostic";
import type { PlannedObject, Remote } from "../../judge/impact/model";
import type { Change, Definition } from "../sdk/definition";
import type { ReviewContext } from "../sdk/resource";
import { ruleFeatures } from "../../judge/kinds/network-acl";
import { scopesFor } from "../../judge/impact/objects/scopes";
import { andWords } from "../../judge/impact/phrases";
import { isAtLeast } from "../../judge/impact/effect";
import { kinds } from "../../judge/kinds/kinds";
import type { Client } from "./client";
import type { ToldChange } from "./plan-effects";
import { remembered } from "./statements/statements";

/** The old and the new object of a replacement are reviewed apart: this is the action for each of them. */
const actions = {
  create: ["create"],
  keep: ["no-op"],
  update: ["update"],
  replace: ["delete"],
  destroy: ["delete"],
} as const satisfies Record<Change["action"], readonly string[]>;

/** The effect of a replacement: the new object is another change, so this one only ends. */
export function endingIfReplaced(object: PlannedObject): PlannedObject {
  const { after: _after, ...ending } = object;
  return object.actions.includes("delete") && !object.actions.includes("create") ? ending : object;
}

export function plannedObject<T extends Definition>(
  type: string,
  { action, prior, planned }: Pick<Change<T>, "action" | "prior" | "planned">,
): PlannedObject {
  return {
    address: "",
    type,
    actions: actions[action],
    ...(prior && { before: prior }),
    ...(planned && { after: planned }),
  };
}

/* Reports the scopes that the token lacks, before anything is changed. */

/**
 * Reports the scopes of a plan together. A token that is not fetched yet is not checked. An apply that creates objects fetches the
 * token here, so that wrong credentials are reported once and not by each write.
 */
export async function demandScopes(
  object: PlannedObject,
  context: ReviewContext<Client>,
  members?: Remote["organization_members"],
): Promise<void> {
  const { client, plan, report } = context;
  const needed = scopesFor(object, members).certain;
  const creates = needed.some((scope) => scope.startsWith("create:"));
  if (creates && plan.phase === undefined) await client?.tenant.tokens.authorize();
  const granted = await client?.tenant.tokens.scopes(needed);
  if (!granted) return;
  const missing = needed.filter((scope) => !granted.includes(scope) && plan.isFirst(`scope ${scope}`));
  if (missing.length === 0) return;
  const found = await plan.gathered("scopes", () => missing);
  const scopes = found.flat().toSorted();
  if (scopes.length === 0) return;
  report({
    severity: "error",
    code: ["TNF-SCOPE-MISSING", scopes.length === 1 ? "a scope" : "scopes"],
    detail:
      `${wholePlan} ${scopes.join(", ")} ${scopes.length === 1 ? "is" : "are"} missing, and this plan needs ${scopes.length === 1 ? "it" : "them"}: ` +
      `grant ${scopes.length === 1 ? "it" : "them"} to the client (Applications > APIs > Management API) or give another token. ` +
      "Nothing was changed.",
  });
}

/* Warns once of features that the service may still change. */

const earlyFeatures = [...kinds.flatMap(({ earlyAccess }) => earlyAccess ?? []), ...Object.values(ruleFeatures)];

export function warnOfEarlyAccess({ client, report }: Pick<ReviewContext<Client>, "client" | "report">): void {
  if (!client?.sayEarlyAccess()) return;
  report({
    severity: "warning",
    code: "TNF-EARLY-ACCESS",
    detail:
      `Auth0 offers ${andWords(earlyFeatures)} as Early Access. It may change them, and enables them tenant by tenant. If you use them on ` +
      "purpose, set `hide_early_access_warning = true` in the provider block. [TNF-EARLY-ACCESS]",
  });
}

/*
 * Tells what the changes of a plan do to people, in one warning, because Terraform shows only the first of several with one summary. The
 * judges of src/judge/impact decide and word it, as in a review. A process sees the changes one by one, so the warning waits for all of them.
 */

export type { ToldChange };

const topic = "effects";

/** Adds a change to the effects of the plan before other checks wait. */
export function attachEffect(change: ToldChange, { plan }: Pick<ReviewContext<Client>, "plan">): void {
  plan.attach(topic, change);
}

export async function tellEffect(change: ToldChange, { client, plan, report }: ReviewContext<Client>): Promise<void> {
  const level = client?.planWarnings ?? "off";
  // The plan before the apply has reported it.
  if (level === "off" || (plan.phase !== "plan" && plan.phase !== "destroy")) return;
  plan.attach(topic, change);
  if (isAtLeast(level, "medium") && !change.mayMatter) return;
  const { planWarning } = await import("./plan-effects.js");
  const { statements } = client!;
  const warning = () => {
    const all = plan.attached(topic) as readonly ToldChange[];
    const { acls, told } = statements;
    const version = [acls, told.size, ...all];
    return remembered(statements, topic, version, () => planWarning({ all, level, acls, told }));
  };
  // The running calls may add to it.
  const found = await plan.gathered<unknown>(topic, () => (plan.isAlone() ? warning() : change));
  const due = found.length > 0 ? warning() : undefined;
  if (!due) return;
  for (const line of due.lines) statements.told.add(line);
  report({ severity: "warning", code: due.code, detail: due.detail });
}
