/** Decides logged requests before and after a change. Facts that a log lacks may have every value. */
import { decide, doubtsAbout, factNames, rowOf, type AccessRequest, type Acl, type Verdict } from "../access/access";
import { dimensionsOf } from "./dimension";
import type { Candidate, Dependency, FactClass } from "./fact-class";
import type { LoggedRequest } from "./request";

/** `blocks` and `redirects`: allowed before. `opens`: allowed only after. `moves`: neither, such as another target of a redirect. */
export type ChangeKind = "blocks" | "redirects" | "opens" | "moves";

export interface Decision<A extends Acl> {
  /** The changes that are possible. */
  readonly changes: ReadonlySet<ChangeKind>;
  /** Whether all values of the unknown facts give the same change, or none. */
  readonly isCertain: boolean;
  /** The facts and assumptions that decide whether the outcome changes. */
  readonly dependsOn: readonly Dependency[];
  /** The ACL that is the cause of the change. undefined: no ACL matches. */
  readonly cause: A | undefined;
  /** Whether the ACLs before the change certainly block or redirect the request. */
  readonly wasDenied: boolean;
  /** Whether the ACLs after the change certainly block or redirect the request. */
  readonly isDenied: boolean;
  /** The change if the facts that no log has match no rule that names them. undefined: none, or it is not certain. */
  readonly usual: ChangeKind | undefined;
  /** The ACLs that may decide after the change. undefined: perhaps none. */
  readonly deciding: ReadonlySet<A | undefined>;
}

type Ending<A extends Acl> = Pick<Verdict<A>, "outcome" | "redirect_uri" | "by">;

/** The result of one completion. `change` undefined: the outcome stays. */
interface Result<A extends Acl> {
  readonly change: ChangeKind | undefined;
  readonly before: Ending<A>;
  readonly after: Ending<A>;
}

/** Completions of one request. For more, the outcomes on each side are compared as sets. */
const mostCompletions = 4_096;
const mostDecisions = 100_000;

/** Requests that no rule distinguishes are decided once. */
export function createDecider<A extends Acl>(
  before: readonly A[],
  after: readonly A[],
): (request: LoggedRequest) => Decision<A> {
  const dimensions = dimensionsOf([...before, ...after]);
  const complete = [before, after].every((acls) => acls.every((acl) => !acl.active || doubtsAbout(acl, acls).length === 0));
  const known = new Map<string, Decision<A>>();
  return (request) => {
    let key = "";
    const classes = dimensions.map((dimension) => {
      const own = dimension.classOf(request);
      key += ` ${own.id}`;
      return own;
    });
    const found = known.get(key);
    if (found) return found;
    if (known.size >= mostDecisions) known.clear();
    const made = withUsual(classes, { before, after, complete });
    known.set(key, made);
    return made;
  };
}

interface Sides<A extends Acl> {
  readonly before: readonly A[];
  readonly after: readonly A[];
  /** Whether nothing about the ACLs is in doubt. */
  readonly complete: boolean;
}

type Judged<A extends Acl> = Omit<Decision<A>, "usual">;

function withUsual<A extends Acl>(classes: readonly FactClass[], sides: Sides<A>): Decision<A> {
  const all = decided(classes, sides);
  const isUsual = all.isCertain || classes.every(({ candidates, usual }) => candidates.length === usual.length);
  const usual = isUsual
    ? all
    : decided(
        classes.map((one) => ({ ...one, candidates: one.usual })),
        sides,
      );
  const [only] = usual.changes;
  return usual.isCertain && only !== undefined
    ? { ...all, usual: only, cause: usual.cause }
    : { ...all, usual: undefined };
}

function decided<A extends Acl>(classes: readonly FactClass[], sides: Sides<A>): Judged<A> {
  const count = classes.reduce((product, { candidates }) => product * candidates.length, 1);
  if (count > mostCompletions) return roughly(classes, sides);
  const completions = completionsOf(classes);
  const table = [completions.map((request) => resultOf(request, sides))];
  const results = table.flat();
  const found = joined(results);
  const isNone = found.changes.size === 0;
  const isOne = found.changes.size === 1 && results.every(({ change }) => change !== undefined);
  const isCertain = isNone || (isOne && sides.complete);
  return { ...found, isCertain, dependsOn: isCertain ? [] : dependenciesIn(table, classes, sides.complete) };
}

function joined<A extends Acl>(results: readonly Result<A>[]): Omit<Judged<A>, "isCertain" | "dependsOn"> {
  const changed = results.find(({ change }) => change !== undefined);
  return {
    changes: new Set(results.flatMap(({ change }) => change ?? [])),
    cause: changed?.after.by ?? changed?.before.by,
    wasDenied: results.every(({ before }) => before.outcome !== "allowed"),
    isDenied: results.every(({ after }) => after.outcome !== "allowed"),
    deciding: new Set(results.map(({ after }) => after.by)),
  };
}

/** In the order of a number whose digits are the candidates. */
function completionsOf(classes: readonly FactClass[]): AccessRequest[] {
  let all: Candidate[] = [{}];
  for (const { candidates } of classes) {
    all = all.flatMap((request) => candidates.map((candidate) => ({ ...request, ...candidate })));
  }
  return all as AccessRequest[];
}

/** The last end is that of the ACLs that certainly match. */
function resultOf<A extends Acl>(request: AccessRequest, sides: Sides<A>): Result<A> {
  const whole = { ...nothing, ...request };
  const before = decide(sides.before, whole).endings.at(-1)!;
  const after = decide(sides.after, whole).endings.at(-1)!;
  return { before, after, change: changeBetween(before, after) };
}

/** A completion has only the given facts. */
const nothing = Object.fromEntries(
  factNames.flatMap((name) => {
    const { kind } = rowOf(name);
    return name === "path" || kind === "address" || kind === "number" ? [] : [[name, kind === "list" ? [] : ""]];
  }),
);

function changeBetween(before: Ending<Acl>, after: Ending<Acl>): ChangeKind | undefined {
  if (before.outcome === after.outcome) {
    return after.outcome === "redirected" && before.redirect_uri !== after.redirect_uri ? "moves" : undefined;
  }
  if (after.outcome === "blocked") return before.outcome === "allowed" ? "blocks" : "moves";
  if (after.outcome === "allowed") return "opens";
  return before.outcome === "allowed" ? "redirects" : "moves";
}

/** The dimensions in which two completions differ alone, and have different changes. */
function dependenciesIn<A extends Acl>(
  table: readonly (readonly Result<A>[])[],
  classes: readonly FactClass[],
  complete: boolean,
): Dependency[] {
  const found = new Set<Dependency>();
  let step = table[0]!.length;
  for (const { candidates, why } of classes) {
    const size = candidates.length;
    step /= size;
    const matters = table.some((results) =>
      results.some((result, index) => {
        const first = index - (Math.floor(index / step) % size) * step;
        return result.change !== results[first]!.change;
      }),
    );
    if (matters) found.add(why);
  }
  const differ = table.some((results) => results.some((result, index) => result.change !== table[0]![index]!.change));
  if (differ || !complete) found.add("assumption");
  return [...found];
}

/** Too many completions: the outcome may change unless both sides have the same single outcome. */
function roughly<A extends Acl>(classes: readonly FactClass[], sides: Sides<A>): Judged<A> {
  const open = classes.filter(({ candidates }) => candidates.length > 1);
  const facts = classes.filter((one) => !open.includes(one)).map(({ candidates }) => candidates[0]!);
  const apis = classes[0]!.candidates;
  const results = apis.flatMap((api) => {
    const request = Object.assign({}, ...facts, api) as AccessRequest;
    const after = decide(sides.after, request);
    return decide(sides.before, request).endings.flatMap((before) =>
      after.endings.map((end) => ({ before, after: end, change: changeBetween(before, end) })),
    );
  });
  const found = joined(results);
  const isCertain = found.changes.size === 0;
  return { ...found, isCertain, dependsOn: isCertain ? [] : [...new Set(open.map(({ why }) => why))] };
}
