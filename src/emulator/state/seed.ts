/** Checks a seed and completes it to the contents of a tenant. */
import { isRecord } from "../../formats/text/record";
import { listOf, optional, problemIn, type Schema } from "../schema";
import { memberOf, type Contents, type JsonObject, type Kind, type Making, type MemberEntry } from "./store";

/** The schema of seeds: the objects by their kinds, and more properties. */
export const seedSchemaOf = (kinds: readonly Kind[], more: Record<string, Schema>): Schema =>
  optional({ ...Object.fromEntries(kinds.map(({ name, seed }) => [name, listOf(seed)])), ...more });

const unusable = (problem: string) => new Error(`The seed cannot be used: ${problem}`);

/** Compiling the schemas of all kinds takes longer than the rest of a start, so only those that a seed uses are compiled. */
const compiled = new Map<string, Schema>();

function schemaFor({ properties = {}, ...schema }: Schema, seed: Readonly<Record<string, unknown>>): Schema {
  const used = Object.keys(properties).filter((name) => name in seed);
  const known = compiled.get(used.join()) ?? {
    ...schema,
    properties: Object.fromEntries(used.map((name) => [name, properties[name]!])),
  };
  compiled.set(used.join(), known);
  return known;
}

/** Throws an error that names the first problem of a seed and its place. */
export function checkSeed(schema: Schema, seed: unknown): void {
  const problem = problemIn(isRecord(seed) ? schemaFor(schema, seed) : schema, seed);
  if (problem) throw unusable(problem);
}

/** The contents of the tenant that a seed describes. */
export function contentsOf(kinds: readonly Kind[], seed: Readonly<Record<string, unknown>>, making: Making): Contents {
  const complete = (kind: Kind, { members, ...given }: JsonObject, index: number): JsonObject => {
    try {
      const entity = kind.complete(given, making) as JsonObject;
      if (members === undefined) return entity;
      return { ...entity, members: (members as readonly MemberEntry[]).map((entry) => memberOf(entry, making)) };
    } catch (error) {
      throw unusable(`${kind.name}[${index}]: ${(error as Error).message}`);
    }
  };
  return Object.fromEntries(
    kinds.map((kind) => [
      kind.name,
      ((seed[kind.name] ?? []) as JsonObject[]).map((given, index) => complete(kind, given, index)),
    ]),
  );
}
