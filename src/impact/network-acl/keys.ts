/** Judges changes of signature keys, and finds the rules that name them. Key material is never shown. */
import { effect, type Effect } from "../effect";
import { hidden } from "../phrases";
import type { Marks, PlannedObject, Values } from "../model";
import { isMarked } from "../value";
import type { PlannedAcl, AclVersions } from "./acl";
import { titleOf } from "./words";

/** Ids of the signature keys that a rule names. A symbol: not known yet. */
export function keysIn(rule: unknown): (string | symbol)[] {
  const keys = ["match", "not_match"].flatMap((side) => {
    const found = partOf(rule, side, "http_message_signature", "keys");
    const ids = Array.isArray(found) ? found.map((key) => partOf(key, "id")) : [found];
    return ids.filter((id) => typeof id === "string" || typeof id === "symbol");
  });
  return [...new Set(keys)];
}

/** The part at the path, or the symbol on the way to it. */
function partOf(value: unknown, ...path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || typeof value === "symbol") return value;
  return typeof value === "object" && value !== null ? partOf((value as Values)[name], ...rest) : undefined;
}

/** The ACLs whose rules name the key. The tenant refuses to delete a key that a rule names, even of an inactive ACL. */
export function aclsNaming<A extends { readonly rule?: unknown }>(
  key: unknown,
  acls: readonly A[],
  { orPerhaps = false } = {},
): A[] {
  return acls.filter(({ rule }) => {
    const keys: readonly unknown[] = keysIn(rule);
    return keys.includes(key) || (orPerhaps && keys.some((one) => typeof one === "symbol"));
  });
}

/** The values of a key, and which of them are sensitive. */
export type KeyChange = Pick<PlannedObject, "before" | "after" | "beforeSensitive" | "afterSensitive">;

/** `key "edge-2026"`: by the name that it has, or else that it will have. */
export function keyTitle({ before, after, beforeSensitive, afterSensitive }: KeyChange): string {
  return before ? titled(before, beforeSensitive) : titled(after ?? {}, afterSensitive);
}

/** Part of a name is no less secret than the whole. */
function titled({ name, name_prefix: prefix }: Values, sensitive: Marks): string {
  if (isMarked(sensitive, "name") || isMarked(sensitive, "name_prefix")) return `key ${hidden}`;
  if (typeof name === "string") return `key "${name}"`;
  const begins = typeof prefix === "string" ? ` that begins with "${prefix}"` : "";
  return `key whose name${begins} is known after apply`;
}

type How = "rotated" | "renamed" | "replaced";

/** One with another fingerprint has other material; with the same it has another name or algorithm alone. */
function howReplaced({ before, after }: KeyChange): How {
  const [was, is] = [before, after].map((values) => values?.["fingerprint"]);
  if (typeof was !== "string" || typeof is !== "string") return "replaced";
  if (was !== is) return "rotated";
  return before?.["name"] === after?.["name"] ? "replaced" : "renamed";
}

/** `rotated: key "edge-2" takes its place, with other material and another id`. */
export function replacedWords(key: KeyChange): string {
  const how = howReplaced(key);
  const material = { rotated: "other material and ", renamed: "the same material and ", replaced: "" }[how];
  return `${how}: ${titled(key.after ?? {}, key.afterSensitive)} takes its place, with ${material}another id`;
}

/** `keys`: the planned keys of all plans. */
export function keyEffects(keys: readonly PlannedObject[], { before, after }: AclVersions): Effect[] {
  const deleted = keys.filter(({ actions }) => actions.includes("delete"));
  const going = new Map<unknown, PlannedObject>(deleted.map((key) => [key.before?.["id"], key]));
  const named = (acl: PlannedAcl | undefined) => (acl ? keysIn(acl.rule).flatMap((id) => going.get(id) ?? []) : []);
  const were = new Map(before.map((acl) => [acl.key, acl]));
  return after.flatMap((acl) => {
    const still = named(acl);
    const left = named(were.get(acl.key)).filter((key) => {
      return key.after && !still.includes(key) && (acl.active || goesFirst(key));
    });
    return [
      ...(still.length > 0
        ? [effect("TNF-KEY-IN-USE", inUseWords(acl, still), acl.address === undefined ? still[0] : acl)]
        : []),
      ...(left.length > 0 ? [effect("TNF-KEY-ROTATED", rotatedWords(acl, left, were.get(acl.key)), acl)] : []),
    ];
  });
}

function inUseWords(acl: PlannedAcl, keys: readonly PlannedObject[]): string {
  const gone = keys.map((key) => (key.after ? "replaced" : "destroyed"));
  const how = new Set(gone).size > 1 ? "destroyed or replaced" : gone[0]!;
  return (
    `${titleOf(acl)} still names the ${listed(keys, [acl])}, which will be ${how}. The tenant refuses to delete a key that a rule ` +
    "names, so the apply fails. Name another key in the rule, in the same plan or before."
  );
}

function rotatedWords(acl: PlannedAcl, keys: readonly PlannedObject[], prior: PlannedAcl | undefined): string {
  const old = keys.every((key) => howReplaced(key) === "renamed") ? "id" : "material";
  const named = listed(keys, prior ? [acl, prior] : [acl]);
  const sentences = [
    `${titleOf(acl)} no longer names the ${named}, because a new key replaces it.`,
    ...(acl.active
      ? [`Requests that are signed with the old ${old} stop matching, so change the signers together with the apply.`]
      : []),
    ...(keys.some(goesFirst)
      ? [
          "Terraform would delete the old key while the rule still names it, which the tenant refuses: set " +
            "lifecycle { create_before_destroy = true } in the key.",
        ]
      : []),
  ];
  return sentences.join(" ");
}

const goesFirst = ({ actions }: PlannedObject) => actions[0] === "delete";

/** A rule may keep secret which keys it names, even if the names of the keys are not secret. */
function listed(keys: readonly PlannedObject[], acls: readonly PlannedAcl[]): string {
  if (acls.some(({ secret }) => secret.has("http_message_signature"))) return `key ${hidden}`;
  return keys.map((key) => `${keyTitle(key)} (${key.address})`).join(" and the ");
}
