/** Finds the expectations of the base branch that a change removes or weakens. The meaning counts, and not the text. */
import { requestNotImplied, type Statement, type WholeRequest } from "../../access/access";
import { clipped, andWords } from "../phrases";
import { effect, type Effect } from "../effect";
import { comparable } from "../value";
import {
  hasUnknown,
  type Expectation,
  type MemberStatement,
  type PolicyStatement,
  type RequestStatement,
} from "./statement";
import { membersWord } from "./members";
import { boundsOf } from "./policies";
import { outcomeWords, requestWordsOf } from "./words";

/** `head`: the expectations of the change. They may have other names, and several together may imply one of the base. */
export function weakenedExpectations(base: readonly Expectation[], head: readonly Expectation[]): Effect[] {
  return base.flatMap((expectation) => {
    const lost = lossOf(expectation, head);
    if (lost === undefined) return [];
    const { name } = expectation;
    const isRemoved = !head.some((other) => other.name === name);
    const text = `The change ${isRemoved ? "removes" : "weakens"} the expectation "${clipped(name, 100)}" of the base branch: ${lost}`;
    return effect("TNF-EXPECTATION-WEAKENED", text, expectation);
  });
}

/** The statement that the head lacks, in words. Undefined: it states everything. */
function lossOf(base: Expectation, head: readonly Expectation[]): string | undefined {
  if (head.some((other) => isStrict(other, base) && comparable(other.statement) === comparable(base.statement))) {
    return undefined;
  }
  if (hasUnknown(base.statement)) return "its values are not known, and no expectation of the change is equal.";
  const known = head.filter(({ statement }) => !hasUnknown(statement));
  const lost = lossOfStatement(
    base,
    known.filter((other) => isStrict(other, base)),
  );
  if (lost === undefined) return undefined;
  if (lossOfStatement(base, known) === undefined) return "it is only a warning now.";
  return base.isSecret ? "a value is sensitive, so the difference is not shown." : lost;
}

const isError = ({ severity }: Expectation) => severity === "error";

/** Whether it is an error wherever the base is. */
function isStrict(other: Expectation, base: Expectation): boolean {
  return base.severity === "warning" || isError(other);
}

function lossOfStatement({ statement }: Expectation, head: readonly Expectation[]): string | undefined {
  const others: unknown = head.map((other) => other.statement).filter(({ kind }) => kind === statement.kind);
  if (statement.kind === "requests") return lossOfRequests(statement, others as RequestStatement[]);
  if (statement.kind === "policy") return lossOfLimits(statement, others as PolicyStatement[]);
  return lossOfMembers(statement, others as MemberStatement[]);
}

function lossOfRequests(statement: RequestStatement, others: readonly RequestStatement[]): string | undefined {
  const request = requestNotImplied(statement as Statement, others as readonly Statement[]);
  if (request === undefined) return undefined;
  if (request === "not decided") return "comparing it with the expectations of the change would take too long.";
  return `nothing states that ${lowered(request)} is ${outcomeWords((statement as Statement).outcomes)}.`;
}

/** The words begin with "A". */
const lowered = (request: WholeRequest) => `a${requestWordsOf({ request }, new Set()).slice(1)}`;

function lossOfLimits(statement: PolicyStatement, others: readonly PolicyStatement[]): string | undefined {
  const { consumer, selector, at_most, at_least } = boundsOf(statement);
  const own = others
    .map(boundsOf)
    .filter((other) => other.consumer === consumer && (other.selector === undefined || other.selector === selector));
  const callers = selector ?? consumer;
  const lost = [
    ...(own.some((other) => other.at_most <= at_most) || at_most === Infinity ? [] : [`at most ${at_most}`]),
    ...(own.some((other) => other.at_least >= at_least) || at_least === 0 ? [] : [`at least ${at_least}`]),
  ];
  if (lost.length === 0) return undefined;
  return `nothing states that the limit for ${clipped(callers)} is ${andWords(lost)} requests per second.`;
}

function lossOfMembers(statement: MemberStatement, others: readonly MemberStatement[]): string | undefined {
  const own = others.filter(({ organization_id: id }) => id === statement.organization_id);
  const named = (list: "include" | "exclude") =>
    new Set(own.flatMap((other) => [...((other[list] as string[]) ?? [])]));
  const [included, excluded] = [named("include"), named("exclude")];
  const gone = (list: "include" | "exclude", found: ReadonlySet<string>) =>
    ((statement[list] as readonly string[] | undefined) ?? [])
      .filter((id) => !found.has(id))
      .map((id) => clipped(id, 64));
  const [missing, present] = [gone("include", included), gone("exclude", excluded)];
  const least = Math.max(included.size, ...own.map(({ at_least }) => (at_least as number | undefined) ?? 0));
  const most = Math.min(...own.map(({ at_most }) => (at_most as number | undefined) ?? Infinity));
  const { at_least = 0, at_most = Infinity } = statement as { readonly at_least?: number; readonly at_most?: number };
  const lost = [
    ...(missing.length > 0 ? [`includes ${andWords(missing)}`] : []),
    ...(present.length > 0 ? [`excludes ${andWords(present)}`] : []),
    ...(least < at_least ? [`has at least ${membersWord(at_least)}`] : []),
    ...(most > at_most ? [`has at most ${membersWord(at_most)}`] : []),
  ];
  if (lost.length === 0) return undefined;
  return `nothing states that the organization ${clipped(statement.organization_id as string, 64)} ${andWords(lost)}.`;
}
