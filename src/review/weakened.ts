/** Reports a change that weakens the lock-out guard, because the same guard judges the change. */
import { weaknesses, type Weakness } from "../impact/lockout/guard";
import type { ProtectedRequest } from "../impact/lockout/protected-request";
import { finding, type Finding } from "../impact/finding";
import { aclTypes } from "./acls";
import { guardsOf, isTold, type PlanGuard } from "./guard";
import { changesAcls } from "./lockout";
import type { Plan } from "./plan";
import type { BaseGuard } from "./protect";
import { bare, homesIn } from "./share";

/** `base`: the guard of the base branch, which also judges the change. */
export function guardFindings(plans: readonly Plan[], base: readonly BaseGuard[] = []): Finding[] {
  const lost = base.flatMap((one) => lostOf(one, plans).map((weakness) => lostWords(weakness, one.file)));
  return [
    ...plans.flatMap((plan) => strengthFindings(plan, base)),
    ...[...new Set(lost)].map((text) => finding("TF-GUARD-WEAKENED", text)),
    ...plans.flatMap(unknownFindings),
  ];
}

/** The protections that every plan lacks in a provider configuration that manages network ACLs. */
function lostOf(base: BaseGuard, plans: readonly Plan[]): Weakness[] {
  const acting = plans.map(actingGuards).filter((guards) => guards.length > 0);
  const judged = acting.length > 0 ? acting : [[allOf(plans.flatMap((plan) => guardsOf(plan)))]];
  const [first = [], ...rest] = judged.map((guards) =>
    guards.flatMap((guard) => weaknesses(base, { strength: base.strength, requests: guard.requests })),
  );
  return first.filter(({ request }) => rest.every((lost) => lost.some((other) => other.request === request)));
}

/** The guards of the configurations that manage network ACLs: the provider asks no other guard about these ACLs. */
function actingGuards(plan: Plan): readonly Pick<PlanGuard, "requests">[] {
  const acls = plan.resource_changes.filter(
    ({ mode = "managed", type }) => mode === "managed" && aclTypes.includes(type),
  );
  if (acls.length === 0) return [];
  const homes = homesIn(plan);
  const keys = new Set(acls.map(({ address }) => homes.get(bare(address))));
  const guards = guardsOf(plan);
  const acting = guards.filter(({ key }) => keys.has(key));
  return acting.length > 0 ? acting : [allOf(guards)];
}

const allOf = (guards: readonly PlanGuard[]) => ({ requests: guards.flatMap(({ requests }) => requests) });

/** A guard that does not refuse is reported, unless the guard of the base branch is as weak. */
function strengthFindings(plan: Plan, base: readonly BaseGuard[]): Finding[] {
  const isHeld = base.length > 0;
  if (!isHeld && !changesAcls(plan)) return [];
  const wanted = base.map(({ strength }) => strength);
  const weak = guardsOf(plan)
    .map(({ strength }) => strength)
    .filter((strength) =>
      isHeld
        ? wanted.some((one) => weaknesses({ strength: one, requests: [] }, { strength, requests: [] }).length > 0)
        : strength !== "error",
    );
  return [...new Set(weak)].map((strength) => {
    const is = strength === undefined ? "is not a constant, so it may be off" : `is "${strength}"`;
    const was = isHeld ? ` (${base[0]!.file} has "${wanted.find((one) => one !== strength) ?? "error"}")` : "";
    const then =
      strength === "error"
        ? ""
        : 'Terraform may then apply a plan that locks Terraform out. Remove `lockout_guard`, or set it to "error".';
    return finding("TF-GUARD-WEAKENED", `\`lockout_guard\` ${is}${was}. ${then}`, aboutOf(plan));
  });
}

const aboutOf = ({ name }: Plan) => (name === undefined ? {} : { plan: name });

/** The review cannot check these requests. */
function unknownFindings(plan: Plan): Finding[] {
  return guardsOf(plan).flatMap(({ requests }) => {
    const open = requests.filter((request) => !isTold(request));
    return open.map(({ called, path, facts }) => {
      const names = Object.entries({ path, ...facts }).filter(([, fact]) => typeof fact === "symbol");
      const which = names.map(([name]) => `\`${name}\``).join(", ");
      const text =
        `The plan does not show ${which} of the protected request "${called}", so the review cannot check this request. Write the ` +
        "value as a constant or as a variable of the root module, or give `--protect FILE`.";
      return finding("TF-GUARD-UNKNOWN", text, aboutOf(plan));
    });
  });
}

function lostWords({ request, now }: Weakness, file: string): string {
  if (!request) return "";
  const was = `The request "${request.called}" (${factsOf(request)}) of ${file} is no longer protected as before`;
  const is = now ? `: it is now ${factsOf(now)}` : ": the configuration does not have this request";
  return `${was}${is}. The provider no longer refuses a plan that blocks the request in ${file}.`;
}

function factsOf({ path, facts, ...rest }: ProtectedRequest): string {
  if ("isSecret" in rest && rest.isSecret === true) return "its facts are sensitive";
  const told = Object.entries({ path, ...facts }).filter(([, fact]) => fact !== undefined);
  return told.map(([name, fact]) => `${name} ${typeof fact === "symbol" ? "not known" : String(fact)}`).join(", ");
}
