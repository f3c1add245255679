/** Words the objects that cause an effect: `tenant_network_acl.a moves from priority 1 to 2, main.tf:41`. */
import { oneLine } from "../../../formats/text/printable";
import type { Cause, Change, ChangedAttribute } from "../cause";

/** None for no cause. */
export function causeWords(all: readonly Cause[], most: number): string[] {
  const rest = all.length - most;
  const others = rest > 0 ? `, and ${rest} more ${rest === 1 ? "object changes" : "objects change"}` : "";
  const words = all.slice(0, most).map(({ address, plan, change, file, line }) => {
    const place = file === undefined ? "" : `, ${shortAddress(file)}:${line}`;
    const name = plan === undefined ? "" : ` of ${shortAddress(plan)}`;
    return `${shortAddress(address)}${name} ${oneLine(changeWords(change))}${place}`;
  });
  return words.length === 0 ? [] : [`${words.join("; ")}${others}.`];
}

const mostOfName = 100;

/** Keeps the end of a long address, which names the resource. */
function shortAddress(address: string): string {
  const characters = [...oneLine(address)];
  return characters.length > mostOfName ? `…${characters.slice(1 - mostOfName).join("")}` : characters.join("");
}

const verbs = {
  requests: ["decides", "this request"],
  policy: ["sets", "this limit"],
  members: ["sets", "these members"],
};

export function changeWords(change: Change): string {
  switch (change.kind) {
    case "activated":
      return "is switched on";
    case "deactivated":
      return "is switched off";
    case "forgotten":
      return "is no longer managed";
    case "decides": {
      const [verb, object] = verbs[change.what] as [string, string];
      return change.before ? `decided ${object} before` : `${verb} ${object}`;
    }
    case "changed":
      return changedWords(change);
    default:
      return `is ${change.kind}`;
  }
}

type Changed = Extract<Change, { readonly kind: "changed" }>;

function changedWords(change: Changed): string {
  const [first] = change.attributes;
  const moved = movedBetween(change);
  if (moved) return `moves from priority ${moved[0]} to ${moved[1]}`;
  return first ? attributeWords(first) : "changes";
}

function attributeWords({ path, was, is }: ChangedAttribute): string {
  if (path === "active") return "is switched on or off after apply";
  if (path === "exclusive") return is === true ? "becomes exclusive" : "is no longer exclusive";
  if (path === "organization_id") return "moves to another organization";
  if (path === "rule.action") return was === undefined ? "gets another action" : `changes from ${was} to ${is}`;
  return `changes its ${path}`;
}

/** The priorities between which an ACL moves, if both may be shown. */
function movedBetween(change: Changed): readonly [number, number] | undefined {
  const priority = change.attributes.find(({ path }) => path === "priority");
  return typeof priority?.was === "number" && typeof priority.is === "number" ? [priority.was, priority.is] : undefined;
}
