/** Decides one request, with every outcome that an undocumented detail of `not_match` makes possible. */
import { criteriaOf, decide, outcomesOf, type AccessRequest, type Acl, type Criteria } from "../access/access";

export interface Decision<A extends Acl> {
  /** One outcome, or all possible outcomes: "blocked or allowed". */
  readonly outcome: string;
  readonly certain: boolean;
  /** Whether the outcome is certain under the documented behaviour. */
  readonly documented: boolean;
  readonly redirect_uri?: string;
  /** The deciding ACL under the documented behaviour. undefined: no ACL matches. */
  readonly by?: A;
  readonly because: string;
}

export function decisionOf<A extends Acl>(acls: readonly A[], request: AccessRequest): Decision<A> {
  const { by, because, certain, endings: documented } = decide(acls, request);
  const others = splits.flatMap(
    (split) =>
      decide(
        acls.flatMap((acl) => withOneExclusion(acl, split)),
        request,
      ).endings,
  );
  const endings = [...documented, ...others];
  const uri = documented.find((ending) => ending.by === by)?.redirect_uri;
  return {
    outcome: outcomesOf({ endings }),
    certain: new Set(endings.map(({ outcome }) => outcome)).size === 1,
    documented: certain,
    ...(uri !== undefined && { redirect_uri: uri }),
    ...(by && { by }),
    because,
  };
}

type Criterion = ReturnType<typeof criteriaOf>[number];
type Split = (criterion: Criterion) => readonly (readonly string[])[];

/** The two properties of connecting addresses are one signal or two. */
const splits: readonly Split[] = [
  ({ properties }) => [properties],
  ({ signal, properties }) => (signal?.mayBeTwoSignals ? properties.map((name) => [name]) : [properties]),
];

/** If only all signals of not_match together exclude a request, the rule equals one rule for each of these signals. */
function withOneExclusion<A extends Acl>(acl: A, split: Split): A[] {
  const signals = criteriaOf(acl.rule, "not_match").flatMap(split);
  if (signals.length < 2) return [acl];
  const given = acl.rule.not_match as Criteria;
  return signals.map((properties) => {
    const own = Object.fromEntries(properties.map((name) => [name, given[name]]));
    return { ...acl, rule: { ...acl.rule, not_match: own } };
  });
}

/** `blocked by "Closed" (priority 1)`. `title` names the deciding ACL. */
export function endWords({ outcome, certain, documented }: Decision<Acl>, title: string | undefined): string {
  if (certain) return title === undefined ? `${outcome}, because no ACL matches` : `${outcome} by ${title}`;
  if (!documented) return `${outcome}: unknown facts decide`;
  return `${outcome}: the service does not document how several signals of not_match exclude a request`;
}
