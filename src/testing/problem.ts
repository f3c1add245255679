/** Explains why a test fails. */
import { inspect } from "node:util";
import { verdictOn } from "./verdict";
import { withoutTokens } from "./stack";
import { statements, type Statement } from "./statement";

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
  return [{ ...statement.words, undecided: "This is not decided." }[verdict], text].join("\n").trim();
}

/** The arguments on one line, as the program has them. */
export const inspected = (given: readonly unknown[], subject: unknown): string =>
  (withoutTokens(given, subject) as readonly unknown[])
    .map((one) => inspect(one, { breakLength: Infinity, depth: 4, maxArrayLength: 10, maxStringLength: 200 }))
    .join(", ");
