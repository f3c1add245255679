/** A tenant to begin with: what a seed may hold, how it is checked, and how what it leaves out is made up. */
import { firstIssue, sentence, type Schema } from "../schema/schema";
import { listOf } from "../schema/shape";
import type { JsonObject, Kind, Making } from "./kind";
import type { Contents, MemberEntry } from "./store";

/** What a seed may say: the tenant's things by their kinds, and more. */
export const seedSchemaOf = (kinds: readonly Kind[], more: Record<string, Schema>): Schema => ({
  type: "object",
  additionalProperties: false,
  properties: { ...Object.fromEntries(kinds.map(({ name, seed }) => [name, listOf(seed)])), ...more },
});

const unusable = (problem: string) => new Error(`The seed cannot be used: ${problem}`);

/** Throws an Error that names the first thing wrong with a seed, and where. */
export function checkSeed(schema: Schema, seed: unknown): void {
  const issue = firstIssue(schema, seed);
  if (issue) throw unusable(sentence(issue));
}

function joined(entry: MemberEntry, { clock }: Making): readonly [string, number] {
  if (typeof entry === "string") return [entry, clock()];
  const [user, micros] = entry;
  if (typeof user === "string" && Number.isSafeInteger(micros)) return entry;
  throw new Error(
    `a member is a user id, or a pair of one and the microsecond since 1970 of joining, not ${JSON.stringify(entry)}`,
  );
}

/** What the tenant holds that a seed describes. */
export function contentsOf(kinds: readonly Kind[], seed: Readonly<Record<string, unknown>>, making: Making): Contents {
  const complete = (kind: Kind, given: JsonObject, place: string): JsonObject => {
    const { members, ...rest } = given;
    try {
      const entity = kind.complete(rest, making) as JsonObject;
      if (members === undefined) return entity;
      return { ...entity, members: (members as readonly MemberEntry[]).map((entry) => joined(entry, making)) };
    } catch (error) {
      throw unusable(`${place}: ${(error as Error).message}`);
    }
  };
  return Object.fromEntries(
    kinds.map((kind) => [
      kind.name,
      ((seed[kind.name] ?? []) as JsonObject[]).map((given, index) => complete(kind, given, `${kind.name}[${index}]`)),
    ]),
  );
}
