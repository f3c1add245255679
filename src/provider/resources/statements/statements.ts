/**
 * What a provider configuration states about its tenant, and what no plan and no write may break: the lock-out guard (each protected request is
 * allowed, Terraform's own requests are, and its own client keeps requests for a token) and expectations. `impact/statement` judges the
 * statements, and `impact/refusals` says which of them refuse.
 *
 * - A plan: the review of each object notes the statements that the object concerns, and reads the objects of the tenant that decide about
 *   them. `judge-plan` judges them with everything else once the plan is quiet.
 * - A replaced object (`replacement`): Terraform deletes it first, so a plan is refused if the tenant without it breaks a statement.
 * - A write (`write`, `own-limit`): it is judged right before it is sent, because an intermediate state of an apply may break a statement too.
 *
 * A value that is not known yet makes an effect possible, which is a warning, unless each value of it breaks the statement. A limit of
 * Terraform's own application that is not known yet is the exception: the apply judges it.
 */
import type { Expectation } from "../../../judge/impact/statement/statement";
import type { Terraform } from "../../../judge/impact/statement/lockout";
import type { Change, Written } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";
import type { block } from "../provider-block/definition";
import { expectationsIn } from "../provider-block/expectation";

/** The facts that are known about Terraform's own requests. */
interface OwnRequests extends Pick<Terraform, "hostname" | "userAgents" | "asksToken"> {
  /** The client that requests Terraform's tokens. Left out: `access_token` is set. */
  readonly client?: string | undefined;
}

export interface Statements extends Pick<Written<typeof block>, "protected_request" | "lockout_guard"> {
  readonly own: OwnRequests;
  readonly expectations: readonly Expectation[];
  /** Those that objects of the plan concern. The guard judges requests, and the limit of its own client. */
  readonly asked: Set<Expectation | "requests" | "own limit">;
}

type Kind = Expectation["statement"]["kind"];

export const statementsIn = (
  { protected_request, lockout_guard, expectation }: Written<typeof block>,
  own: OwnRequests,
): Statements => ({
  protected_request,
  lockout_guard,
  own,
  expectations: expectationsIn(expectation),
  asked: new Set(),
});

/** The expectations that an apply enforces. It knows all values of the provider block. */
export const enforced = ({ expectations }: Pick<Statements, "expectations">, kind: Kind): Expectation[] =>
  expectations.filter(({ severity, statement }) => severity === "error" && statement.kind === kind);

/** The expectations that are about such objects, as far as that is known. */
export const statementsAbout = ({ expectations }: Statements, kind: Kind): Expectation[] =>
  expectations.filter(
    ({ statement }) =>
      statement.kind === kind || (statement.kind === "requests" && typeof statement.requests === "symbol"),
  );

/** An apply judges its writes, and an unchanged object is judged only in a plan. */
export const isOver = ({ action }: Pick<Change, "action">, { plan }: Pick<ReviewContext<unknown>, "plan">): boolean =>
  plan.phase === "apply" || (action === "keep" && plan.phase !== "plan");

/** Undefined: the guard is off. While its strength is not known, it only warns. */
export const strengthOf = ({ lockout_guard: written = "error" }: Pick<Statements, "lockout_guard">) =>
  written === "off" ? undefined : typeof written === "symbol" ? "warn" : written;

// Stands here because `words` loads the analysis of ACLs.
export const permitted = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';
