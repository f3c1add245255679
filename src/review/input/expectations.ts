/** Turns expectations from plans and files into the form that is judged. */
import type { Expectation } from "../../judge/impact/statement/statement";
import { ExpectationError, readExpectation } from "../../judge/impact/statement/read";
import type { Values } from "../../judge/impact/model";
import { UserError } from "../../formats/text/user-error";
import type { Plan } from "./plan";
import type { Family } from "./remote";
import { idleIn } from "./share";
import { writtenIn, type Written } from "./written-expectations";

export interface ReadExpectation extends Pick<Written, "unknowns" | "assumptions" | "mayHaveRequest"> {
  readonly expectation: Expectation;
  /** Its provider configuration. Left out: a file has it. */
  readonly key?: string;
  /** The file of `--expect` or `--base` that has it. Left out: the plan has it. */
  readonly file?: string;
  /** Its provider configuration, if no resource uses it, so that no plan checks the expectation. */
  readonly idle?: string;
}

/** The expectations of a plan. */
export function expectationsIn(plan: Plan): ReadExpectation[] {
  const idle = idleIn(plan);
  return writtenIn(plan).map(({ key, ...one }) => ({ ...fromWritten(one), key, ...(idle.has(key) && { idle: key }) }));
}

/** An expectation of a plan. Terraform has checked it, so a value that the review cannot read is one that it does not know. */
function fromWritten(written: Omit<Written, "key">): ReadExpectation {
  const { name, isSecret, plan, unknowns, assumptions, mayHaveRequest } = written;
  const rest = { assumptions, ...(mayHaveRequest && { mayHaveRequest }) };
  const more = { ...(isSecret && { isSecret }), ...(plan !== undefined && { plan }) };
  try {
    return { expectation: { ...readExpectation(numbered(written.values), name), ...more }, unknowns, ...rest };
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    const why = isSecret ? "This version cannot read a sensitive value of it." : error.message;
    return { expectation: { ...unreadable(name), ...more }, unknowns: [...unknowns, why], ...rest };
  }
}

/** An expectation of a file. */
export function fromFile(json: unknown, where: string, file: string): ReadExpectation {
  try {
    return { expectation: readExpectation(json, where), unknowns: [], assumptions: [], file };
  } catch (error) {
    if (error instanceof ExpectationError) throw new UserError(error.message);
    throw error;
  }
}

const unreadable = (name: string): Expectation => ({
  name,
  severity: "error",
  statement: { kind: "requests", outcomes: Symbol("an outcome that is not known"), requests: [], except: [] },
});

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

type Statement = Expectation["statement"];

/** The objects that decide each kind of statement. */
export const familyOf = {
  requests: "network_acls",
  policy: "rate_limit_policies",
  members: "organization_members",
} as const satisfies Record<Statement["kind"], Family>;

export function statementsOf(
  tenants: readonly { readonly plans: readonly Plan[] }[],
  files: readonly { readonly read: readonly ReadExpectation[] }[],
): Statement[] {
  const own = tenants.flatMap(({ plans }) => plans.flatMap(expectationsIn));
  return [...own, ...files.flatMap(({ read }) => read)].map(({ expectation }) => expectation.statement);
}

/** The organizations whose members the statements are about. */
export function organizationsIn(statements: readonly Statement[]): string[] {
  const ids = statements.flatMap((one) => (one.kind === "members" ? [one.organization_id] : []));
  return [...new Set(ids.filter((id) => typeof id === "string"))];
}
