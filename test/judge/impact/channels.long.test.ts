/** Shows random changes at synth, in the plan and in the review: all report the same codes, and the same lines about requests. */
import { worded } from "./support/worded";
import { isAtLeast, type Code, type Effect } from "../../../src/judge/impact/effect";
import { signOf } from "../../../src/judge/impact/words/words";
import type { Review } from "../../../src/review/judge/review";
import { refusesOf } from "../../../src/judge/impact/refusals";
import { openReview, type Reviewing, type Said } from "../../provider/resources/support/reviewing";
import { generatedChanges, type Change } from "./support/changes";
import { planAndReview, planCodes, synthCodes } from "./support/channels";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview({ flags: ["tenant_acl_hmac_signature"] });
});
afterAll(() => reviewing.close());

/** Whether the channel knows enough to report an effect of the review. */
type Knows = (change: Change, effect: Effect) => boolean;
const always: Knows = () => true;
const knowsTenant: Knows = ({ unmanaged }) => unmanaged.length === 0;
const knowsIds: Knows = ({ resources }) => resources.filter(({ isImported }) => isImported).length > 1;

/** What a stack alone says may be so before the change already, or not be so with an ACL outside the stack. */
const isOfStack = (code: Code, { resources, unmanaged }: Change) =>
  code === "TNF-ACL-LOCKOUT" && (unmanaged.length > 0 || resources.some(({ before }) => before));

const channels: Readonly<Record<"synth" | "plan", Partial<Record<Code, Knows>>>> = {
  synth: { "TNF-ACL-SHADOWED": knowsTenant, "TNF-ACL-SAME-PRIORITY": knowsTenant, "TNF-DUPLICATE": knowsIds },
  plan: {
    "TNF-DUPLICATE": always,
    "TNF-ACL-LOCKOUT": always,
    "TNF-ACL-LOCKOUT-POSSIBLE": always,
    "TNF-ACL-SAME-PRIORITY": always,
    "TNF-KEY-IN-USE": always,
    "TNF-UNKNOWN-KEY": always,
    "TNF-EARLY-ACCESS": always,
    "TNF-MEMBERS-EMPTIED": always,
    "TNF-MEMBERS-MANY": always,
    // The plan reports only members who leave, and in its warning of all effects whom another set may keep.
    "TNF-MEMBERS-UNKNOWN": (_change, { level }) => isAtLeast(level, "medium"),
  },
};

/** Terraform refuses the plan of a duplicate, so what else is said of its resources does not come true. */
const isRefused = (effects: readonly Effect[]) => effects.some(({ code }) => code === "TNF-DUPLICATE");

function disagreements(channel: "synth" | "plan", codes: readonly Code[], change: Change, effects: readonly Effect[]) {
  const isOpen = isRefused(effects);
  const isKnown = (one: Code) => effects.some(({ code }) => code === one);
  const alone = codes.filter((one) => !isOpen && !isKnown(one) && !(channel === "synth" && isOfStack(one, change)));
  const missing = effects.filter((effect) => {
    const isDue = channels[channel][effect.code]?.(change, effect) && (!isOpen || effect.code === "TNF-DUPLICATE");
    return isDue && !codes.includes(effect.code);
  });
  return [
    ...alone.map((code) => `only ${channel}: ${code}`),
    ...missing.map(({ code }) => `not in ${channel}: ${code}`),
  ];
}

/** The lines about requests that the plan warning and the review do not share. */
function lineDisagreements({ errors, warnings }: Said, { effects }: Review) {
  const inPlan = warnings
    .flatMap(({ summary, detail }) => `${summary}\n${detail}`.split("\n"))
    .map((line) => line.replace(/^- /, ""))
    .filter((line) => /^[✖●○] .*\[TNF-ACL-(?!LOCKOUT)[A-Z-]+\]$/.test(line));
  const ofRequests = effects
    .map(worded)
    .filter(({ code, who }) => who !== undefined && /^TNF-ACL-(?!LOCKOUT)/.test(code));
  // The plan adds the objects that cause the effect, by other names.
  const words = ofRequests.map(({ level, text, brief }) => `${signOf(level)} ${brief ?? text} `);
  const alone = isRefused(effects) ? [] : inPlan.filter((line) => !words.some((one) => line.startsWith(one)));
  // A refused plan is not complete, and a plan tells the effects of level medium and worse.
  const told = words.filter((_, index) => isAtLeast(ofRequests[index]!.level, "medium"));
  const missing = errors.length > 0 ? [] : told.filter((one) => !inPlan.some((line) => line.startsWith(one)));
  return {
    shared: inPlan.length - alone.length,
    found: [...alone.map((line) => `only plan: ${line}`), ...missing.map((line) => `only review: ${line}`)],
  };
}

/** The codes of which the review says wrongly whether the provider refuses the plan. */
function refusalDisagreements({ errors }: Said, { effects }: Review): string[] {
  const refused = errors.map(({ detail = "" }) => detail).join();
  const refusing = new Set(effects.filter((one) => refusesOf(one) === true).map(({ code }) => code));
  if (isRefused(effects)) return [];
  return effects.flatMap((one) => {
    const isError = refused.includes(`[${one.code}]`);
    const isWrong = refusing.has(one.code) ? !isError : isError && refusesOf(one) === false;
    return isWrong ? [`refuses is ${refusesOf(one)}: ${one.code} ${worded(one).text}`] : [];
  });
}

test("synth, plan and review report the same codes and lines for random changes", async () => {
  const counts = { synth: new Map<Code, number>(), plan: new Map<Code, number>() };
  const found: string[] = [];
  let shared = 0;
  for (const [index, change] of generatedChanges().entries()) {
    const { said, review } = await planAndReview(reviewing, change);
    const lines = lineDisagreements(said, review);
    shared += lines.shared;
    const own = [...lines.found, ...refusalDisagreements(said, review)];
    for (const [channel, codes] of [
      ["synth", synthCodes(change)],
      ["plan", planCodes(said)],
    ] as const) {
      for (const code of codes) counts[channel].set(code, (counts[channel].get(code) ?? 0) + 1);
      own.push(...disagreements(channel, codes, change, review.effects));
    }
    found.push(...own.map((words) => `change ${index}, ${words}`));
  }
  expect(found).toEqual([]);
  expect(shared).toBeGreaterThan(50);
  for (const channel of ["synth", "plan"] as const) {
    const rare = Object.keys(channels[channel]).filter((code) => (counts[channel].get(code as Code) ?? 0) < 3);
    expect([channel, rare]).toEqual([channel, []]);
  }
});
