/** Reviews the change of a rate limit policy together with the other policies of the plan and the tenant. */
import { attributePath } from "../../cty/path";
import { isAtLeast } from "../../impact/effect";
import { limitChanges } from "../../impact/rate-limit-policy/changes";
import { limitEffects } from "../../impact/rate-limit-policy/effects";
import { show } from "../../sdk/check";
import type { Change, Planned } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { Callers, RateLimitPolicies, RateLimitPolicy } from "../../tenant/rate-limit-policies";
import type { Tenant } from "../../tenant/tenant";
import type { Client } from "../client";
import {
  endingIfReplaced,
  plannedObject,
  reviewIdentity,
  tellEffect,
  type ToldChange,
  warnOfEarlyAccess,
} from "../review";
import { clientsOf } from "../statements/own-limit";
import { statementsAbout } from "../statements/statements";
import { reportHolder, type UniqueKey } from "../conflicts";
import type { rateLimitPolicy } from "./definition";
import { rateLimitPolicy as kind } from "../../kinds/rate-limit-policy";
import { DiagnosticError } from "../../sdk/diagnostic";

type Definition = typeof rateLimitPolicy;

type Review = ReviewContext<Client>;

export async function reviewRateLimitPolicy(change: Change<Definition>, context: Review): Promise<void> {
  const { action, planned, replaced } = change;
  await reviewIdentity(uniqueCallers, wordsOf(planned), change, context);
  if (planned && action !== "keep") warnOfEarlyAccess(context);
  if (action === "create") {
    const { resource, consumer, consumer_selector } = planned as object as Callers;
    const callers = { resource, consumer, consumer_selector };
    const holder = async ({ rateLimitPolicies }: Tenant) => {
      const found = await rateLimitPolicies.holder(callers);
      if (replaced) noteSuccession(context.privateState, callers, found);
      return found;
    };
    const claim = { planned, id: replaced?.id, replaces: replaced !== undefined };
    await reportHolder(uniqueCallers, claim, holder, context);
  }
  await reviewStatements(change, context);
  if (action !== "keep") await tellEffect(toldChange(change), context);
}

/** Loaded with the first statement about policies, because most configurations have none. */
async function reviewStatements(change: Change<Definition>, context: Review): Promise<void> {
  const { client } = context;
  if (!client) return;
  const { statements } = client;
  const limited = clientsOf(statements, { was: change.prior, becomes: change.planned });
  if (limited.length + statementsAbout(statements, "policy").length === 0) return;
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

/** Describes a policy in messages, so that two resources of one policy differ. */
function wordsOf({ consumer_selector, configuration }: Partial<Planned<Definition>> = {}): string {
  return `\`consumer_selector\` ${show(consumer_selector)} with ${show(configuration)}`;
}

const uniqueCallers: UniqueKey<RateLimitPolicy> = {
  kind,
  code: "TNF-POLICY-SAME-CALLERS",
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

/** Whether the new policy has the same callers as the old one. */
export function keepsCallers({ succession }: Kept, old: RateLimitPolicy): boolean {
  const callers = (succession as Succession | undefined)?.callers;
  return (["resource", "consumer", "consumer_selector"] as const).every((name) => callers?.[name] === old[name]);
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
