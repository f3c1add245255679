/** Finds the expectations and protected requests of the base branch that a change removes or changes. An equal one may have another name. */
import { effect, type Effect } from "../effect";
import { hidden } from "../../../formats/text/lists";
import { canonical } from "../../../formats/cty/value";
import type { WeakenedFacts } from "./facts";
import type { Expectation } from "./statement";

type Weakened = Effect & { readonly facts: WeakenedFacts };

/** `head`: the expectations of the change. */
export function weakenedExpectations(base: readonly Expectation[], head: readonly Expectation[]): Weakened[] {
  return base.flatMap((expectation) => {
    const meaning = canonical(expectation.statement, "unordered");
    if (head.some((other) => isStrict(other, expectation) && canonical(other.statement, "unordered") === meaning))
      return [];
    const now = head.find(({ name }) => name === expectation.name);
    const isSecret = expectation.isSecret || now?.isSecret;
    const [was, is] = [expectation, now].map((one) => one && (isSecret ? hidden : written(one)));
    const isRequest = isOne(expectation);
    const facts: WeakenedFacts = {
      kind: "weakened",
      ...(isRequest && { of: "protected request" }),
      name: expectation.name,
      was: was!,
      ...(is !== undefined && { is }),
      ...(now && !isStrict(now, expectation) && { isWarning: true }),
    };
    return [{ ...effect(isRequest ? "TNF-GUARD-WEAKENED" : "TNF-EXPECTATION-WEAKENED", facts, expectation), facts }];
  });
}

/** Whether it is an error wherever the base is. */
const isStrict = (other: Expectation, base: Expectation) => base.severity === "warning" || other.severity === "error";

const isOne = ({ statement }: Expectation) => statement.kind === "requests" && statement.isOne === true;

/** As a file has it: `blocked {"countries":["KP"]}`. */
function written({ statement }: Expectation): string {
  if (statement.kind !== "requests") {
    const { kind, ...rest } = statement;
    return `${kind} ${json(rest)}`;
  }
  const { outcomes, requests, except } = statement;
  const outcome = [outcomes]
    .flat()
    .map((one) => (typeof one === "symbol" ? json(one) : one))
    .join(" or ");
  return [outcome, setWords(requests), ...(isEmpty(except) ? [] : ["except", setWords(except)])].join(" ");
}

const isEmpty = (sets: unknown) => Array.isArray(sets) && sets.length === 0;

function setWords(sets: unknown): string {
  const whole: unknown = Array.isArray(sets) && sets.length === 1 ? sets[0] : sets;
  return isEmpty(sets) || json(whole) === "{}" ? "all requests" : json(whole);
}

const json = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "symbol" ? "(known after apply)" : part));
