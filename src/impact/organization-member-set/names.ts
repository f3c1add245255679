/** Names people and organizations, as the tenant and the notes of the sets show them. */
import { clipped } from "../clipped";
import type { Remote } from "../model";

/** Left out: the tenant was not asked. */
export type Directory = Pick<Remote, "people" | "organization_names">;

type Person = NonNullable<Remote["people"]> extends ReadonlyMap<string, infer One> ? One : never;

export interface Names {
  /** `Ada Lovelace (example.org, "on call")`; the id of an unknown person. */
  words(id: string): string;
  /** People with a note first, then by id. */
  inOrder(ids: readonly string[]): string[];
}

/** Reads the directory once, and then names people with the notes of each organization (user id -> note). */
export function directoryOf({ people = new Map() }: Directory): (notes: ReadonlyMap<string, string>) => Names {
  const calls = new Map([...people].map(([id, person]) => [id, callOf(id, person)]));
  const sharing = new Map<string, number>();
  for (const call of calls.values()) sharing.set(call.join(" "), (sharing.get(call.join(" ")) ?? 0) + 1);
  return (notes) => ({
    words(id) {
      const call = calls.get(id) ?? callOf(id, {});
      const [name, ...about] = call;
      const isShared = (sharing.get(call.join(" ")) ?? 0) > 1;
      const note = notes.get(id);
      const details = [...about, ...(isShared ? [clipped(id, 64)] : []), ...(note ? [quoted(note)] : [])];
      return details.length > 0 ? `${name} (${details.join(", ")})` : name;
    },
    inOrder(ids) {
      const [noted, others] = [ids.filter((id) => notes.has(id)), ids.filter((id) => !notes.has(id))];
      return [...noted.toSorted(), ...others.toSorted()];
    },
  });
}

/** Users choose their names, so a name must not read like a sentence of the review. */
const plainName = /^[\p{L}\p{M}\p{N} .'’+_@-]{1,60}$/u;

/** The name and the domain of the email address, or the address if there is no other name, or the id. */
function callOf(id: string, { name, email = "" }: Person): [string, ...string[]] {
  const domain = /^[^@\s]+@([\p{L}\p{N}.-]+)$/u.exec(email)?.[1];
  const isName = name !== undefined && name.trim() !== "" && plainName.test(name) && name !== email;
  if (isName) return [name.trim(), ...(domain === undefined ? [] : [clipped(domain)])];
  return [domain !== undefined && plainName.test(email) ? email : clipped(id, 64)];
}

/** `"Acme" (org_1)`, or the id alone. */
export function organizationWords(id: string, { organization_names: names }: Directory): string {
  const name = names?.get(id);
  return name === undefined || name === id ? clipped(id, 64) : `${quoted(name)} (${clipped(id, 64)})`;
}

/** A text between quotes that it cannot end. */
const quoted = (text: string) => `"${clipped(text.replaceAll('"', "'").replaceAll(/\s+/g, " "), 60)}"`;
