/**
 * What a provider configuration states about its tenant, and what no plan and no write may break: the lock-out guard (each protected request is
 * allowed, Terraform's own requests are, and its own client keeps requests for a token) and expectations. `impact/statement` judges the
 * statements, and `impact/refusals` says which of them refuse.
 *
 * - A plan: the review of each object notes the statements that the object concerns, and reads the objects of the tenant that decide about
 *   them. `judge-plan` judges them with everything else once the plan is quiet.
 * - A write (`write`, `own-limit`): it is judged right before it is sent, because an intermediate state of an apply may break a statement too.
 *
 * A value that is not known yet makes an effect possible, which is a warning, unless each value of it breaks the statement. A limit of
 * Terraform's own application that is not known yet is the exception: the apply judges it.
 */
import type { Statements as Judged } from "../../../judge/impact/statement/effects";
import type { Remote } from "../../../judge/impact/model";
import { familyOf, type BuiltIn, type Expectation } from "../../../judge/impact/statement/statement";
import type { Terraform } from "../../../judge/impact/statement/lockout";
import { isUnknown } from "../../../formats/cty/value";
import type { Change } from "../../sdk/definition";
import type { ReviewContext } from "../../sdk/resource";

type Stated = Expectation | BuiltIn;

export interface Statements {
  /** The facts that are known about Terraform's own requests. Without a client: `access_token` is set. */
  readonly own: Terraform;
  /** None if `lockout_guard` is "off". */
  readonly builtIn: readonly BuiltIn[];
  readonly expectations: readonly Expectation[];
  /** Those that objects of the plan concern. */
  readonly asked: Set<Stated>;
}

type Kind = Expectation["statement"]["kind"];

/** The expectations that an apply enforces. It knows all values of the provider block. */
export const enforced = ({ expectations }: Pick<Statements, "expectations">, kind: Kind): Expectation[] =>
  expectations.filter(({ severity, statement }) => severity === "error" && statement.kind === kind);

/** Those that are about such objects, as far as that is known. */
export const statementsAbout = ({ expectations, builtIn: guard }: Statements, family: keyof Remote): Stated[] =>
  [...expectations, ...guard].filter(
    ({ statement }) =>
      familyOf[statement.kind] === family || (statement.kind === "requests" && isUnknown(statement.requests)),
  );

/** The statements that objects of the plan concern, as far as what decides about them was read. */
export const askedOf = ({ asked, own, ...all }: Statements, remote: Remote): Judged => ({
  terraform: own,
  expectations: all.expectations.filter((one) => asked.has(one)),
  builtIn: all.builtIn.flatMap((stated) =>
    asked.has(stated) && remote[familyOf[stated.statement.kind]] ? { stated, isEnforced: true } : [],
  ),
});

/** An apply judges its writes, and an unchanged object is judged only in a plan. */
export const isOver = ({ action }: Pick<Change, "action">, { plan }: Pick<ReviewContext<unknown>, "plan">): boolean =>
  plan.phase === "apply" || (action === "keep" && plan.phase !== "plan");

// Stands here because `words` loads the analysis of ACLs.
export const permitted = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';
