/** Ids that the service takes as they are, though they can hardly be meant so. */
import * as z from "zod";
import { rule } from "../../sdk/attribute";
import { single, texts } from "../plausible";

export const userIds = rule(texts, (ids, report) => doubtUserIds(ids, (words) => report(words, [], "warning")));
export const userIdKeys = rule(z.record(z.string(), z.string()), (notes, report) => {
  doubtUserIds(Object.keys(notes), (words, key) => report(words, [{ key }], "warning"));
  for (const [key, note] of Object.entries(notes)) {
    if (key.includes("|") || typeof note !== "string" || !/^[\w-]+\|\S+$/.test(note)) continue;
    const words = `${JSON.stringify(key)} is no user id, but its note ${JSON.stringify(note)} looks like one: put the id first, and the note after it.`;
    report(words, [{ key }], "warning");
  }
});

export const organizationId = single((id) =>
  id === "" || id.startsWith("org_")
    ? undefined
    : `\`organization_id\` is ${JSON.stringify(id)}, which does not look like an id: those begin with org_; a name does not do.`,
);

function doubtUserIds(ids: readonly unknown[], doubt: (words: string, id: string) => void): void {
  const known = new Set(ids);
  for (const id of ids) {
    if (typeof id !== "string") continue;
    const bare = id.trim();
    if (bare !== id) {
      const twice = known.has(bare) ? `, and ${JSON.stringify(bare)} is listed too` : "";
      doubt(`${JSON.stringify(id)} has blanks around it${twice}: ${JSON.stringify(bare)} is probably meant.`, id);
    } else if (/^[^\s|@]+@[^\s|@]+\.[^\s|@]+$/.test(id)) {
      doubt(`${JSON.stringify(id)} is an e-mail address: members are named by user ids, such as auth0|65f0c2.`, id);
    }
  }
}
