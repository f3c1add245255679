/** Warns about ids that the service accepts but that are probably mistakes. */
import * as z from "zod";
import { rule } from "../../sdk/attribute";
import { single, texts } from "../values";

export const userIds = rule(texts, (ids, report) => checkUserIds(ids, (words) => report(words, [], "warning")));
export const userIdKeys = rule(z.record(z.string(), z.string()), (notes, report) => {
  checkUserIds(Object.keys(notes), (words, key) => report(words, [{ key }], "warning"));
  for (const [key, note] of Object.entries(notes)) {
    if (key.includes("|") || typeof note !== "string" || !/^[\w-]+\|\S+$/.test(note)) continue;
    const words = `${JSON.stringify(key)} is not a user id, but its note ${JSON.stringify(note)} looks like one: the id is the key, and the note is the value.`;
    report(words, [{ key }], "warning");
  }
});

export const organizationId = single((id) =>
  id === "" || id.startsWith("org_")
    ? undefined
    : `\`organization_id\` is ${JSON.stringify(id)}, which does not look like an id. Ids begin with org_; a name does not work.`,
);

function checkUserIds(ids: readonly unknown[], warn: (words: string, id: string) => void): void {
  const known = new Set(ids);
  for (const id of ids) {
    if (typeof id !== "string") continue;
    const bare = id.trim();
    if (bare !== id) {
      const twice = known.has(bare) ? `, and ${JSON.stringify(bare)} is listed too` : "";
      warn(`${JSON.stringify(id)} has spaces around it${twice}. You probably mean ${JSON.stringify(bare)}.`, id);
    } else if (/^[^\s|@]+@[^\s|@]+\.[^\s|@]+$/.test(id)) {
      warn(`${JSON.stringify(id)} is an e-mail address: list user ids, such as auth0|65f0c2.`, id);
    }
  }
}
