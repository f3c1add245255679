/** Makes problems of judged statements. */
import { isWhollyKnown } from "../../../formats/cty/value";
import type { AclVersions } from "../../../judge/impact/network-acl/acl";
import { ofExpectation, ofLockout } from "../../../judge/impact/refusals";
import { apply, type ObjectChange, type States, type TenantState } from "../../../judge/impact/state";
import { isNews } from "../../../judge/impact/statement/effects";
import { judgeExpectations } from "../../../judge/impact/statement/judge";
import { ownLockouts, requestLockouts, type Lockout } from "../../../judge/impact/statement/lockout";
import { type Expectation } from "../../../judge/impact/statement/statement";
import type { PlannedChange } from "../../sdk/plan-registry";
import { isRefusing, type Guard } from "./guard";
import type { Problem } from "./statements";
import { detailOf, lockoutDetailOf, reactionTo, titleOfJudged, titleOfLockout } from "./words";

export const requestProblems = (guard: Guard, versions: AclVersions): Problem[] =>
  problemsOf(requestLockouts(versions, guard.requests), guard);

export const ownProblems = (guard: Guard, versions: AclVersions): Problem[] =>
  problemsOf(worstOf(ownLockouts(versions, guard.requests, guard.terraform)), guard);

const problemsOf = (lockouts: readonly Lockout[], guard: Guard) =>
  lockouts.filter((one) => isNews(one, true)).map((one) => problemOf(one, guard));

function problemOf(lockout: Lockout, guard: Guard): Problem {
  const { kind, called, by, already } = lockout;
  const isNew = ofLockout(lockout).refuses;
  const key = `lock-out ${JSON.stringify([kind, called])}`;
  const weaker = guard.strength !== "error" ? "warn" : guard.isOpen ? "open" : undefined;
  return {
    key,
    id: `${key} ${JSON.stringify(by.map(({ id, priority }) => [id, priority]))}`,
    title: titleOfLockout(lockout),
    isNew,
    isOld: already,
    refuses: isNew && isRefusing(guard),
    by: by.map((acl) => acl.key),
    detail: lockoutDetailOf(lockout, weaker ?? "error"),
  };
}

/** If the Management API is blocked, the token request does not matter. */
function worstOf(lockouts: readonly Lockout[]): readonly Lockout[] {
  const isBroad = lockouts.some((one) => one.kind === "breadth" && one.certainty === "certain" && !one.already);
  return isBroad ? lockouts.filter(({ kind }) => kind === "breadth") : lockouts;
}

/** `isOpen`: a written value that decides is known only after the apply. */
export function expectationProblems(all: readonly Expectation[], states: States, isOpen: boolean): Problem[] {
  if (all.length === 0) return [];
  return judgeExpectations(all, states).flatMap((judged): Problem[] => {
    const { expectation, verdict, already, cause } = judged;
    if (verdict === "held") return [];
    const isUnknown = isOpen || !isWhollyKnown(expectation.statement);
    return [
      {
        key: `expectation ${expectation.name}`,
        id: `expectation ${expectation.name} ${verdict}`,
        title: titleOfJudged(judged),
        isNew: verdict === "broken" && already !== true,
        isOld: verdict === "broken" && already === true,
        refuses: ofExpectation(judged)!.refuses,
        by: cause.flatMap(({ id, acl, address }) => [id, acl?.key, address]),
        detail: detailOf(judged, reactionTo(judged, isUnknown)),
      },
    ];
  });
}

type Changes = readonly Pick<PlannedChange, "identity" | "planned">[];

/** The state after everything that is planned so far. */
export function stateAfter(before: TenantState, kind: ObjectChange["kind"], changes: Changes): TenantState {
  return changes.reduce<TenantState>(
    (state, { identity, planned }, index) =>
      apply(state, { kind, name: nameOf(index), id: (identity as { readonly id?: unknown })?.id, values: planned }),
    before,
  );
}

/** Terraform does not tell a provider the address of a resource. `index`: of the change. */
export const nameOf = (index: number): string => `change ${index + 1}`;
