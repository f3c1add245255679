/** Keys of signatures: what becomes of each, in the words of its name, and of the rules that name it. Never their material. */
import type { Marks, PlannedObject, Values } from "../impact/model";
import { entriesOf } from "../access/access";
import type { AclVersions, ReviewedAcl } from "./acls";
import { finding, type Finding } from "../impact/finding";
import { hidden } from "../impact/hidden";
import { objectsOf } from "./objects";
import type { Plan, ResourceChange } from "./plan";
import { isMarked } from "../impact/value";
import { titleOf } from "./words";

export const types = ["tenant_network_acl_key", "auth0_network_acl_key"];

/** What of a key's change is told. */
type KeyChange = Pick<PlannedObject, "before" | "after" | "beforeSensitive" | "afterSensitive">;

export function keyChangeOf({ change }: ResourceChange): KeyChange {
  const { before, after, before_sensitive: beforeSensitive, after_sensitive: afterSensitive } = change;
  return { ...(before && { before }), ...(after && { after }), beforeSensitive, afterSensitive };
}

/** `key "edge-2026"`: by the name that it has, or else that it will have. */
export function keyTitle({ before, after, beforeSensitive, afterSensitive }: KeyChange): string {
  return before ? titled(before, beforeSensitive) : titled(after ?? {}, afterSensitive);
}

/** Part of a name is no less secret than the whole. */
function titled({ name, name_prefix: prefix }: Values, marks: Marks): string {
  if (isMarked(marks, "name") || isMarked(marks, "name_prefix")) return `key ${hidden}`;
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

/** A key that goes, and the ACLs that named it or go on naming it. A tenant counts those that are not active, too. */
export function keyFindings(plans: readonly Plan[], { before, after }: AclVersions): Finding[] {
  const going = new Map(
    plans
      .flatMap((plan) => objectsOf(plan, types))
      .filter(({ actions }) => actions.includes("delete"))
      .map((key) => [key.before?.["id"], key]),
  );
  const named = (acl: ReviewedAcl | undefined) => (acl ? idsIn(acl).flatMap((id) => going.get(id) ?? []) : []);
  const were = new Map(before.map((acl) => [acl.key, acl]));
  return after.flatMap((acl) => {
    const still = named(acl);
    const left = named(were.get(acl.key)).filter((key) => {
      return key.after && !still.includes(key) && (acl.active || goesFirst(key));
    });
    return [
      ...(still.length > 0
        ? [finding("TF-KEY-IN-USE", inUseWords(acl, still), acl.address === undefined ? still[0] : acl)]
        : []),
      ...(left.length > 0 ? [finding("TF-KEY-ROTATED", rotatedWords(acl, left, were.get(acl.key)), acl)] : []),
    ];
  });
}

function idsIn({ rule }: ReviewedAcl): string[] {
  const signal = "http_message_signature";
  const named = [rule.match, rule.not_match].flatMap((side) =>
    typeof side === "object" && signal in side ? entriesOf(signal, side[signal]).texts : [],
  );
  return [...new Set(named)];
}

function inUseWords(acl: ReviewedAcl, keys: readonly PlannedObject[]): string {
  const gone = keys.map((key) => (key.after ? "replaced" : "destroyed"));
  const how = new Set(gone).size > 1 ? "destroyed or replaced" : gone[0]!;
  return (
    `${titleOf(acl)} goes on naming the ${listed(keys, [acl])}, ${keys.length > 1 ? "which are" : "which is"} ${how}: a tenant ` +
    "keeps a key that a rule names, so that the apply fails there. Let the rule name another key, in the same plan or before."
  );
}

function rotatedWords(acl: ReviewedAcl, keys: readonly PlannedObject[], prior: ReviewedAcl | undefined): string {
  const isSame = keys.every((key) => howReplaced(key) === "renamed");
  const remedy = "lifecycle { create_before_destroy = true } in the key makes the new one first";
  return `${titleOf(acl)} names the ${listed(keys, prior ? [acl, prior] : [acl])} no more, as a new key takes its place${
    acl.active
      ? `: what is signed with ${isSame ? "the old id" : "the old material"} stops matching, so that signers must change with the apply.`
      : "."
  }${
    keys.some(goesFirst)
      ? ` The old key would go before the rule lets go of it, which the tenant refuses: ${remedy}.`
      : ""
  }`;
}

const goesFirst = ({ actions }: PlannedObject) => actions[0] === "delete";

/** Which keys a rule names may be secret where their names are not. */
function listed(keys: readonly PlannedObject[], acls: readonly ReviewedAcl[]): string {
  if (acls.some(({ secret }) => secret.has("http_message_signature"))) return `key ${hidden}`;
  return keys.map((key) => `${keyTitle(key)} (${key.address})`).join(" and the ");
}
