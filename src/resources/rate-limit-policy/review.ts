/** Reviews the change of a rate limit policy together with the other policies of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { isAtLeast } from "../../impact/effect";
import { limitChanges } from "../../impact/rate-limit-policy/changes";
import { limitEffects } from "../../impact/rate-limit-policy/effects";
import { show } from "../../sdk/check";
import type { Change, Planned, State } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Callers, RateLimitPolicies, RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Client } from "../client";
import { claimIdentity, reportRename } from "../identical";
import { canLookUp, ifReadable } from "../lookup";
import {
  demandScopes,
  endingIfReplaced,
  plannedObject,
  tellEffect,
  type ToldChange,
  warnOfEarlyAccess,
} from "../review";
import { clientsOf } from "../statements/own-limit";
import { about } from "../statements/statements";
import { reportTaken, type UniqueKey } from "../conflicts";
import type { rateLimitPolicy } from "./definition";
import { rateLimitPolicy as kind } from "../../kinds/rate-limit-policy";
import { DiagnosticError } from "../../sdk/diagnostic";

type Definition = typeof rateLimitPolicy;

type Review = ReviewContext<Client>;

export async function reviewRateLimitPolicy(change: Change<Definition>, context: Review): Promise<void> {
  const { action, prior, planned, replaced } = change;
  await demandScopes(plannedObject(kind.type, change), context);
  if (prior) claimIdentity({ kind: kind.noun, id: prior.id, title: wordsOf(planned) }, change, context);
  if (action === "destroy") {
    reportRename(kind.noun, contentOf(prior), prior.id, context);
    await reviewStatements(change, context);
    return tellEffect(toldChange(change), context);
  }
  if (action === "create" && !replaced) reportRename(kind.noun, contentOf(planned), undefined, context);
  if (action !== "keep") warnOfEarlyAccess(context);
  if (action !== "replace") claimCallers(prior?.id, planned, context);
  if (action === "create") await reportHolder(replaced, planned, context);
  await reviewStatements(change, context);
  if (action !== "keep") await tellEffect(toldChange(change), context);
}

/** Loaded with the first statement about policies, because most configurations have none. */
async function reviewStatements(change: Change<Definition>, context: Review): Promise<void> {
  const { client } = context;
  if (!client) return;
  const { statements } = client;
  const limited = clientsOf(statements, { was: change.prior, becomes: change.planned });
  if (limited.length + about(statements, "policy").length === 0) return;
  const { reviewPolicyStatements } = await import("../statements/policies.js");
  await reviewPolicyStatements(change, context);
}

function toldChange(change: Change<Definition>): ToldChange {
  const { prior } = change;
  const object = endingIfReplaced(plannedObject(kind.type, change));
  return {
    title: `Rate limit policy${prior ? ` ${prior.id}` : ""}`,
    object,
    mayMatter: limitEffects(limitChanges([object])).some(({ level }) => isAtLeast(level, "medium")),
  };
}

/** A policy of the tenant that Terraform does not manage and that is for the same callers. */
async function reportHolder(
  replaced: Partial<State<Definition>> | undefined,
  planned: Planned<Definition>,
  context: Review,
): Promise<void> {
  const { client, privateState } = context;
  const callers = callersOf(planned);
  if (!client || !callers || !canLookUp(context)) return;
  const found = await ifReadable(() => client.tenant.rateLimitPolicies.holder(callers));
  if (replaced) noteSuccession(privateState, callers, found);
  const claim = { planned, id: replaced?.id, replaces: replaced !== undefined };
  if (found) await reportTaken(uniqueCallers, found, claim, client, context);
}

/** Undefined while they are not known. */
function callersOf({ resource, consumer, consumer_selector }: Planned<Definition>): Callers | undefined {
  const callers = { resource, consumer, consumer_selector };
  return Object.values(callers).every((part) => typeof part === "string") ? (callers as Callers) : undefined;
}

/** Describes a policy in messages, so that two resources of one policy differ. */
function wordsOf({ consumer_selector, configuration }: Partial<Planned<Definition>> = {}): string {
  return `\`consumer_selector\` ${show(consumer_selector)} with ${show(configuration)}`;
}

function contentOf({ resource, consumer, consumer_selector, configuration }: Planned<Definition>) {
  return { resource, consumer, consumer_selector, configuration };
}

function claimCallers(id: string | undefined, planned: Planned<Definition>, { plan, report }: Review): void {
  const callers = callersOf(planned);
  if (!callers) return;
  const { resource, consumer, consumer_selector } = callers;
  const title = uniqueCallers.titleOf(planned, id);
  const other = plan.claim(["callers", resource, consumer, consumer_selector], title);
  if (other === undefined) return;
  report({
    severity: "error",
    code: "TNF-POLICY-SAME-CALLERS",
    detail:
      `${title} and ${other} both have \`consumer_selector\` ${show(consumer_selector)}, with \`resource\` ` +
      `${show(resource)} and \`consumer\` ${show(consumer)}. A tenant can have only one such policy: remove one of the two.`,
    path: attributePath("consumer_selector"),
  });
}

const uniqueCallers: UniqueKey<RateLimitPolicy> = {
  kind,
  content: ["configuration"],
  titleOf: ({ configuration }, id) => `${String(id ?? "a new policy")} (${show(configuration)})`,
  called: ({ configuration }) => show(configuration),
};

/* Deletes a policy that moves to other applications only if the new policy can be created. */

/** Facts from the plan of the new policy that the deletion of the old one needs. */
interface Succession {
  readonly callers: Callers;
  /** The policy that has these callers now and leaves them in the same plan. */
  readonly yielding?: string;
}

type Kept = Record<string, unknown>;

function noteSuccession(kept: Kept, callers: Callers, holder: RateLimitPolicy | undefined): void {
  kept.succession = { callers, yielding: holder?.id } satisfies Succession;
}

export function forgetSuccession(kept: Kept): void {
  delete kept.succession;
}

/** Throws if another policy got the callers after the plan. */
export async function demandFree(kept: Kept, old: RateLimitPolicy, policies: RateLimitPolicies): Promise<void> {
  const succession = kept.succession as Succession | undefined;
  if (!succession) return;
  const { callers, yielding } = succession;
  const holder = await policies.holder(callers);
  if (!holder || holder.id === old.id || holder.id === yielding) return;
  throw new DiagnosticError(
    "TNF-CALLERS-HAVE-POLICY",
    `The plan moves policy ${old.id} (${old.consumer_selector}) to ${callers.consumer_selector}, but policy ${holder.id} now has ` +
      "this selector. The old policy did not change. Plan again with another selector, or remove that policy first.",
    attributePath("consumer_selector"),
  );
}
