/** Reads expectations from the provider blocks of a plan, as far as the plan and the configuration show them, and from files. */
import { notKnown } from "../../judge/access/access";
import { ExpectationError, readExpectation } from "../../judge/impact/statement/read";
import type { UnshownPart } from "../../judge/impact/statement/reason";
import type { Expectation } from "../../judge/impact/statement/statement";
import { distinctBy, type Values } from "../../judge/impact/model";
import type { Assumption } from "../../judge/impact/words/assumption";
import { canonical } from "../../formats/cty/value";
import { hidden } from "../../formats/text/lists";
import { type Block, textOf } from "../../formats/hcl/tree";
import { knownOrList, variableIn } from "./expression";
import type { Plan, ProviderConfig } from "./plan";

/** An expectation in the form that is judged. A symbol stands for a value that is not known. */
export interface ReadExpectation {
  readonly expectation: Expectation;
  /** Its provider configuration. Left out: a file has it. */
  readonly key?: string;
  /** The file of `--expect` or `--base` that has it. Left out: the plan has it. */
  readonly file?: string;
  /** Its provider configuration, if no resource uses it, so that no plan checks the expectation. */
  readonly idle?: string;
  /** Why parts of it are not known. */
  readonly unknowns: readonly UnshownPart[];
  /** Why it cannot be read, for its author. Left out: it can, or a value is sensitive. */
  readonly problem?: ExpectationError;
  /** Likely facts that the plan does not show. Nothing is proven then. */
  readonly assumptions: readonly Assumption[];
  /** It has no `request` block, unless one is dynamic, which only the configuration shows. */
  readonly mayHaveRequest?: true;
}

/** Where the values of a provider block come from. */
interface Source {
  readonly plan: Plan;
  readonly config: ProviderConfig & { readonly key: string };
  /** The name of the plan, if there are several plans. */
  readonly name?: string | undefined;
}

/** What was noted while an expectation was read. */
interface Notes {
  readonly unknowns: UnshownPart[];
  readonly assumptions: Assumption[];
  isSecret: boolean;
}

const blocks: ReadonlySet<string> = new Set(["request", "except", "policy", "members"]);
const scalars: ReadonlySet<string> = new Set(
  "name outcome severity consumer consumer_selector organization_id at_least at_most".split(" "),
);

/** The expectations of a provider block. */
export function expectationsIn(from: Source): ReadExpectation[] {
  const { plan, config } = from;
  const all = blocksOf(config.expressions?.["expectation"]);
  // The blocks in the order of the plan, unless Terraform merges several blocks.
  const [only, ...others] = plan.provider_blocks?.get(config.key) ?? [];
  const sources = others.length > 0 ? [] : (only?.blocks ?? []).filter(({ type }) => type === "expectation");
  return all.map((block, index) => {
    const read = readWritten(block, index, from, sources.length === all.length ? sources[index] : undefined);
    return { ...read, key: config.key };
  });
}

const blocksOf = (value: unknown) => [(value ?? []) as Values | readonly Values[]].flat();

/** Terraform has checked the expectation, so a value that the review cannot read is one that it does not know. */
function readWritten(block: Values, index: number, from: Source, source: Block | undefined): ReadExpectation {
  const ofName: Notes = { unknowns: [], assumptions: [], isSecret: false };
  const named = attributeIn("name", block["name"], source, { ...from, notes: ofName });
  const notes: Notes = { unknowns: [], assumptions: [], isSecret: ofName.isSecret };
  const name = notes.isSecret ? hidden : typeof named === "string" ? named : `${from.config.key} ${index + 1}`;
  const { name: _name, ...rest } = block;
  const values = { ...valuesIn(rest, source, { ...from, notes }), name };
  const isAboutAll = !["request", "policy", "members"].some((one) => one in rest);
  const { unknowns, assumptions, isSecret } = notes;
  const about = { ...(isSecret && { isSecret: true as const }), ...(from.name !== undefined && { plan: from.name }) };
  const read = (expectation: Expectation, more: readonly UnshownPart[] = []): ReadExpectation => ({
    expectation: { ...expectation, ...about },
    unknowns: distinctBy([...unknowns, ...more], canonical),
    assumptions: distinctBy(assumptions, canonical),
    ...(isAboutAll && !source && { mayHaveRequest: true }),
  });
  try {
    return read(readExpectation(numbered(values), name));
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    const { attribute } = error;
    const unread = read(unreadable(name), [{ is: "unreadable", ...(attribute !== undefined && { attribute }) }]);
    return { ...unread, ...(!isSecret && { problem: error }) };
  }
}

const unreadable = (name: string): Expectation => ({
  name,
  severity: "error",
  statement: { kind: "requests", outcomes: Symbol("an outcome that is not known"), requests: [], except: [] },
});

type Reading = Source & { readonly notes: Notes };

function valuesIn(block: Values, source: Block | undefined, reading: Reading): Values {
  const dynamic = (source?.blocks ?? []).filter(({ type }) => type === "dynamic").flatMap(({ labels }) => labels);
  const names = [...new Set([...Object.keys(block), ...dynamic])];
  const read = names.map((name): [string, unknown] => {
    if (dynamic.includes(name)) return [name, unknown({ is: "dynamic", block: name }, reading.notes)];
    if (!blocks.has(name)) return [name, attributeIn(name, block[name], source, reading)];
    const all = blocksOf(block[name]);
    const sources = source?.blocks.filter(({ type }) => type === name) ?? [];
    const own = (index: number) => (sources.length === all.length ? sources[index] : undefined);
    return [name, all.map((one, index) => valuesIn(one, own(index), reading))];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== null));
}

function attributeIn(name: string, expression: unknown, source: Block | undefined, reading: Reading): unknown {
  const { plan, config, notes } = reading;
  const known = knownOrList(expression, plan, config);
  if (!known) return unknown({ is: "computed", attribute: name }, notes);
  notes.isSecret ||= known.isSecret;
  const variable = variableIn(expression);
  if (variable === undefined) return known.value;
  const called = `var.${variable.name}`;
  const isComputed = !variable.isExact && source !== undefined && textOf(source.attributes.get(name)) !== called;
  // A text is perhaps one entry of a list.
  if (isComputed || Array.isArray(known.value) === scalars.has(name))
    return unknown({ is: "computed", attribute: name, from: called }, notes);
  if (!variable.isExact && !source) notes.assumptions.push({ is: "variable", attribute: name, variable: called });
  return known.value;
}

function unknown(why: UnshownPart, { unknowns }: Notes): symbol {
  unknowns.push(why);
  return notKnown(canonical(why));
}

const numbers: ReadonlySet<string> = new Set(["asns", "at_least", "at_most"]);

/** Terraform reads "50" as a number, and 50 as a text. */
function numbered(values: Values): Values {
  const converted = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => converted(name, one));
    if (typeof value === "object" && value !== null) return numbered(value as Values);
    if (numbers.has(name)) return typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof value === "number" ? String(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, converted(name, value)]));
}
