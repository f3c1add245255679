/** Shows 200 changes at synth, in the plan and in the review, and compares codes and levels. */
import { levelOf } from "../../src/codes/codes";
import { isAtLeast, type Code, type Effect } from "../../src/impact/effect";
import { refusesOf } from "../../src/impact/refusals";
import { sign } from "../../src/impact/verdict";
import type { Review } from "../../src/review/review";
import { openReview, type Reviewing, type Said } from "../resources/support/reviewing";
import { generatedChanges, type Change } from "./support/changes";
import { isNamedIn, namesOf, planAndReview, synthReports, type Report } from "./support/channels";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview({ flags: ["tenant_acl_hmac_signature"] });
});
afterAll(() => reviewing.close());

interface Compared {
  readonly change: Change;
  readonly effects: readonly Effect[];
  readonly reports: readonly Report[];
}

/** Why a channel may leave out a effect of the review; undefined: it must report the effect. */
type Excuse = (effect: Effect, compared: Compared) => string | undefined;

const none: Excuse = () => undefined;

const isOfUnmanaged: Excuse = ({ text }, { change: { unmanaged } }) =>
  unmanaged.some((object) => isNamedIn(text, namesOf(object))) ? "synth does not know unmanaged objects" : undefined;

const isOfState: Excuse = (_finding, { change: { resources } }) =>
  resources.filter(({ isImported }) => isImported).length < 2 ? "synth does not know the ids in the state" : undefined;

const isOfToken: Excuse = ({ text }, { reports }) => {
  const isWorse = reports.some(
    ({ code, text: other }) => code === "TNF-ACL-LOCKOUT" && subjectIn(other) === management,
  );
  return isWorse && subjectIn(text) === token
    ? "if the Management API is blocked, the token does not matter"
    : undefined;
};

const isOfAddedMembers: Excuse = ({ level }) =>
  level === "info" ? "the plan reports only members who leave" : undefined;

const documented: Readonly<Record<"synth" | "plan", Partial<Record<Code, Excuse>>>> = {
  synth: {
    "TNF-ACL-SHADOWED": isOfUnmanaged,
    "TNF-ACL-SAME-PRIORITY": isOfUnmanaged,
    "TNF-DUPLICATE": isOfState,
  },
  plan: {
    "TNF-DUPLICATE": none,
    "TNF-ACL-LOCKOUT": isOfToken,
    "TNF-ACL-LOCKOUT-POSSIBLE": none,
    "TNF-ACL-SAME-PRIORITY": none,
    "TNF-KEY-IN-USE": none,
    "TNF-EARLY-ACCESS": none,
    "TNF-MEMBERS-EMPTIED": none,
    "TNF-MEMBERS-MANY": none,
    "TNF-MEMBERS-UNKNOWN": isOfAddedMembers,
  },
};

const management = "the Management API";
const token = "request for a token";
/** The subject of a lock-out is a request. */
const subjectIn = (text: string) =>
  /the protected request "[^"]+"|request for a token|the Management API/.exec(text)?.[0];

/** Codes whose level depends on the effect. The messages of the other channels have no level. */
const byEffect: ReadonlySet<Code> = new Set([
  "TNF-LIMIT-LOCKOUT",
  "TNF-LIMIT-BLOCKED",
  "TNF-LIMIT-TIGHTENED",
  "TNF-LIMIT-LOOSENED",
  "TNF-LIMIT-REDIRECT",
  "TNF-MEMBERS-UNKNOWN",
]);

/** One effect for several objects, with the address of the first one. */
const groups: ReadonlySet<Code> = new Set(["TNF-ACL-SAME-PRIORITY", "TNF-KEY-IN-USE"]);

function isSame(effect: Effect, report: Report, { change, effects }: Compared): boolean {
  if (effect.code !== report.code) return false;
  if (report.address !== undefined) return report.address === effect.address;
  if (effect.code === "TNF-EARLY-ACCESS") return true;
  if (subjectIn(effect.text) !== subjectIn(report.text)) return false;
  const about = [...change.resources, ...change.unmanaged].filter((object) => {
    const names = namesOf(object);
    const isWhole = effect.address === undefined || groups.has(effect.code);
    return names.includes(effect.address ?? "") || (isWhole && isNamedIn(effect.text, names));
  });
  // If ACLs have the same priority, each one of them may be the one that blocks.
  const isTie = effect.code === "TNF-ACL-LOCKOUT" && effects.some(({ code }) => code === "TNF-ACL-SAME-PRIORITY");
  return isTie || about.some((object) => isNamedIn(report.text, namesOf(object)));
}

/** Terraform refuses the plan, so a message about one resource of a duplicate does not come true. */
function isOfDuplicate(text: string, { change, effects }: Compared): boolean {
  const duplicates = effects.flatMap(({ code, address }) => (code === "TNF-DUPLICATE" && address) || []);
  const refused = change.resources.filter((resource) => duplicates.some((one) => namesOf(resource).includes(one)));
  return refused.some((resource) => isNamedIn(text, namesOf(resource)));
}

/** The disagreements of one channel with the review; `count` is called for each report that both have. */
function disagreements(channel: "synth" | "plan", compared: Compared, count: (code: Code) => void): string[] {
  const { reports, effects } = compared;
  const alone = reports.flatMap((report) => {
    const same = effects.filter((effect) => isSame(effect, report, compared));
    if (same.length === 0)
      return report.code !== "TNF-DUPLICATE" && isOfDuplicate(report.text, compared)
        ? []
        : [`only ${channel}: ${report.text}`];
    count(report.code);
    const isByEffect = byEffect.has(report.code);
    return isByEffect || same.every(({ level }) => level === levelOf(report.code))
      ? []
      : [`another level: ${report.text}`];
  });
  const missing = effects.filter((effect) => {
    const excuse = documented[channel][effect.code];
    if (!excuse || reports.some((report) => isSame(effect, report, compared))) return false;
    const isRefused = effect.code !== "TNF-DUPLICATE" && isOfDuplicate(effect.text, compared);
    return !isRefused && excuse(effect, compared) === undefined;
  });
  return [...alone, ...missing.map(({ code, text }) => `missing in ${channel}: ${code} ${text}`)];
}

/** The effects of which the review says wrongly whether the provider refuses the plan. */
function refusalDisagreements(compared: Compared, count: (answer: boolean) => void): string[] {
  // Terraform has no free call for a change that may prevent it, so the plan leaves the refusal to the apply.
  const errors = compared.reports.filter(
    ({ severity, text }) => severity === "error" || text.includes("so the apply decides: it refuses"),
  );
  return compared.effects.flatMap((effect) => {
    const refuses = refusesOf(effect);
    if (refuses === undefined || isOfDuplicate(effect.text, compared)) return [];
    count(refuses);
    const isRefused = errors.some((report) => isSame(effect, report, compared));
    return refuses === isRefused ? [] : [`refuses is ${refuses}: ${effect.code} ${effect.text}`];
  });
}

/** The effects on requests that the review and the plan warning of one change do not share; `count`: those that they share. */
function verdictDisagreements(
  { errors, warnings }: Said,
  { effects }: Review,
): { readonly count: number; readonly found: string[] } {
  const inPlan = warnings
    .flatMap(({ summary, detail }) => `${summary}\n${detail}`.split("\n"))
    .map((line) => line.replace(/^- /, ""))
    .filter((line) => /^[✖●○] .*\[TNF-ACL-(?!LOCKOUT)[A-Z-]+\]$/.test(line));
  const ofRequests = effects.filter(({ code, who }) => who !== undefined && /^TNF-ACL-(?!LOCKOUT)/.test(code));
  // The plan adds the objects that cause the effect, by other names.
  const words = ofRequests.map(({ level, text, brief }) => `${sign(level)} ${brief ?? text} `);
  // Terraform refuses the plan.
  const isDuplicate = effects.some(({ code }) => code === "TNF-DUPLICATE");
  const alone = isDuplicate ? [] : inPlan.filter((line) => !words.some((one) => line.startsWith(one)));
  // A refused plan is not complete, and a plan tells the effects of level medium and worse.
  const told = words.filter((_, index) => isAtLeast(ofRequests[index]!.level, "medium"));
  const missing = errors.length > 0 ? [] : told.filter((one) => !inPlan.some((line) => line.startsWith(one)));
  return {
    count: inPlan.length - alone.length,
    found: [...alone.map((line) => `only plan: ${line}`), ...missing.map((line) => `only review: ${line}`)],
  };
}

test("synth, plan and review report the same codes, levels and effects for 200 changes", async () => {
  const changes = generatedChanges();
  expect(changes.length).toBe(200);
  const counts = { synth: new Map<Code, number>(), plan: new Map<Code, number>() };
  const found: string[] = [];
  const refusals = { true: 0, false: 0 };
  let counted = 0;
  for (const [index, change] of changes.entries()) {
    const { plan, said, review } = await planAndReview(reviewing, change);
    const effects = verdictDisagreements(said, review);
    counted += effects.count;
    found.push(...effects.found.map((words) => `change ${index}, ${words}`));
    const compared = { change, effects: review.effects, reports: plan };
    const wrong = refusalDisagreements(compared, (answer) => void refusals[`${answer}`]++);
    found.push(...wrong.map((words) => `change ${index}, ${words}`));
    for (const [channel, reports] of [
      ["synth", synthReports(change)],
      ["plan", plan],
    ] as const) {
      const count = (code: Code) => counts[channel].set(code, (counts[channel].get(code) ?? 0) + 1);
      const own = disagreements(channel, { change, effects: review.effects, reports }, count);
      found.push(...own.map((words) => `change ${index}, ${words}`));
    }
  }
  expect(found).toEqual([]);
  expect(counted).toBeGreaterThan(50);
  expect(Math.min(refusals.true, refusals.false)).toBeGreaterThan(20);
  for (const channel of ["synth", "plan"] as const) {
    const rare = Object.keys(documented[channel]).filter((code) => (counts[channel].get(code as Code) ?? 0) < 3);
    expect([channel, rare]).toEqual([channel, []]);
  }
});
