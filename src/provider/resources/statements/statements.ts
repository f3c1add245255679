/**
 * What a provider configuration states about its tenant, and what no plan and no write may break: the lock-out guard (each protected request is
 * allowed, Terraform's own requests are, and its own client keeps requests for a token) and expectations. `impact/statement` judges the
 * statements, and `impact/refusals` says which of them refuse. All of them are one form here: a `Problem`.
 *
 * - A plan (`review`): each change judges the tenant before the plan and after everything that is planned so far, because Terraform calls a
 *   provider once for each object. A problem waits until the plan has settled, and what is planned then decides. Only a change that causes
 *   the problem waits, because the change that prevents it may depend on another one.
 * - A replaced object (`replacement`): Terraform deletes it first, so a plan is refused if the tenant without it breaks a statement.
 * - A write (`write`, `own-limit`): it is judged right before it is sent, because an intermediate state of an apply may break a statement too.
 *
 * A value that is not known yet makes a problem possible, which is a warning, unless each value of it breaks the statement. A limit of
 * Terraform's own application that is not known yet is the exception: the apply judges it.
 */
import type { Titled } from "../../../judge/codes/codes";
import type { Expectation } from "../../../judge/impact/statement/statement";
import type { Terraform } from "../../../judge/impact/statement/lockout";
import type { Written } from "../../sdk/definition";
import type { block } from "../provider-block/definition";
import { expectationsIn } from "../provider-block/expectation";

/** The lock-out guard of one provider configuration. */
export interface Settings extends Pick<Written<typeof block>, "protected_request" | "lockout_guard"> {
  readonly own: OwnRequests;
}

/** The facts that are known about Terraform's own requests. */
export interface OwnRequests extends Pick<Terraform, "hostname" | "userAgents" | "asksToken"> {
  /** The client that requests Terraform's tokens. Left out: `access_token` is set. */
  readonly client?: string | undefined;
}

export interface Statements {
  readonly settings: readonly Settings[];
  readonly expectations: readonly Expectation[];
  /** The last judgement of each topic. */
  readonly judged: Map<string, Judgement>;
}

/** A statement that does not certainly hold after the changes that are planned so far, with what the provider says about it. */
export interface Problem {
  /** Equal for one statement in several states. */
  readonly key: string;
  /** Equal for problems that are reported once. */
  readonly id: string;
  readonly title: Titled;
  /** The statement held before the plan, and certainly does not hold after it. */
  readonly isNew: boolean;
  /** The statement did not hold before the plan either. */
  readonly isOld: boolean;
  /** Whether the settings refuse a plan with it. */
  readonly refuses: boolean;
  /** The ids, or the names in the plan, of the objects that decide. */
  readonly by: readonly (string | undefined)[];
  readonly detail: string;
}

interface Judgement {
  /** What was judged, such as the objects of the tenant and the changes. */
  readonly version: readonly unknown[];
  readonly found: unknown;
}

/** The last judgement of the topic if the version is the same: many changes ask, and ask again while they wait. */
export function remembered<T>(
  { judged }: Pick<Statements, "judged">,
  topic: string,
  version: readonly unknown[],
  judge: () => T,
): T {
  const last = judged.get(topic);
  const isSame = version.length === last?.version.length && version.every((part, at) => part === last.version[at]);
  if (isSame) return last!.found as T;
  const found = judge();
  judged.set(topic, { version, found });
  return found;
}

type Kind = Expectation["statement"]["kind"];

export const statementsIn = (written: Written<typeof block>, own: OwnRequests): Statements => ({
  settings: [{ ...written, own }],
  expectations: expectationsIn(written.expectation),
  judged: new Map(),
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

// Stands here because `words` loads the analysis of ACLs.
export const permitted = 'If this is meant, set `lockout_guard = "warn"` in the provider block.';
