/** What was found, what is new of it, and what is gone, in words. */
import { typeOf } from "./draft";
import type { Files } from "./files";
import { free } from "./files";
import type { Present } from "./existing";
import type { Declaration } from "./stack";
import { kinds, type Kind, type Outlook, type Survey, type Wanted } from "./survey";

const plural: Readonly<Record<string, string>> = {
  "rate limit policy": "rate limit policies",
  "key of signatures": "keys of signatures",
};

export function counted(count: number, noun: string, more = false): string {
  const words = count === 1 && !more ? noun : (plural[noun] ?? `${noun}s`);
  return `${count.toLocaleString("en")}${more ? " or more" : ""} ${words}`;
}

const listed = (words: readonly string[]) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "nothing");

/** `each`: milliseconds that a request took so far. */
export function outlookWords(
  { acls, policies, organizations, members, keys, requests, inARow }: Outlook,
  each: number,
): string[] {
  const parts = [
    ...(acls === undefined ? [] : [counted(acls, "network ACL")]),
    ...(keys ? [counted(keys, "key of signatures")] : []),
    ...(policies ? [counted(policies.count, "rate limit policy", policies.more)] : []),
    ...(organizations === undefined ? [] : [counted(organizations, "organization")]),
  ];
  const crowd = members && members.count > 0 ? ` with ${counted(members.count, "member", members.more)}` : "";
  const rest =
    requests === 0
      ? "nothing more is to be read."
      : `${counted(requests, "request", policies?.more || members?.more)} left, about ${duration(each * Math.max(inARow, requests / 8))}.`;
  return [`Found ${listed(parts)}${crowd}; ${rest}`];
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

export function readWords({ acls, policies, memberships, emptyOrganizations, keys, leftOut }: Survey): string[] {
  const members = memberships.reduce((sum, one) => sum + one.members.length, 0);
  const words = [
    counted(acls.length, "network ACL"),
    ...(keys.length > 0 ? [counted(keys.length, "key of signatures")] : []),
    counted(policies.length, "rate limit policy"),
    `${counted(members, "member")} of ${counted(memberships.length, "organization")}`,
  ];
  const empty =
    emptyOrganizations > 0
      ? [
          `${counted(emptyOrganizations, "organization")} without members: left out, as a set would keep everybody out. ` +
            "--organization org_… takes one in.",
        ]
      : [];
  const refused = [...leftOut].map(([kind, why]) => `${kindWords[kind]} are left out: ${why}`);
  return [`Read ${listed(words)}.`, ...empty, ...refused];
}

const kindWords: Readonly<Record<Kind, string>> = {
  acls: "Network ACLs",
  policies: "Rate limit policies",
  members: "Members of organizations",
  keys: "Keys of signatures",
};

export function refusedWords(declarations: readonly Declaration[]): string[] {
  return declarations
    .filter(({ refused }) => refused.length > 0)
    .map(({ id, refused, variable }) => {
      const why = variable ? "" : ", as the provider refuses it";
      return `${id} stands there as a comment alone${why}: ${refused.join(" ")}`;
    });
}

/** What is imported here, and the tenant has no more. */
export function gone(there: Present, read: Survey, wanted: Wanted): { files: Files; notes: readonly string[] } {
  const lost = there.imported.filter(({ type, id }) => {
    const kind = kinds.find((one) => typeOf(one) === type);
    if (kind === undefined || !wanted.kinds.has(kind) || read.leftOut.has(kind) || read.living.has(id)) return false;
    return kind !== "members" || wanted.organizations.length === 0 || wanted.organizations.includes(id);
  });
  if (lost.length === 0) return { files: new Map(), notes: [] };
  const lines = lost.map(({ id, place }) => `${place}: ${id} is gone from the tenant`);
  const marked = there.noted.some((text) => lines.every((line) => text.includes(line)));
  const text = [
    "# Gone from the tenant",
    "",
    "These objects were adopted, and the tenant does not have them any more. Remove their declarations with the imports; or remove",
    "the imports alone, and the next apply makes them anew.",
    "",
    ...lines.map((line) => `- ${line}`),
    "",
  ].join("\n");
  return { files: marked ? new Map() : new Map([[free("gone.md", (name) => there.has(name)), text]]), notes: lines };
}
