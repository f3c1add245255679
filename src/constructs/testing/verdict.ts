/** Judges a statement on a stack or a plan like a review, and explains why a test fails. */
import * as z from "zod";
import { inspect } from "node:util";
import { expectations } from "../../provider/resources/provider-block/expectation";
import { check } from "../../provider/sdk/check";
import { described } from "../attributes";
import { camelCase, inCamelCase } from "../naming";
import { withUnknowns } from "../../formats/cty/template";
import { judgeExpectations } from "../../judge/impact/statement/judge";
import type { Expectation, JudgedExpectation } from "../../judge/impact/statement/statement";
import type { TenantState } from "../../judge/impact/state";
import { ExpectationError, readExpectation } from "../../judge/impact/statement/read";
import { type Values, withName } from "../../judge/impact/model";
import { judgementWords } from "../../judge/impact/words/reason";
import { oneLine } from "../../formats/text/printable";
import { tenantsOf } from "./state";
import { hidden } from "../../formats/text/lists";
import type { PlannedAcl } from "../../judge/impact/network-acl/acl";
import { type Statement, statements, terraformNames } from "./statement";
import { isStack, withoutTokens } from "./stack";
import { isUnknown } from "../../formats/cty/value";

export interface Check {
  readonly name: keyof typeof statements;
  /** The arguments of the statement. */
  readonly given: readonly unknown[];
  /** The test passes if the statement is broken. */
  readonly isNot: boolean;
}

/** undefined: the test passes. An undecided statement fails with and without `isNot`. */
export function problemOf(subject: unknown, { name, given, isNot }: Check): string | undefined {
  const statement = (statements[name] as (...given: readonly unknown[]) => Statement)(...given);
  const { verdict, text } = verdictOn(subject, statement, name);
  if (verdict !== "undecided" && (verdict === "held") !== isNot) return undefined;
  return [{ ...statement.words, undecided: "This is undecided." }[verdict], text].join("\n").trim();
}

/** The arguments on one line, as the program has them. */
export const inspected = (given: readonly unknown[], subject: unknown): string =>
  (withoutTokens(given, subject) as readonly unknown[])
    .map((one) => inspect(one, { breakLength: Infinity, depth: 4, maxArrayLength: 10, maxStringLength: 200 }))
    .join(", ");

interface Verdict {
  readonly verdict: JudgedExpectation["verdict"];
  /** Why, in lines. */
  readonly text: string;
}

/** A statement must be true for each tenant of the stack. `name`: the name of the matcher. */
function verdictOn(subject: unknown, { form, organization }: Statement, name: string): Verdict {
  const resolved = withoutTokens({ form, organization }, subject) as Pick<Statement, "form" | "organization">;
  const expectation = expectationFrom(resolved, name);
  const tenants = tenantsOf(subject, resolved.organization).map(({ state, configs }) => ({ after: state, configs }));
  const concerned = tenants.filter(({ after }) => declares(after, expectation));
  const chosen = concerned.length > 0 ? concerned : tenants.slice(0, 1);
  const judged = chosen.flatMap(({ after, configs }) =>
    judgeExpectations([expectation], { after }).map((one) => ({ ...one, after, configs })),
  );
  const worst = (["broken", "undecided", "held"] as const).flatMap((verdict) =>
    judged.filter((one) => one.verdict === verdict),
  )[0]!;
  const spelled = isStack(subject) ? camelCase : (attribute: string) => attribute;
  const heading = tenants.length > 1 ? [`Tenant of the provider ${worst.configs.join(", ")}:`] : [];
  const lines = [...heading, ...linesOf(worst, worst.after, spelled)].map(oneLine);
  const isCertain = worst.after.incomplete === undefined;
  return { verdict: isCertain ? worst.verdict : "undecided", text: lines.join("\n") };
}

/** An organization is in one tenant. Any other statement is about each of them. */
const declares = ({ memberships = [] }: TenantState, { statement }: Expectation): boolean =>
  statement.kind !== "members" ||
  memberships.some(({ values }) => {
    const { organization_id: id } = values;
    return id === statement.organization_id || isUnknown(id);
  });

const block = z.object({ expectation: expectations });

/** What the provider block refuses in an expectation, or warns about, such as a country that no request has. */
const doubtsAbout = (expectation: object): string[] =>
  check({ config: block, attributes: described(block).attributes }, { expectation: [expectation] }).map(
    ({ detail }) => detail,
  );

function expectationFrom({ form, organization }: Pick<Statement, "form" | "organization">, name: string): Expectation {
  const known = withName(withUnknowns({ ...form, name }), "a value of the test") as Values;
  // The test and the stack mean the same organization by the same template.
  const { members } = known as { readonly members?: Values };
  const stated = members ? { ...known, members: { ...members, organization_id: organization } } : known;
  try {
    const read = readExpectation(stated, "Invalid statement", camelCase);
    const [doubt] = doubtsAbout(withUnknowns({ ...form, name }) as object);
    if (doubt === undefined) return read;
    throw new TypeError(`The statement says nothing: ${inCamelCase(doubt, terraformNames)}`);
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    throw new TypeError(error.message, { cause: error });
  }
}

/** `spelled`: an attribute as the program or the plan has it. */
function linesOf(judged: JudgedExpectation, { memberships }: TenantState, spelled: Spelling): string[] {
  const { verdict, cause, expectation } = judged;
  const { statement } = expectation;
  const organization = statement.kind === "members" ? statement.organization_id : undefined;
  const isDeclared = memberships?.some(({ values }) => values["organization_id"] === organization) === true;
  const why =
    typeof organization === "string" && !isDeclared
      ? `The stack declares no members of the organization ${organization}.`
      : judgementWords(judged);
  return [
    ...(verdict === "held" ? [] : [why]),
    ...cause.flatMap(({ address, acl }) => [
      ...(address === undefined ? [] : [`Object: ${address}`]),
      ...(acl ? [`Rule: ${ruleWords(acl, spelled)}`] : []),
    ]),
  ];
}

type Spelling = (attribute: string) => string;

/** On one line, without the values that must not be shown. */
function ruleWords({ rule, secret }: PlannedAcl, spelled: Spelling): string {
  const { action, match, not_match, scope } = rule;
  const parts = { action, ...(match && { match }), ...(not_match && { not_match }), scope };
  const shown = (value: unknown): unknown => {
    if (isUnknown(value)) return unknownWords;
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([name, part]) => [
      spelled(name),
      secret.has(name) ? hidden : shown(part),
    ]);
    return Object.fromEntries(entries);
  };
  return inspect(shown(parts), { breakLength: Infinity, depth: 6, maxArrayLength: 5, maxStringLength: 100 });
}

const unknownWords = "(known after apply)";
