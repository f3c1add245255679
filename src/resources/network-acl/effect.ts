/** Words what the change of one network ACL does. */
import { flagOf, type Acl, type Rule } from "../../access/access";
import { addressChanges } from "../../impact/network-acl/addresses";
import { countWords } from "../../impact/network-acl/count-words";
import { isDangerous } from "../../impact/network-acl/danger";
import { entryChanges, type EntryChange } from "../../impact/network-acl/entries";
import { show } from "../../sdk/check";
import { isKnown, type Change, type Config, type Planned, type State } from "../../sdk/definition";
import { instantWords } from "../../text/instant";
import { actionWords, type ChangeNote } from "../change-note";
import { endingIfReplaced, plannedObject } from "../planned-object";
import { networkAcl } from "./definition";
import { contentOf, toWire } from "./wire";

type Definition = typeof networkAcl;

const verbs: Readonly<Record<string, readonly [present: string, past: string]>> = {
  block: ["blocks", "blocked"],
  redirect: ["redirects", "redirected"],
  allow: ["allows", "allowed"],
  log: ["logs", "logged"],
};

export function noteOf(change: Change<Definition>): ChangeNote {
  const { action, prior, planned } = change;
  const isUpdate = action === "update" && isKnown(networkAcl, planned);
  const { description } = (planned ?? prior)!;
  return {
    title: `Network ACL ${show(description)}${prior ? ` (${prior.id})` : ""}`,
    ...(isUpdate ? updateOf(prior, planned) : { words: wordsOf(change), dangerous: false }),
    mayBeGrave: mayBeGrave(change),
    explains: isUpdate,
    object: endingIfReplaced(plannedObject("tenant_network_acl", change)),
  };
}

function wordsOf({ action, prior, planned }: Change<Definition>): string {
  const { active, rule, priority } = (planned ?? prior)!;
  const { action: flags, scope } = typeof rule === "symbol" ? {} : (rule as Partial<Acl["rule"]>);
  const flag = typeof flags === "object" ? flagOf(flags) : undefined;
  return [
    actionWords[action] + (flag === undefined ? "" : ` with action ${flag}`),
    ...(active === false ? ["switched off"] : []),
    ...(typeof scope === "string" ? [`scope ${scope}`] : []),
    ...(typeof priority === "number" ? [`priority ${priority}`] : []),
  ].join(", ");
}

/** An ACL that only logs, or is switched off, changes no outcome. */
function mayBeGrave({ prior, planned }: Change<Definition>): boolean {
  const sides = [prior, planned].filter((side) => side !== undefined) as Planned<Definition>[];
  const [meaning, ...others] = sides.map((side) => JSON.stringify({ ...contentOf(side), description: undefined }));
  return (
    !others.includes(meaning!) &&
    sides.some(({ active, rule }) => active !== false && (rule as Partial<Acl["rule"]>).action?.["log"] !== true)
  );
}

/** Entries are counted and not shown, because they may be sensitive. */
function updateOf(prior: State<Definition>, planned: Config<Definition>): Pick<ChangeNote, "words" | "dangerous"> {
  const [before, after] = [toWire(prior) as Acl, toWire(planned) as Acl];
  const [old, now] = [before, after].map(({ rule }) => flagOf(rule.action) ?? "block") as [string, string];
  const [verb] = verbs[now]!;
  const [all, allNow] = [before, after].map(({ rule }) => rule.match_all === true);
  const words = [
    ...(old === now ? [] : [`${verb} what it ${verbs[old]![1]}`]),
    ...(before.active === after.active ? [] : [activityWords(planned)]),
    ...(old === now && before.rule.action["redirect_uri"] !== after.rule.action["redirect_uri"]
      ? ["redirects to another URI"]
      : []),
    ...(all === allNow ? [] : [allNow ? "matches all requests" : "no longer matches all requests"]),
    ...entriesWords(before.rule, after.rule, verb),
  ];
  const isSame = before.rule.scope === after.rule.scope && before.priority === after.priority;
  return {
    words: [
      ...(words.length === 0 && isSame ? ["matches the same requests"] : words),
      worded("scope", before.rule.scope, after.rule.scope),
      worded("priority", before.priority, after.priority),
      ...(prior.expires_at === planned.expires_at
        ? []
        : [`expires_at ${planned.expires_at ?? "unset"} in place of ${prior.expires_at ?? "unset"}`]),
    ].join(", "),
    dangerous: isDangerous(before, after),
  };
}

/** `planned` has the derived values too. */
function activityWords({
  active,
  expires_at: end,
  expired,
}: Config<Definition> & { readonly expired?: unknown }): string {
  if (active) return "is switched on";
  return expired === true && end !== undefined
    ? `is switched off, because it expired on ${instantWords(end)}`
    : "is switched off";
}

function worded(name: string, before: unknown, after: unknown): string {
  return `${name} ${String(after)}${before === after ? "" : ` (was ${String(before)})`}`;
}

function entriesWords(before: Rule, after: Rule, verb: string): string[] {
  const changes = entryChanges(before, after);
  const addresses = addressChanges(before, after, changes);
  return changes.flatMap((change) => {
    const found = addresses.find(({ last }) => last === change)?.counts ?? [];
    const amounts = found.flatMap((counts) => countWords(counts.property, counts));
    return [...listWords(change, verb), ...(amounts.length > 0 ? [`${verb} ${amounts.join(" and ")}`] : [])];
  });
}

/** A rule matches fewer requests if `not_match` gets more entries. */
function listWords({ side, property, before, after, counts }: EntryChange, verb: string): string[] {
  if (!before || !after) return [`${after ? "adds" : "no longer has"} ${side}.${property}`];
  if (!counts) return [];
  const { more, fewer } = counts;
  const words = countWords(property, side === "match" ? counts : { more: fewer, fewer: more });
  return words.length > 0 ? [`${verb} ${words.join(" and ")}`] : [];
}
