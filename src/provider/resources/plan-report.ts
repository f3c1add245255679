/**
 * Says as diagnostics what the judge found in a plan, in the words of the review. An effect that refuses is an error. Effects on people are
 * lines of one warning, from the level of `plan_warnings`, because Terraform shows only the first of several warnings with one summary.
 */
import { attributePath, type Path } from "../../formats/cty/path";
import { shellWord } from "../../formats/text/printable";
import { rows, type Titled } from "../../judge/codes/codes";
import { type Effect, inOrder, isAtLeast, isOnPeople, type Level } from "../../judge/impact/effect";
import type { ObjectName } from "../../judge/impact/objects/facts";
import type { PlanAndTenant } from "../../judge/impact/objects/duplicates";
import { grouped } from "../../judge/impact/model";
import { brief, briefLine, signOf } from "../../judge/impact/words/words";
import { kindOf } from "../../judge/kinds/kinds";
import { networkAcl } from "../../judge/kinds/network-acl";
import { organizationMemberSet } from "../../judge/kinds/organization-member-set";
import { rateLimitPolicy } from "../../judge/kinds/rate-limit-policy";
import { type Diagnostic, unseen, wholePlan } from "../sdk/diagnostic";
import { isOfReplacement, remedyOf, titleOfStatement } from "./statements/words";

export interface Report extends Diagnostic {
  /** Each of them is reported once. */
  readonly keys: readonly string[];
  /** Another change may prevent it, so it waits longer. */
  readonly waits: boolean;
}

/** A plan so far. */
export interface KnownPlan extends PlanAndTenant {
  /** Address -> how people know the object. Terraform does not tell a provider the addresses of resources. */
  readonly titles: ReadonlyMap<string, string>;
  /** Whether the effect is on the object of the call. */
  isOwn(effect: Pick<Effect, "subject">): boolean;
}

interface Settings {
  /** `plan_warnings`. */
  readonly level: Level | "off";
  /** The keys of earlier reports. */
  readonly reported: ReadonlySet<string>;
}

/** Those that nobody reported yet. */
export function reportsOf(effects: readonly Effect[], plan: KnownPlan, { level, reported }: Settings): Report[] {
  const due = effects
    .filter((effect) => !isOfSet(effect))
    .flatMap((effect) => findingOf(effect, plan))
    .filter(({ key }) => !reported.has(key));
  // Terraform shows one of several warnings with one title, and many errors of one kind hide others.
  const groups = grouped(due, ({ severity, code }) => JSON.stringify([severity, code]));
  return [
    ...[...groups.values()].map(reportOf),
    ...(level === "off" ? [] : warningOf(effects, plan, { level, reported })),
  ];
}

/** A member set reports at its own place what it refuses, and who leaves. */
const isOfSet = ({ facts }: Effect) => facts.kind === "members" && !facts.stays;

/** Equal for what a member set reports and the same effect on the whole plan, which may know more. */
export const keyAtSet = ({ code, facts }: Effect): string =>
  `at its set: ${code} ${facts.kind === "members" ? facts.organization.id : ""}`;

interface Finding {
  readonly severity: Diagnostic["severity"];
  readonly code: Titled;
  readonly words: string;
  /** The attribute of the object of the call; undefined if the effect is on another object. */
  readonly path: Path | undefined;
  readonly key: string;
  readonly waits: boolean;
}

/** `all`: of one title. */
export function reportOf(all: readonly Finding[]): Report {
  const [{ severity, code, words, path, waits }, ...others] = all as readonly [Finding, ...Finding[]];
  const list = all.map((one) => `- ${one.words}`).join("\n");
  const lead = others.length > 0 ? `${wholePlan}\n\n${list}\n\n` : path ? `${words} ` : `${wholePlan} ${words} `;
  // An apply that plans again may have changed other objects before.
  const notMade = others.length > 0 ? "These changes were not made." : "This change was not made.";
  const end = severity === "error" ? [...(waits ? [unseen] : []), notMade].join(" ") : "";
  return {
    severity,
    code,
    detail: `${lead}${end}`.trimEnd(),
    path: others.length > 0 ? [] : (path ?? []),
    keys: all.map(({ key }) => key),
    waits,
  };
}

/** None: the provider says nothing about the effect by itself. */
export function findingOf(effect: Effect, plan: KnownPlan): Finding[] {
  const severity = severityOf(effect);
  if (!severity) return [];
  const { code } = effect;
  const words = code === "TNF-RENAMED" ? renamedWords(effect, plan) : brief(named(effect, plan));
  return [
    {
      severity,
      code: titleFor(effect, plan),
      words: [capital(words), rows[code].remedy ?? [], remedyOf(effect), `[${code}]`].flat().join(" "),
      path: plan.isOwn(effect) ? placeOf(effect, plan) : undefined,
      key: `${severity} ${keyOf(effect)}`,
      waits: (severity === "error" && !isFinal(effect) && !isOfReplacement(effect.facts)) || isOfDeletedKey(effect),
    },
  ];
}

/** Equal for effects of which one report is enough. A broken expectation has many counterexamples. */
function keyOf({ code, facts }: Effect): string {
  if (code === "TNF-ACL-MANY") return code;
  return `${code} ${JSON.stringify(facts.kind === "statement" ? [facts.name, facts.replaced] : facts)}`;
}

/** Whether the effect is on a statement of the provider block, which is reported on its own. */
export const isOnStatement = ({ facts }: Effect): boolean => ["statement", "lockout", "own limit"].includes(facts.kind);

/** Whether no change that is planned later can prevent it. The holder of a key may be planned later. */
export function isFinal({ code, facts }: Effect): boolean {
  if (facts.kind === "same key") return facts.holder === undefined;
  return finals.has(code);
}

/** Whether an ACL that is not planned yet names a key that goes. Its plan may wait for that of a key that stays, and takes the key out. */
export const isOfDeletedKey = ({ facts }: Effect): boolean =>
  facts.kind === "key" && facts.isUnmanaged === true && facts.going?.join() === "destroyed";

const finals: ReadonlySet<string> = new Set(["TNF-DUPLICATE", "TNF-EARLY-ACCESS", "TNF-RENAMED", "TNF-UNKNOWN-KEY"]);

function severityOf(effect: Effect): Finding["severity"] | undefined {
  const { code, facts, refuses } = effect;
  if (refuses) return "error";
  // Terraform reads an ACL that depends on this one, and that the plan moves away, only after this call.
  if (facts.kind === "same key" && facts.holder?.isMoved) return "warning";
  // The plan of an ACL that names a replaced key comes after that of the key.
  if (facts.kind === "key") return facts.keepsName || facts.going?.includes("destroyed") ? "warning" : undefined;
  const isAdoption = facts.kind === "object" && facts.change === "adopted";
  return isAdoption || warned.has(code) || isOnStatement(effect) ? "warning" : undefined;
}

/** Those that are no effects on people. */
const warned: ReadonlySet<string> = new Set([
  "TNF-EARLY-ACCESS",
  "TNF-ACL-MANY",
  "TNF-TOO-MANY-KEYS",
  "TNF-UNKNOWN-KEY",
]);

function titleFor(effect: Effect, { objects }: KnownPlan): Titled {
  const { code, facts, subject } = effect;
  const title = titleOfStatement(effect);
  if (title) return title;
  if (facts.kind === "same key" && facts.holder) return ["TNF-TAKEN", facts.attributes.at(-1)!];
  if (facts.kind === "object" && facts.change === "adopted") return ["TNF-ADOPTION", facts.noun];
  const object = objects.find(({ address }) => address === subject.address);
  return [code, ...(object ? [kindOf(object.type)!.noun] : [])];
}

/** The attribute that the message names. */
function placeOf(effect: Effect, { objects }: KnownPlan): Path {
  const { facts, code, subject } = effect;
  const type = subject.address?.split(".")[0] ?? "";
  if (isOnStatement(effect)) {
    if (isOfReplacement(facts)) return [];
    const isThere = objects.some(({ address, after }) => address === subject.address && after);
    return isThere && judgedAt[type] !== undefined ? attributePath(judgedAt[type]) : [];
  }
  if (facts.kind === "same key") return attributePath(facts.attributes.at(-1)!);
  if (code === "TNF-DUPLICATE" && kindOf(type)?.list) return attributePath(kindOf(type)!.uniqueKey.at(-1)!);
  const isOfRule = facts.kind === "unknown key" || (facts.kind === "key" && type === networkAcl.type);
  return isOfRule ? attributePath("rule") : [];
}

const judgedAt: Readonly<Record<string, string>> = {
  [networkAcl.type]: "rule",
  [rateLimitPolicy.type]: "configuration",
  [organizationMemberSet.type]: "organization_id",
};

/** Terraform does not tell the addresses that `moved` needs. */
function renamedWords({ facts }: Effect, { objects }: KnownPlan): string {
  if (facts.kind !== "object" || facts.change !== "renamed") return "";
  const { type, before } = objects.find(({ address }) => address === facts.from)!;
  const id = String(before?.[kindOf(type)!.identity.attribute]);
  return (
    `This plan destroys ${facts.noun} ${id} and creates an identical one. If you renamed the resource or moved it into a module, write this ` +
    "block with both addresses. The object then stays unchanged.\n\nmoved {\n  from = OLD_ADDRESS\n  to   = NEW_ADDRESS\n}\n\n" +
    'In CDK, call `moveFromId("OLD_ADDRESS")` on the renamed construct. ' +
    `Terraform does not tell the provider the addresses. \`terraform state list -id=${shellWord(id)}\` prints the old address. The plan ` +
    "shows the new one."
  );
}

/** The message lists the first ones. */
const most = 50;

function warningOf(
  effects: readonly Effect[],
  plan: KnownPlan,
  { level, reported }: Settings & { level: Level },
): Report[] {
  const found = effects.filter(
    (effect) =>
      isOnPeople(effect) && !isOnStatement(effect) && isAtLeast(effect.level, level) && !reported.has(keyAtSet(effect)),
  );
  // A change of members alone is announced at its set.
  if (isAtLeast(level, "medium") && found.every(isOfSet)) return [];
  const shown = inOrder(found)
    .map((effect) => ({ effect, line: `${signOf(effect.level)} ${briefLine(named(effect, plan))}` }))
    .filter(({ line }) => !reported.has(line));
  const lines = shown.map(({ line }) => line);
  const [worst, ...others] = lines.slice(0, most);
  const isNews = !isAtLeast(level, "medium") || shown.some(({ effect }) => !isOfSet(effect));
  if (worst === undefined || !isNews) return [];
  const rest = lines.length > most ? [`- and ${lines.length - most} more`] : [];
  const list = others.length > 0 ? [[...others.map((line) => `- ${line}`), ...rest].join("\n")] : [];
  const isAlone = !plan.remote.network_acls && plan.objects.some(({ type }) => type === networkAcl.type);
  return [
    {
      severity: "warning",
      code: ["TNF-PLAN-EFFECTS", worst],
      detail: [wholePlan, ...list, ...(isAlone ? [alone] : []), advice].join("\n\n"),
      path: [],
      keys: lines,
      waits: false,
    },
  ];
}

const alone = "The plan did not read the other network ACLs of the tenant. They may change what the planned ones do.";

const advice =
  "Run `npx tenantform review` to see which requests change their outcome. " +
  'Set `plan_warnings` in the provider block to the lowest level that plans show, such as "high", or to "off".';

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`;

/** The effect with titles in place of addresses. */
function named(effect: Effect, { titles, objects }: KnownPlan): Effect {
  const titled = (text: string) => text.replace(addressIn, (address) => titles.get(address) ?? address);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return titled(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== "object" || value === null) return value;
    const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, walk(part)]));
    // The name of a key stands beside its address.
    const key = "key" in value && objects.find(({ address }) => address === (value as ObjectName).address);
    return key ? { ...parts, address: key.before?.["id"] ?? "new" } : parts;
  };
  const cause = effect.cause.map((one) => ({ ...one, address: capital(titled(one.address)) }));
  const assumptions = walk(effect.assumptions) as Effect["assumptions"];
  return { ...effect, facts: walk(effect.facts) as Effect["facts"], cause, assumptions };
}

const addressIn = /tenant_\w+\.[\w-]+/g;
