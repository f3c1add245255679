/** Makes the effects of what the judge found: the text of the row, and masked values for its placeholders. */
import { effect, type Effect, type Level } from "../effect";
import { quoted } from "../../access/access";
import type { Cause } from "../cause";
import { textOf as plainText } from "../../kinds/kind";
import { subjectOf } from "../objects/actions";
import { amount, andWords, clipped, counted, hidden } from "../../../formats/text/lists";
import { oneLine } from "../../../formats/text/printable";
import { bare, type PlannedObject } from "../model";
import type { Again } from "./again";
import { lastName, type ValueChange } from "./changes";
import { isTowards, objectChange, type ObjectChange, type Wanted } from "./match";
import { attributeOf, attributeWords, elementWords, nameIn, type Known } from "./names";
import { placeholders, type Row } from "./row";
import type { Assumption } from "../words/assumption";

/** A row that fits an object, with the changes that it decides. */
export interface Found {
  readonly object: PlannedObject;
  readonly row: Row;
  /** What decides without the row of a person. */
  readonly builtIn?: Row | undefined;
  readonly level: Level;
  readonly changes: readonly ValueChange[];
  readonly change?: ObjectChange;
  /** Why the value does not tell more. */
  readonly because?: Because;
  /** What makes the row fit, of values that nobody knows, or may see. `not`: what would make another row fit. */
  readonly open?: readonly Wanted[];
  readonly not?: readonly Wanted[];
  /** The changes are what a list may lose, because its new elements are not known. */
  readonly mayStay?: true;
  /** All values that the plan sets. What they were before is not known. */
  readonly sets?: readonly ValueChange[];
  readonly along: PlannedObject[];
  /** What uses the object, so that Auth0 refuses to delete it. */
  readonly users: readonly PlannedObject[];
  /** Other instances of the resource of which the same is so. `isShared`: the object in other plans, which destroy it too. */
  readonly also?: readonly PlannedObject[];
  readonly isShared?: true;
  /** The plans make the object again. */
  readonly again?: Again;
  /** No later plan gets a token. */
  readonly isLockout?: true;
}

const undecidedTexts = {
  unknown:
    "The new value of {path} of {name} is known only after the apply, so the review cannot say what people lose.",
  sensitive:
    "{path} of {name} changes in a way that the review does not say, because the plan marks the value as sensitive.",
};

export type Because = keyof typeof undecidedTexts;

/** What no row knows. */
export interface Unread {
  readonly object: PlannedObject;
  readonly paths: readonly string[];
  readonly level: Level;
}

export function effectOf(one: Found, known: Known): Effect {
  const { object, row, level, because, open = [], not = [], mayStay, changes, along, sets, isLockout, also = [] } = one;
  const { address, type } = object;
  const causes = [object, ...also].map((by): Cause => {
    const { plan } = by;
    return { address: by.address, ...(plan !== undefined && { plan }), change: causeOf(one) };
  });
  const text = textOf(one);
  const names = ["name", "path", ...[...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)];
  const assumptions: Assumption[] =
    because === undefined
      ? [
          ...(mayStay ? [{ is: "left out", count: changes.length } as const] : []),
          ...open.map((wanted) => ({ is: "wanted", ...wanted }) as const),
          ...not.map((wanted) => ({ is: "wanted", ...wanted, isNot: true }) as const),
          ...(row.if === undefined ? [] : [{ is: "clause", text: row.if } as const]),
          ...(sets ? [{ is: "not so already" } as const] : []),
          ...lossOf(one),
          ...(object.deferred === undefined ? [] : [{ is: "deferred", reason: object.deferred } as const]),
        ]
      : [];
  return {
    ...effect(
      isLockout ? "TNF-APP-LOCKOUT" : because === undefined ? (row.code ?? "TNF-OWN-RULE") : "TNF-CHANGE-UNKNOWN",
      {
        kind: "row",
        type,
        text,
        values: Object.fromEntries(names.map((name) => [name, wordsFor(name, one, known)])),
        along: along.map(({ address: other }) => other),
        isNothing: row.code === "TNF-FORGOTTEN",
      },
      {
        level,
        certainty: because === undefined ? (assumptions.length > 0 ? "possible" : "certain") : "undecided",
        cause: causes,
        assumptions: assumptions.map((clause) => ({ ...clause, address })),
        ...subjectOf(object),
        type,
      },
    ),
    ...(row.level === "none" && row.reason !== undefined && { ignored: row.reason }),
  };
}

/** When what is made again is lost. */
function lossOf({ object, again }: Found): Assumption[] {
  if (!again?.isKept) return [];
  if (again.by.includes(object)) return [{ is: "ends between" }];
  const does = object.actions.includes("delete") ? "destroys" : "changes";
  const makes = again.by.every(({ actions }) => actions.includes("create")) ? "creates" : "changes";
  return [{ is: "done after", does, object: called([object])[0]!, makes, by: called(again.by) }];
}

const called = (objects: readonly PlannedObject[]): string[] => [
  ...new Set(objects.map(({ address }) => clipped(oneLine(address), 100))),
];

/** What keeps the object. Only one that goes for good can become another one. */
function remedyOf({ object, again }: Found): string {
  if (!again || object.actions.join() !== "delete") return "";
  const isMade = again.by.every(({ actions }) => actions.join() === "create");
  const isMove = isMade && again.by.every(({ type, plan }) => type === object.type && plan === object.plan);
  const leave = "take {from} out of the state by `removed` with destroy = false";
  const remedy = isMove
    ? "write `moved` with from = {from} and to = {to}"
    : isMade
      ? `${leave}, and import {to}`
      : leave;
  return again.isKept ? ` To keep it, ${remedy}.` : ` {to} has the same name: if it is the same object, ${remedy}.`;
}

/** Nobody takes the row of a person for what the review knows. */
function ownRowText({ row, builtIn, because }: Found): string {
  if (row.from === undefined || because !== undefined) return "";
  if (!builtIn) return " A row of {file}; none is built in.";
  if (builtIn.level === "none") return " A row of {file}; built in: no effect.";
  const [mine, theirs] = [row, builtIn].map(({ text }) => text);
  return ` A row of {file}; built in: ${builtIn.level}${mine === theirs ? "." : `: ${theirs}`}`;
}

function alsoText({ also = [], isShared }: Found): string {
  if (also.length === 0) return "";
  return isShared ? " Several plans destroy it: {plans}." : " The same is so of {instances}.";
}

/** Words about a former value hold only where it is known. */
function textOf({ isLockout, ...one }: Found): string {
  const own = changeTextOf(one) + remedyOf(one) + alsoText(one) + ownRowText(one);
  return isLockout
    ? `Terraform authenticates with this application, so no later plan gets a token unless you give the provider other credentials. ${own}`
    : own;
}

function changeTextOf({ row, because, sets }: Found): string {
  const own = row.text ?? "{path} of {name} changes ({changes}).";
  if (because !== undefined) return undecidedTexts[because];
  if (!sets) return own;
  return `${isTowards(row) ? `${own} ` : ""}The plan sets {sets}; what was set before is not in it.`;
}

/** The words for the placeholders in the text of the change, by their names. */
export function saidOf(one: Found, known: Known): ReadonlyMap<string, string> {
  const names = [...changeTextOf(one).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return new Map(names.map((name) => [name, JSON.stringify(wordsFor(name, one, known))]));
}

function causeOf({ change, changes }: Found): Cause["change"] {
  if (change === "create") return { kind: "created" };
  if (change !== undefined) return { kind: change === "destroy" ? "destroyed" : "replaced" };
  return { kind: "changed", attributes: [...new Set(changes.map(({ label }) => label))].map((path) => ({ path })) };
}

/** Of objects beside the one of the effect. */
function besideWords(name: string, { object, row, users, also = [], again }: Found): readonly string[] | undefined {
  switch (name) {
    case "file":
      return [clipped(oneLine(row.from ?? ""), 100)];
    case "users":
      return called(users);
    case "plans":
      return [object, ...also].map((one) => `${called([one])[0]} of ${quoted(clipped(one.plan ?? ""))}`);
    case "instances":
      return [`${amount(also.length)} other instances of ${clipped(oneLine(bare(object.address)), 100)}`];
    case "from":
      return called([object]);
    case "to":
      return called(again?.by ?? []);
    default:
      return undefined;
  }
}

function wordsFor(name: string, found: Found, known: Known): readonly string[] {
  const { object, changes, change, sets } = found;
  const [first] = changes;
  const wordOf = (one: ValueChange, value: unknown) => (one.isSecret ? hidden : elementWords(value, one.place, known));
  switch (name) {
    case "name":
      return [nameIn(object, "before") ?? nameIn(object, "after") ?? object.address];
    case "removed":
      return [...new Set(changes.map((one) => (one.least ? leastWords(one, found.row, known) : wordOf(one, one.was))))];
    case "added":
      return [...new Set(changes.map((one) => wordOf(one, one.is)))];
    case "was":
      return first ? sideWords(first, "was", known) : [replacedName(object, "before")];
    case "is":
      return first ? sideWords(first, "is", known) : [replacedName(object, "after")];
    case "changes":
      return changes.length > 0
        ? [...new Set(changes.map((one) => changeText(one, known)))]
        : [`it is ${participles[change!]}`];
    case "sets":
      return (sets ?? []).map((one) => `${one.label} = ${sideWords(one, "is", known).join(", ")}`);
    case "path":
      return [...new Set(changes.map(({ label }) => label))];
    case "attribute":
      return [...new Set(changes.map(({ label }) => lastName(label)))];
    case "factor":
      return [first?.label.split(".")[0] ?? ""];
    case "method":
      return [first?.label.split(".")[2] ?? ""];
    case "client_id":
      return [attributeOf(object, "before", "client_id")];
    case "element":
      return [first?.element === undefined ? "" : elementWords(first.element.value, first.element.place, known)];
    case "members": {
      const count = known.membersOf(plainText(object.before?.["id"]));
      return [count === undefined ? "all its members" : counted(count, "member")];
    }
    default:
      return besideWords(name, found) ?? attributeWords(placeholders[name] ?? name, object, known);
  }
}

function leastWords(one: ValueChange, { text }: Row, known: Known): string {
  const least = text?.startsWith("{removed}") ? "At least" : "at least";
  return one.isSecret ? hidden : `${least} ${one.least} of ${andWords(sideWords(one, "was", known))}`;
}

function sideWords(one: ValueChange, side: "was" | "is", known: Known): readonly string[] {
  if (one.isSecret) return [hidden];
  const value = one[side];
  return Array.isArray(value)
    ? value.map((part) => elementWords(part, one.place, known))
    : [elementWords(value, one.place, known)];
}

/** The attribute that people call an object by, if it is not its name. */
const calledBy = new Map([
  ["auth0_resource_server", "identifier"],
  ["auth0_custom_domain", "domain"],
]);

function replacedName(object: PlannedObject, side: "before" | "after"): string {
  const attribute = calledBy.get(object.type);
  const isKnown = attribute !== undefined && typeof object[side]?.[attribute] === "string";
  return (isKnown ? attributeOf(object, side, attribute) : nameIn(object, side)) ?? "(known after apply)";
}

const participles = { create: "created", destroy: "destroyed", replace: "replaced" };

function changeText(one: ValueChange, known: Known): string {
  if (one.isSensitive) return hidden;
  const [was, is] = [sideWords(one, "was", known).join(", "), sideWords(one, "is", known).join(", ")];
  if (one.kind === "removed") return `${was} is removed`;
  if (one.kind === "added") return `${is} is added`;
  if (one.isSecret) return hidden;
  return one.kind === "order" ? `the order becomes ${is}` : `${was} becomes ${is}`;
}

export function unreadEffect({ object, paths, level }: Unread): Effect {
  const { address, type } = object;
  const change = objectChange(object) ?? (object.actions.includes("update") ? "update" : "unknown");
  return effect(
    "TNF-NOT-REVIEWED",
    { kind: "unreviewed", address, change, paths },
    { level, certainty: "undecided", ...subjectOf(object), type },
  );
}
