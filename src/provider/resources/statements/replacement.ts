/**
 * Refuses a plan that replaces an object which a statement needs: Terraform deletes the old one first, and the new one needs its priority or
 * selector, so that it cannot come first. The apply would refuse to delete the old one.
 */
import type { Values } from "../../../judge/impact/model";
import { stateOf } from "../../../judge/impact/state";
import { judgeExpectations } from "../../../judge/impact/statement/judge";
import { writeLockouts } from "../../../judge/impact/statement/write";
import type { Kind } from "../../../judge/kinds/kind";
import { networkAcl } from "../../../judge/kinds/network-acl";
import type { ReviewContext } from "../../sdk/resource";
import type { Client } from "../client";
import { enforced } from "./statements";
import { expectationReplacementWords, lockoutReplacementWords } from "../../../judge/impact/statement/words";
import { isNewlyBroken } from "./write";

interface Replacement {
  readonly planned?: object | undefined;
  readonly replaced?: { readonly id?: unknown } | undefined;
}

/** `present`: the objects of the kind on the tenant. */
export function reviewReplacement(
  kind: Kind,
  { planned, replaced }: Replacement,
  present: readonly object[],
  { client, report }: ReviewContext<Client>,
): void {
  const { statements } = client!;
  const { builtIn, own } = statements;
  const old = (present as readonly Values[]).find(({ id }) => id === replaced?.id);
  if (!old || kind.uniqueKey.some((name) => (planned as Values | undefined)?.[name] !== old[name])) return;
  const isAcl = kind === networkAcl;
  const stateWith = (all: readonly object[]) => stateOf(isAcl ? { acls: all } : { policies: all });
  const [before, after] = [stateWith(present), stateWith(present.filter((one) => one !== old))];
  const lockouts = isAcl ? writeLockouts({ before: before.acls!, after: after.acls! }, builtIn, own) : [];
  for (const lockout of lockouts)
    report({ severity: "error", code: "TNF-REPLACEMENT-LOCKOUT", detail: lockoutReplacementWords(lockout) });
  for (const judged of judgeExpectations(enforced(statements, isAcl ? "requests" : "policy"), { before, after })) {
    if (!isNewlyBroken(judged)) continue;
    const detail = expectationReplacementWords(judged, isAcl ? "ACL" : "policy");
    report({ severity: "error", code: "TNF-PLANNED-STEP-BREAKS-EXPECTATION", detail });
  }
}
