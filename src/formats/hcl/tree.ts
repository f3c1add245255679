/**
 * What a configuration file says, from HCL or from Terraform's JSON syntax, with lines. `readHcl` and `readJson` make it: the only readers of
 * configuration. Nothing here evaluates an expression. Values that are written out are values; everything else is an expression, kept as its
 * text. What a file says is never guessed: text that Terraform would refuse throws `Unreadable`, and an expression is not known rather than
 * empty. `tokens` sees comments, strings and heredocs, `hcl` sees blocks, `json` sees the same in JSON. All run in a browser, except `files`.
 */

export interface Body {
  readonly attributes: ReadonlyMap<string, Value>;
  /** JSON does not tell blocks from attributes with objects, so these are both there. */
  readonly blocks: readonly Block[];
}

export interface Block extends Body {
  /** `resource`, `module`, `provider`. */
  readonly type: string;
  readonly labels: readonly string[];
  /** From 1. */
  readonly line: number;
  /** The position in the source of a CDK program, as a construct recorded it: `main.ts:41`. */
  readonly origin?: string;
}

export type Value = Constant | List | Fields | Expression;

interface Constant {
  readonly kind: "constant";
  readonly line: number;
  readonly value: string | number | boolean | null;
}

interface List {
  readonly kind: "list";
  readonly line: number;
  readonly items: readonly Value[];
}

interface Fields {
  readonly kind: "object";
  readonly line: number;
  readonly fields: ReadonlyMap<string, Value>;
}

export interface Expression {
  readonly kind: "expression";
  readonly line: number;
  /** As it is written, without the line ends between its parts. In JSON, the whole string. */
  readonly text: string;
}

/** The file has another form than Terraform reads. The message begins with the line. */
export class Unreadable extends Error {
  constructor(line: number, what: string) {
    super(`line ${line}: ${what}`);
  }
}

/** Brackets and templates inside each other. People write five, and no program overflows the stack. */
export const deepest = 100;

/** The value in plain form. `evaluate` stands for an expression at any depth, and may throw. */
export function plainOf(value: Value, evaluate: (expression: Expression) => unknown): unknown {
  switch (value.kind) {
    case "constant":
      return value.value;
    case "list":
      return value.items.map((item) => plainOf(item, evaluate));
    case "object":
      return Object.fromEntries([...value.fields].map(([name, field]) => [name, plainOf(field, evaluate)]));
    case "expression":
      return evaluate(value);
  }
}

/** The constant text or the address, such as `var.name`. undefined: left out, or something else. */
export function textOf(value: Value | undefined): string | undefined {
  if (value?.kind === "constant" && typeof value.value === "string") return value.value;
  return value?.kind === "expression" && address.test(value.text) ? value.text : undefined;
}

const address = /^[\p{ID_Start}_][\p{ID_Continue}-]*(?:\.[\p{ID_Start}_][\p{ID_Continue}-]*)*$/u;
