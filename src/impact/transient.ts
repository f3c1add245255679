/** Finds the objects that an apply destroys before it creates them again, and words the moment at which they are missing. */
import { compareEffects, type EffectDifference } from "../access/access";
import { kindOf } from "../kinds/kinds";
import { networkAcl } from "../kinds/network-acl";
import { rateLimitPolicy } from "../kinds/rate-limit-policy";
import { clipped } from "./phrases";
import { effect, levels, type Code, type Effect, type Level } from "./effect";
import type { PlannedObject, Remote } from "./model";
import type { AclVersions } from "./network-acl/acl";
import { analyseAcls } from "./network-acl/analysis";
import { aclEffects } from "./network-acl/effects";
import { judgeMembers } from "./organization-member-set/effects";
import { setFrom } from "./organization-member-set/set";
import { limitChanges } from "./rate-limit-policy/changes";
import { limitEffects } from "./rate-limit-policy/effects";
import { rateOf, policyFrom } from "./rate-limit-policy/policy";
import { ofLockout } from "./refusals";
import { judgeGuard, type Guarded, type Lockout, type Requests } from "./statement/lockout";
import { speaksForTerraform } from "./statement/protected-request";
import { lockoutWords } from "./statement/words";
import { sentence } from "./words/words";

/** An object that is missing for a moment. `next`: the resource that creates it again. */
interface Missing {
  readonly object: PlannedObject;
  readonly next: PlannedObject;
}

/** The order in which one resource destroys and another one creates does not matter: the tenant has one such object at a time. */
function missingIn(objects: readonly PlannedObject[]): Missing[] {
  const own = objects.filter(({ isDeposed, leaves }) => !isDeposed && !leaves);
  return own.flatMap((object): Missing[] => {
    const { actions } = object;
    if (actions[0] !== "delete") return [];
    if (actions.includes("create")) return [{ object, next: object }];
    const next = own.find((other) => other.actions.join() === "create" && isSamePlace(object, other));
    return next ? [{ object, next }] : [];
  });
}

/** Whether a tenant cannot have both: one ACL for each priority, and one policy for the same callers. */
function isSamePlace({ type, before }: PlannedObject, made: PlannedObject): boolean {
  const kind = kindOf(type);
  if (!kind || kind.list || kind !== kindOf(made.type) || !before || !made.after) return false;
  const [was, is] = [before, made.after].map((values) => kind.uniqueKey.map((name) => values[name])) as [
    unknown[],
    unknown[],
  ];
  return is.at(-1) !== undefined && is.every((value, index) => typeof value !== "symbol" && value === was[index]);
}

/** The plan that only deletes the object. */
const without = (missing: PlannedObject, objects: readonly PlannedObject[]): PlannedObject[] =>
  objects.flatMap(({ after: _after, afterSensitive: _marks, ...object }): PlannedObject[] => {
    if (!object.before) return [];
    if (object.address === missing.address && object.plan === missing.plan && !object.isDeposed)
      return [{ ...object, actions: ["delete"] }];
    return [{ ...object, after: object.before, afterSensitive: object.beforeSensitive, actions: ["no-op"] }];
  });

const untaint = "If you do not want to replace the object, remove its taint or `-replace`.";

const renamed = "If the resource only has another name, write `moved`.";

function momentEffect(code: Code, lasting: Effect, missing: Missing, remedy: string, isOfPlan = false): Effect {
  const { object, next } = missing;
  const advice = next === object ? remedy : renamed;
  const text = `For a moment during the apply, ${isOfPlan ? "the plan " : ""}${uncapitalized(sentence(lasting))} This happens while ${gapWords(missing)}. ${advice}`;
  const { certainty, assumptions } = lasting;
  return effect(code, text, { ...object, level: lower(lasting.level), certainty, assumptions });
}

/** `tenant_network_acl.a is destroyed and not created again yet` */
function gapWords({ object, next }: Missing): string {
  const is = `${clipped(object.address)} is destroyed and`;
  return next === object ? `${is} not created again yet` : `${is} ${clipped(next.address)} is not created yet`;
}

const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** An effect that lasts for a moment only is one level lower. */
const lower = (level: Level): Level => levels[Math.max(levels.indexOf(level) - 1, levels.indexOf("low"))]!;

interface TransientInput {
  /** All objects of the plans. */
  readonly objects: readonly PlannedObject[];
  readonly remote: Remote;
  readonly versions: AclVersions;
  readonly guarded: Guarded;
  /** Whether the provider refuses each of its writes that would block Terraform or a request of its configuration. */
  readonly isGuarded: boolean;
}

/** A tenant has ten ACLs. More are not compared, because judging them takes too long. */
const mostJudged = 10;

export function transientEffects(input: TransientInput): Effect[] {
  const { objects, remote } = input;
  const all = missingIn(objects);
  const acls = all.filter(({ object }) => kindOf(object.type) === networkAcl);
  return [
    ...acls.slice(0, mostJudged).flatMap((missing) => effectsWithout(missing, input)),
    ...acls.slice(mostJudged).map(notComparedEffect),
    ...all.flatMap((missing) => [
      ...limitEffectsFor(missing, objects, remote),
      ...memberEffectsFor(missing, objects, remote),
    ]),
  ];
}

function effectsWithout(missing: Missing, input: TransientInput): Effect[] {
  const { before, after } = input.versions;
  const { address, plan, type } = missing.object;
  const middle = before.filter((acl) => acl.address !== address || acl.plan !== plan);
  if (middle.length === before.length) return [];
  const state = { before, after: middle };
  const isGuarded = input.isGuarded && type === "tenant_network_acl";
  const ofPlan = { own: input.guarded.requests.own, base: [] };
  // The provider does not send such a write.
  if (isGuarded && newLockouts(state, ofPlan, input).some((one) => ofLockout(one).refuses)) return [];
  const lockouts = newLockouts(state, input.guarded.requests, input);
  // The judges count the requests of the state. The comparison finds those that come back to their outcome.
  const { differences, isComplete } = compareEffects(state, { before, after }, { most: 1_000 });
  return [
    ...lockouts.map((one) => lockoutEffect(one, missing, input)),
    ...outcomeEffects(missing, state, differences),
    ...(isComplete ? [] : [notComparedEffect(missing)]),
  ];
}

/** The lock-outs of the state that neither the tenant before nor the tenant after has. */
function newLockouts(
  state: AclVersions,
  requests: Requests,
  { versions, guarded: { terraform } }: TransientInput,
): Lockout[] {
  const lasting = judgeGuard({ requests, terraform }, versions).filter(({ already }) => !already);
  const isLasting = (one: Lockout) => lasting.some(({ kind, called }) => kind === one.kind && called === one.called);
  return judgeGuard({ requests, terraform }, state).filter(
    (one) => one.certainty === "certain" && !one.already && !isLasting(one),
  );
}

const advice = `Write \`lifecycle { create_before_destroy = true }\`, and give the new ACL another priority. ${untaint}`;

function lockoutEffect(
  lockout: Lockout,
  missing: Missing,
  { guarded: { requests, terraform } }: TransientInput,
): Effect {
  const all = [...requests.own, ...requests.base];
  const isOwn =
    lockout.kind !== "protected request" ||
    all.some((one) => one.called === lockout.called && speaksForTerraform(one, terraform.countries));
  const where = lockout.kind === "breadth" ? ", unless it runs where the ACLs allow it" : "";
  const end = isOwn ? ` Terraform can then neither finish the apply nor undo it${where}.` : "";
  const remedy = missing.next === missing.object ? advice : renamed;
  const text = `${lockoutWords(lockout, `For a moment during the apply, while ${gapWords(missing)}`)}${end} ${remedy}`;
  return effect("TNF-TRANSIENT-LOCKOUT", text, { ...missing.object, level: isOwn ? "critical" : "high" });
}

const isOpening = (code: Code) => code === "TNF-ACL-WIDENED" || code === "TNF-ACL-OPENED";

/** The worst opening, and the worst block or redirect. */
function outcomeEffects(missing: Missing, state: AclVersions, differences: readonly EffectDifference[]): Effect[] {
  const isOpen = ({ outcome }: EffectDifference["one"]["before"]) => outcome === "allowed";
  const returning = differences.filter(
    ({ one, other }) => isOpen(one.before) !== isOpen(one.after) && isOpen(other.before) === isOpen(other.after),
  );
  if (returning.length === 0) return [];
  const effects = aclEffects(analyseAcls(state));
  return [true, false].flatMap((opens) => {
    if (!returning.some(({ one }) => isOpen(one.after) === opens)) return [];
    const worst = effects.find(({ code }) => isOpening(code) === opens);
    if (!worst) return [];
    return [momentEffect(opens ? "TNF-TRANSIENT-OPEN" : "TNF-TRANSIENT-LOCKOUT", worst, missing, advice, true)];
  });
}

function notComparedEffect(missing: Missing): Effect {
  const text =
    `Not every request was compared for the moment while ${gapWords(missing)}. Requests that are blocked before and after may be ` +
    "allowed then, and allowed requests may be blocked.";
  return effect("TNF-TRANSIENT-OPEN", text, { ...missing.object, level: "info", certainty: "undecided" });
}

/** A limit that is looser, or stricter, than the limits before and after. */
function limitEffectsFor(missing: Missing, objects: readonly PlannedObject[], remote: Remote): Effect[] {
  const { object, next } = missing;
  if (kindOf(object.type) !== rateLimitPolicy || !object.before || !next.after) return [];
  const policies = objects.filter(({ type }) => kindOf(type) === rateLimitPolicy);
  const changes = limitChanges(without(object, policies), remote.rate_limit_policies);
  const change = changes.find(
    ({ address, plan, action }) => action && address === object.address && plan === object.plan,
  );
  const after = policyFrom(next, next.after, next.afterSensitive);
  const [was, meanwhile, is] = [change?.before ?? null, change?.after ?? null, after].map(rateOf);
  const [moment] = change ? limitEffects([change]) : [];
  if (!moment || was === undefined || meanwhile === undefined || is === undefined) return [];
  const isLooser = meanwhile > Math.max(was, is);
  if (!isLooser && meanwhile >= Math.min(was, is)) return [];
  const remedy =
    "A tenant has one policy for the same applications, so a replacement always has this gap. Change the policy in place.";
  return [momentEffect(isLooser ? "TNF-TRANSIENT-OPEN" : "TNF-TRANSIENT-LOCKOUT", moment, missing, remedy)];
}

/** The Go provider removes members before it adds them again. Our provider keeps members that the next set has too. */
function memberEffectsFor(missing: Missing, objects: readonly PlannedObject[], remote: Remote): Effect[] {
  const { object } = missing;
  if (!object.type.startsWith("auth0_organization_member")) return [];
  const { before, after } = setFrom(object);
  const isBack = before?.organization !== undefined && before.organization === after?.organization;
  if (!isBack || !before.members.some((person) => after.members.includes(person))) return [];
  const [moment] = judgeMembers(without(object, objects), remote.organization_members, remote).effects;
  return moment ? [momentEffect("TNF-TRANSIENT-LOCKOUT", moment, missing, untaint)] : [];
}
