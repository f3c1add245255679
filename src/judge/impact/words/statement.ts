/** Words statements that do not hold. */
import { andWords, clipped, listed, orWords } from "../../../formats/text/lists";
import type {
  BlindFacts,
  BlockedShare,
  GuardFacts,
  LockoutFacts,
  Replaced,
  StatementFacts,
  UnshownFacts,
  WeakenedFacts,
} from "../statement/facts";
import { assumptionWords, doubtWords, type Assumption } from "./assumption";
import { judgementWords } from "./reason";
import type { Template } from "./template";

const mostNamed = 5;
const open = "known only after the apply";

/** `"Wall" (priority 9) would block`; without a modal verb, `"Wall" (priority 9) blocks`. */
export function blockerWords({ by, outcome }: LockoutFacts, modal?: "may" | "would"): string {
  const verb = outcome === "redirected" ? "redirect" : "block";
  return `${andWords(listed(by, mostNamed))} ${modal === undefined ? `${verb}${by.length === 1 ? "s" : ""}` : `${modal} ${verb}`}`;
}

const firstWords = ({ noun }: Replaced) =>
  `Terraform deletes the old ${noun} first, because the new one needs the same ${noun === "ACL" ? "priority" : "selector"}. Without ` +
  "`-replace`, `replace_triggered_by` or a taint, the provider changes it in place.";

const missingWords = ({ address }: Replaced) => `When Terraform deletes ${address} to replace it`;

/** A sentence. `when`: the moment of a lock-out that was not so before. */
export function lockoutWords(facts: LockoutFacts, isPossible: boolean, when = "After this plan"): string {
  const { request, called, isHidden, shares, was } = facts;
  const isSame = was === "blocked";
  const does = blockerWords(facts, isPossible ? "may" : isSame ? undefined : "would");
  const beginning = `${isSame ? "" : `${when}, `}${does}`;
  const why = isHidden ? "" : whyWords(facts);
  if (request === "protected request") return `${beginning} the protected request "${called}"${why}.`;
  if (request === "token") return `${beginning} Terraform's request for a token${why}.`;
  const most = isHidden ? "most requests" : andWords(shares.map(shareWords));
  const where = called === undefined ? "" : ` for the protected request "${called}", whose other facts are not known`;
  const doubt = isPossible && !isHidden && facts.because ? doubtWords(facts.because, 2) : "";
  return `${beginning} ${most} from the Management API${where}.${doubt}`;
}

/** `99.98 % of IPv4 addresses` */
const shareWords = ({ family, percent, byCountry }: BlockedShare) =>
  `${percent} % of ${byCountry ? `requests over ${family}, counted by address and country` : `${family} addresses`}`;

export const becauseWords = (all: readonly Assumption[]) => andWords(listed(all.map(assumptionWords), 2));

/** Why the ACL matches, or why it is not known whether it does. */
function whyWords({ by, because, unless, isOpen }: LockoutFacts): string {
  if (isOpen) return `. ${by.length === 1 ? "Its" : "Their"} values are ${open}`;
  const words = because ? `: ${becauseWords(because)}` : "";
  return unless.length === 0 ? words : `${words}, unless ${orWords(unless)}, whose values are ${open}, allows it`;
}

const older = {
  blocked: "This was already so before the change.",
  "blocked by another ACL": "Another network ACL blocked it before the change.",
};

export const lockoutTemplate: Template<LockoutFacts> = {
  sentence: (facts, { certainty }) => {
    const { replaced } = facts;
    const words = lockoutWords(facts, certainty === "possible", replaced && missingWords(replaced));
    if (replaced) return `${words} ${firstWords(replaced)}`;
    return facts.was === undefined ? `Lock-out: ${words}` : `${words} ${older[facts.was]}`;
  },
  who: ({ was }) => (was === undefined ? "Terraform or a protected request" : undefined),
};

export const statementTemplate: Template<StatementFacts> = {
  sentence: ({ name, was, is, reason, replaced }, { assumptions }) => {
    const called = `"${clipped(name, 100)}"`;
    const because = judgementWords({ verdict: is, reason, assumptions });
    if (replaced) {
      return `${missingWords(replaced)}, the expectation ${called} would be broken: ${because} ${firstWords(replaced)}`;
    }
    if (is === "broken" && was === "other") return `Breaks the expectation ${called}: ${because}`;
    const verdict = is === "broken" ? "is broken" : "is undecided";
    return `Expectation ${called} ${verdict}: ${because}${was === "broken" ? " It was so before this change." : ""}`;
  },
  who: ({ name, was, is }) =>
    is === "broken" && was === "other" ? `the expectation "${clipped(name, 100)}"` : undefined,
};

export const weakenedTemplate: Template<WeakenedFacts> = {
  sentence: ({ of = "expectation", name, was, is, isWarning, isDynamic, idle = [] }) => {
    const called = `${of} "${clipped(name, 100)}" of the base branch`;
    const [old, now] = [was, is].map((text) => text && clipped(text, 200));
    const change =
      now === undefined
        ? `The change removes the ${called}: ${old}.`
        : now === old
          ? `The ${called} ${isWarning ? "becomes a warning" : "changes"}: ${old}.`
          : `The ${called} changes: it was ${old}, and is ${now}${isWarning ? ", as a warning" : ""}.`;
    return [
      change,
      ...(of === "expectation" ? [] : ["The provider no longer refuses a plan that blocks this request."]),
      ...(isDynamic ? [`The configuration has dynamic ${of}s, which plans leave out.`] : []),
      ...(idle.length > 0
        ? [
            `No resource uses the provider configuration${idle.length === 1 ? "" : "s"} ${andWords(idle)}, so no plan checks its expectations.`,
          ]
        : []),
    ].join(" ");
  },
};

export const guardTemplate: Template<GuardFacts> = {
  sentence: ({ is, was }) => {
    const now = is === null ? "is not a constant, so it may be off" : `is "${is}"`;
    const old = was === undefined ? "" : ` (the base branch has "${was}")`;
    return (
      `\`lockout_guard\` ${now}${old}. Terraform may then apply a plan that locks Terraform out. Remove \`lockout_guard\`, or set it to ` +
      '"error".'
    );
  },
};

export const unshownTemplate: Template<UnshownFacts> = {
  sentence: ({ block, name = "", attributes = [], provider }) =>
    provider === undefined
      ? `The plan does not show ${andWords(attributes.map((one) => `\`${one}\``))} of the protected request "${name}", so the review cannot ` +
        "check this request. Write the value as a constant or as a variable of the root module."
      : `The provider configuration ${provider} has a dynamic block for \`${block}\`. Plans leave out dynamic blocks, so the review does not ` +
        "know what they state and cannot check it. Write plain blocks.",
};

export const blindTemplate: Template<BlindFacts> = {
  sentence: ({ names, because }) => {
    const all = listed(
      names.map((name) => `"${clipped(name)}"`),
      mostNamed,
    );
    const what =
      names.length === 1 ? `Expectation ${all[0]!} is` : `${names.length} expectations (${andWords(all)}) are`;
    return `${what} undecided.${doubtWords(because)}`;
  },
};
