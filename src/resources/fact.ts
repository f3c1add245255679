/** Schemas of facts of requests. */
import * as z from "zod";
import { hasForm, problemOf, rowOf, type FactName, type FactTable } from "../access/access";
import { attribute, listOf, rule, type AttributeOptions, type Report } from "../sdk/attribute";
import { ipAddress } from "./address";

type Severity = Parameters<Report>[2];

interface Schemas {
  readonly text: z.ZodOptional<z.ZodString>;
  readonly address: z.ZodOptional<typeof ipAddress>;
  readonly number: z.ZodOptional<z.ZodInt>;
  readonly list: z.ZodOptional<z.ZodArray<z.ZodString>>;
}

export interface FactOptions extends Pick<AttributeOptions, "rules" | "values"> {
  /** Default: the description of the fact. */
  readonly help?: string;
  /** Whether an empty text, which says that the request has no such fact, is accepted. */
  readonly mayBeEmpty?: boolean;
  /** Severity for a value that has the right form but no meaning, such as the country UK. Default: error. */
  readonly ofDoubtful?: Severity;
}

/** The attributes for some facts, with the names of the facts. */
export function facts<N extends FactName>(
  names: readonly N[],
  optionsOf: (name: N) => FactOptions,
): { readonly [F in N]: Schemas[FactTable[F]["kind"]] } {
  return Object.fromEntries(names.map((name) => [name, fact(name, optionsOf(name))])) as {
    [F in N]: Schemas[FactTable[F]["kind"]];
  };
}

/** The attribute for a fact. Values that cannot be read are refused. */
function fact<N extends FactName>(
  name: N,
  { help = rowOf(name).help, mayBeEmpty = false, ofDoubtful, rules = [], values }: FactOptions = {},
): Schemas[FactTable[N]["kind"]] {
  const { kind, example } = rowOf(name);
  const text = mayBeEmpty ? z.string() : z.string().min(1, "give a text that is not empty");
  const schema = {
    text: () => text.optional(),
    address: () => ipAddress.optional(),
    number: () => z.int("give a whole number").optional(),
    list: () => listOf(z.string()).optional(),
  }[kind]();
  const isRefined = kind === "address" ? [] : [readable(name, ofDoubtful)];
  return attribute(schema as z.ZodType, help, {
    example: kind === "list" ? [example] : example,
    rules: [...rules, ...isRefined],
    ...(values && { values }),
  }) as unknown as Schemas[FactTable[N]["kind"]];
}

const readable = (name: FactName, ofDoubtful?: Severity) =>
  rule(z.unknown(), (value, report) => {
    for (const one of [value].flat() as unknown[]) {
      const problem = typeof one === "string" || typeof one === "number" ? problemOf(name, one) : undefined;
      if (problem === undefined) continue;
      report(`\`${name}\`: ${problem}`, [], hasForm(name, one as string | number) ? ofDoubtful : undefined);
    }
  });
