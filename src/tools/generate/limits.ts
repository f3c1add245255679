/** Describes the limits of a zod schema in words. */
import * as z from "zod";

interface JsonSchema {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
}

/** The limits that `description` does not mention: `1 to 20 elements`, `at most 255 characters`, `from 1 to 100`. */
export function limitsOf(schema: z.ZodType, description: string): string[] {
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonSchema;
  const above = json.exclusiveMinimum;
  return [
    above !== undefined && !isLeast(above) ? `above ${above}` : undefined,
    range(json.minimum, json.maximum, ""),
    range(json.minLength, json.maxLength, "characters"),
    range(json.minItems, json.maxItems, "elements"),
    json.enum && `one of ${json.enum.map((value) => `\`${value}\``).join(", ")}`,
  ].filter((words): words is string => words !== undefined && !isMentioned(words, description));
}

/** Limits that `z.int()` gives to every whole number. */
const isLeast = (number: number) => Math.abs(number) === Number.MAX_SAFE_INTEGER;

function range(least: number | undefined, most: number | undefined, of: string): string | undefined {
  const from = least !== undefined && !isLeast(least) ? least : undefined;
  const to = most !== undefined && !isLeast(most) ? most : undefined;
  const words =
    to === undefined
      ? from !== undefined && `at least ${from}`
      : from === undefined
        ? `at most ${to}`
        : `${from} to ${to}`;
  return words ? `${words} ${of}`.trim() : undefined;
}

/** Whether the description has every number and value of the words. */
function isMentioned(words: string, description: string): boolean {
  const facts = words.match(/`[^`]+`|\d+/g) ?? [];
  return facts.every((fact) => fact === "1" || description.includes(fact.replaceAll("`", "")));
}
