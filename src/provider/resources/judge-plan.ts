/**
 * Judges a plan as a whole, with the judge of the review. Terraform plans each object in a call of its own and without its address: a call
 * adds its object, and the newest call judges all of them once the plan is quiet.
 *
 *     call of key "edge"   adds the key, which is destroyed; other calls are running, so it waits
 *     call of ACL "wall"   adds the ACL, whose rule names the key; it waits instead, and the first call returns
 *                          nothing runs, nothing comes: both are judged, and this call reports
 *
 * What no later change can prevent, such as two objects with one key, is reported at once, at the object that completes it. An apply
 * reports nothing else but missing scopes: the plan before it did, and its writes find conflicts.
 */
import { canonical } from "../../formats/cty/value";
import { type Effect, isAtLeast } from "../../judge/impact/effect";
import { acts, type PlannedObject, type Values, withName, withoutBlanks } from "../../judge/impact/model";
import { unmanagedOf, withAdopted } from "../../judge/impact/objects/duplicates";
import { judgeIdentities } from "../../judge/impact/objects/identities";
import { judgedEffects, judgeObjects } from "../../judge/impact/objects/judged";
import { kindOf } from "../../judge/kinds/kinds";
import type { Change, Definition } from "../sdk/definition";
import type { ReviewContext } from "../sdk/resource";
import type { Client } from "./client";
import { canLookUp, missingScopes } from "./scopes";
import {
  findingOf,
  isFinal,
  isOfDeletedKey,
  isOnStatement,
  type KnownPlan,
  type Report,
  reportOf,
  reportsOf,
} from "./plan-report";
import { askedOf } from "./statements/statements";

type Context = ReviewContext<Client>;
/** Loaded if a plan has something to judge. */
type Judges = typeof import("../../judge/impact/plan");

/** An object of the plan, by the name of its address in the judges. */
interface Added {
  /** `network ACL "Office" (acl_…)` */
  readonly title: string;
  readonly object: PlannedObject;
  /** Its type with its unique key or its id, before and after: only objects that share one can exclude each other. */
  readonly keys: readonly string[];
}

/** A provider does not know which of the two objects of a replacement Terraform deletes or creates first. */
const replacing = { actions: ["delete", "create"], anyOrder: true } as const;

const actions = {
  create: ["create"],
  keep: ["no-op"],
  update: ["update"],
  replace: replacing.actions,
  destroy: ["delete"],
} as const satisfies Record<Change["action"], readonly string[]>;

/** The object of a call, as the judges read it. */
export function plannedObject<T extends Definition>(
  type: string,
  { action, prior, planned }: Pick<Change<T>, "action" | "prior" | "planned">,
): PlannedObject {
  return {
    address: "",
    type,
    actions: actions[action],
    ...(action === "replace" && { anyOrder: true }),
    ...(prior && { before: withoutSecret(type, prior) }),
    ...(planned && { after: withoutSecret(type, planned) }),
  };
}

/** No judge needs the secret of a key. */
function withoutSecret(type: string, values: object): Values {
  const { secret } = kindOf(type)!;
  if (!secret) return values as Values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== secret.attribute && name !== "value"));
}

/**
 * Adds the object of the call, and reports what no other change can prevent. `title`: how people know it. The calls that have arrived add
 * theirs first, so that one judgement serves all of them.
 */
export async function addObject(title: string, given: PlannedObject, context: Context): Promise<void> {
  const { plan, client } = context;
  const { after, ...rest } = given;
  const address = `${given.type}.${plan.objectKey}`;
  // Without a state, the tenant is not read: each object that counts is of the plan, and none leaves.
  const isCounted = !canLookUp(context) && kindOf(given.type)!.most !== undefined;
  const isSameKind = (one: Added) => isCounted && one.object.type === given.type;
  const isTooMany = ({ facts, refuses }: Effect) => isCounted && facts.kind === "number of keys" && refuses === true;
  // Unknown values of two objects differ.
  const named = after && { after: withName(after, `the unknown part of ${address}`) as typeof after };
  const keys = keysOf(given);
  plan.add({ title, object: { ...rest, ...named, address }, keys } satisfies Added);
  const known = knownOf(context, (one) => isSameKind(one) || one.keys.some((key) => keys.includes(key)));
  const settings = { meansEarlyAccess: () => !client || client.meansEarlyAccess };
  const found = judgeIdentities(known, settings).filter((effect) => isFinal(effect) || isTooMany(effect));
  const findings = found.flatMap((effect) => findingOf(effect, { ...known, isOwn: () => true }));
  tell(
    findings.map((one) => reportOf([one])),
    context,
  );
  await new Promise(setImmediate);
}

function keysOf({ type, before, after }: PlannedObject): string[] {
  const { uniqueKey, identity } = kindOf(type)!;
  return [before, after].flatMap((values) => {
    if (!values) return [];
    const key = [type, ...uniqueKey.map((name) => values[name])];
    const id = values[identity.attribute];
    return [JSON.stringify(key), ...(typeof id === "string" ? [JSON.stringify([type, id])] : [])];
  });
}

/** What is known so far of the plan, or of a part of it, and of the tenant. */
export function knownOf({ plan, client }: Context, isPart: (added: Added) => boolean = () => true): KnownPlan {
  const part = plan.added((one) => isPart(one as Added));
  const remote = client?.remote ?? {};
  const all = part.map(({ object: one, replaced, isMade, isAsking }): Omit<Added, "keys"> & { isAsking: boolean } => {
    const { title, object } = one as Added;
    if (isMade && object.after) {
      return { title, isAsking, object: { ...object, before: object.after, actions: ["no-op"] } };
    }
    if (!replaced) return { title, isAsking, object: object.after ? object : onTenant(object, remote) };
    const { title: called, object: old } = replaced as Added;
    const { address, before } = old;
    return { title: called, isAsking, object: { ...object, ...replacing, address, before: before! } };
  });
  const later = new Set(plan.unplanned().map(({ identity }) => identity["id"]));
  const known = { objects: all.map(({ object }) => object), remote, later };
  const own = all.find(({ isAsking }) => isAsking)?.object.address;
  return {
    ...known,
    objects: withAdopted(known),
    titles: new Map(all.map(({ title, object }) => [object.address, title])),
    isOwn: (effect) => effect.subject.address === own,
  };
}

/** What a destroy without a refresh really destroys: the state may be older than the tenant. */
function onTenant(object: PlannedObject, remote: object): PlannedObject {
  const list: unknown = (remote as Values)[kindOf(object.type)!.family];
  if (!Array.isArray(list)) return object;
  const before = (list as Values[]).find(({ id }) => id === object.before!["id"]);
  return before ? { ...object, before } : { ...object, before: undefined, actions: ["no-op"] };
}

/** The newest call reports for the whole plan. The others return. `isStated`: statements concern the object. */
export async function judgeWhenQuiet(context: Context, isStated = false): Promise<void> {
  const { client, plan } = context;
  if (!client) return;
  const isWorthIt = isStated || (canLookUp(context) && mayMatter(context));
  if (!isWorthIt && missingScopes(client, plan).length === 0) return;
  const judges = await import("../../judge/impact/plan.js");
  // While other calls run, what they add is judged too, so nothing is judged yet.
  const due = () => (plan.isAlone() ? dueOf(dueIn(context, judges)) : "warning");
  if (await plan.whenQuiet(due, () => isRefused(context, judges))) tell(dueIn(context, judges), context);
}

/** Whether the plan so far is refused, or warns of a deleted key, because of the object of the call. */
function isRefused(context: Context, judges: Judges): boolean {
  const { client } = context;
  const asking = askingIn(context);
  if (!asking) return false;
  const known = knownOf(context, (one) => isOfFew(one) || one.keys.some((key) => asking.keys.includes(key)));
  // Each object of the kind adds to a number.
  const isCause = (effect: Effect) =>
    effect.facts.kind === "number of keys"
      ? typeOf(effect.subject.address!) === asking.object.type
      : known.isOwn(effect);
  const waits = (effect: Effect) => (effect.refuses && !isFinal(effect)) || isOfDeletedKey(effect);
  if (judgeIdentities(known).some((effect) => waits(effect) && isCause(effect))) return true;
  if (client!.statements.asked.size === 0 || !acts(asking.object)) return false;
  const beside = besideOf(asking);
  const part = knownOf(context, beside);
  const effects = beside ? judged(part, client!, judges) : remembered(part, context, judges);
  return effects.some((effect) => effect.refuses && isOnStatement(effect) && mayCause(effect, part));
}

/** Of a member set, the sets that decide with it: those of its organizations, and of one that is not known yet. Undefined: all objects. */
function besideOf({ object: { type }, keys }: Added): ((one: Added) => boolean) | undefined {
  const open = JSON.stringify([type, null]);
  if (!kindOf(type)!.list || keys.includes(open)) return undefined;
  return (one) => one.keys.some((key) => key === open || keys.includes(key));
}

/** Whether the object of the call may cause the effect. If no object that acts is named, one that was there before does. */
function mayCause({ subject, cause }: Effect, { objects, isOwn }: KnownPlan): boolean {
  const acting = objects.filter(acts);
  const named = acting.filter(({ address }) => [subject, ...cause].some((one) => one.address === address));
  return (named.length > 0 ? named : acting.filter(({ before }) => before)).some((one) => isOwn({ subject: one }));
}

const typeOf = (address: string) => address.split(".")[0];

/** The object, or the one that replaces it. Undefined if it is gone. */
const askingIn = ({ plan }: Context) => plan.added((_one, isAsking) => isAsking)[0]?.object as Added | undefined;

const isOfFew = ({ object }: Added) => kindOf(object.type)!.most !== undefined;

const dueOf = (reports: readonly Report[]) =>
  reports.some(({ waits }) => waits) ? "refusal" : reports.length > 0 ? "warning" : undefined;

/** Objects of which a plan may have many are judged with all others only if they have an effect alone. */
function mayMatter(context: Context): boolean {
  const { plan, client } = context;
  const asking = askingIn(context);
  if (!asking) return false;
  const isFew = isOfFew(asking);
  const known = knownOf(context, (one) => isFew || one === asking);
  const own = known.objects.find((one) => known.isOwn({ subject: one }))!;
  const isKept = own.actions.join() === "no-op";
  if (isFew) return !isKept || (plan.isAlone() && known.objects.some(acts));
  const { planWarnings: level } = client!;
  if (isKept || (level !== "off" && !isAtLeast(level, "medium"))) return !isKept;
  const effects = [...judgeIdentities(known), ...judgedEffects(judgeObjects(known.objects, known.remote))];
  const open = effects.filter((effect) => !isFinal(effect));
  return reportsOf(open, known, { level, reported: plan.reported }).length > 0;
}

/** What no call has reported. A process that has only created so far says what refuses: statements, and the holder of a taken value. */
function dueIn(context: Context, judges: Judges): readonly Report[] {
  const { client, plan } = context;
  const known = knownOf(context);
  const effects = remembered(known, context, judges);
  const isShown = (effect: Effect) =>
    isOnStatement(effect) ? !mayReplace(known) : plan.phase === undefined && isTaken(effect, known);
  const shown = canLookUp(context) ? effects : effects.filter(isShown);
  return [
    ...missingScopes(client!, plan),
    ...reportsOf(shown, known, { level: client!.planWarnings, reported: plan.reported }),
  ];
}

/**
 * Whether the new ACL of the call may take the place of an unmanaged one. In an apply, a replacement that creates first looks like any new
 * object. If this call refused it, Terraform would keep the old object as a deposed one; if the write refuses it, the old object stays.
 */
function mayReplace(known: KnownPlan): boolean {
  const own = known.objects.find((one) => known.isOwn({ subject: one }));
  const description = own?.after?.["description"];
  return (
    description !== undefined &&
    unmanagedOf(kindOf(own!.type)!, known).some((one) => one["description"] === description)
  );
}

/** Whether an unmanaged object has the key of a new one. A replacement of the same key differs in one attribute from the old object. */
function isTaken({ facts, refuses, subject }: Effect, known: KnownPlan): boolean {
  const planned = known.objects.find(({ address }) => address === subject.address)?.after;
  if (facts.kind !== "same key" || !facts.holder || !refuses || !planned) return false;
  const kind = kindOf(facts.holder.type)!;
  const holder = unmanagedOf(kind, known).find(({ id }) => id === facts.holder!.id);
  const meaning = (values: Values | undefined, name: string) => canonical(withoutBlanks(values?.[name]), "unordered");
  return kind.attributes.filter((name) => meaning(holder, name) !== meaning(planned, name)).length > 1;
}

/** The effects are the same for all calls of a plan, which ask again and again while they wait. */
function remembered(known: KnownPlan, { client, plan }: Context, judges: Judges): readonly Effect[] {
  const { judgement, remote, statements } = client!;
  const all = plan.added().flatMap(({ object, replaced, isMade }) => [object, replaced, isMade]);
  const version = [plan.unplanned().length, statements.asked.size, ...Object.values(remote), ...all];
  const isSame =
    version.length === judgement.version?.length && version.every((one, at) => one === judgement.version![at]);
  const effects = isSame ? judgement.effects! : judged(known, client!, judges);
  Object.assign(judgement, { version, effects });
  return effects;
}

/** That a statement is as undecided as before is no news. */
const judged = (known: KnownPlan, client: Client, { analysePlan, judgePlan }: Judges): readonly Effect[] =>
  judgePlan(analysePlan(known), {
    meansEarlyAccess: () => true,
    statements: askedOf(client.statements, client.remote),
  }).filter((effect) => !isFinal(effect) && !(effect.already && effect.certainty === "undecided"));

function tell(reports: readonly Report[], { plan, report }: Context): void {
  for (const { keys, waits: _waits, ...diagnostic } of reports) {
    if (keys.every((key) => plan.reported.has(key))) continue;
    for (const key of keys) plan.reported.add(key);
    report(diagnostic);
  }
}
