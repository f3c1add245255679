/** Judges whether policies leave Terraform's own application without requests for a token, so that no later plan can undo the change. */
import { effect, type Effect } from "../effect";
import type { Values } from "../model";
import { policiesOn, type ShownByPlans, type TenantObject } from "../state";
import type { OwnLimitFacts } from "./facts";
import { ofOwnLimit, refusedBy, type StarvingLimit } from "../refusals";
import type { BuiltIn, Enforced } from "../statement/statement";
import { effective, pending, policyFrom, rateOf, ratesOf, unknownCallers, type Policy } from "./policy";

/** A policy that limits Terraform's own application more than before. */
export interface OwnLimit extends StarvingLimit {
  /** The selector of the policy. */
  readonly selector: string;
}

export const ownLimitFacts = ({ rate, selector, isCertain }: OwnLimit, client: string): OwnLimitFacts => ({
  kind: "own limit",
  client,
  rate,
  selector: selector.startsWith(unknownCallers) ? pending : selector,
  isCertain,
});

/** Terraform sends several requests for a token at once, from parallel processes. */
const few = 5;

const own = (client: string) => `client_id:${client}`;

/** The policies for applications of the Authentication API, of which one limits the client. */
function policiesFor(client: string, all: readonly Values[]): readonly (Policy | undefined)[] {
  const policies = all.map((values) => policyFrom({ address: "" }, values));
  const ofClients = policies.filter(
    ({ resource, consumer }) => resource === "oauth_authentication_api" && consumer === "client",
  );
  return effective(ofClients, own(client));
}

/** Whether such a change of one policy may limit Terraform's own application more. */
export function mayLimit(client: string, was: Values | undefined, becomes: Values | undefined): boolean {
  const isOwn = (values: Values | undefined) =>
    values !== undefined && policiesFor(client, [values])[0]?.by === own(client);
  const mayStarve = (policy: Policy | undefined) => policy !== undefined && ratesOf(policy)[0] < few;
  return (isOwn(was) && !isOwn(becomes)) || (becomes !== undefined && policiesFor(client, [becomes]).some(mayStarve));
}

/** Undefined: the application keeps at least as many requests, or enough. */
export function ownLimit(before: readonly Values[], after: readonly Values[], client: string): OwnLimit | undefined {
  const [were, are] = [before, after].map((all) => policiesFor(client, all)) as [Policies, Policies];
  const limits = are.flatMap((policy, index) => {
    if (!policy) return [];
    const isCertain = index === 0;
    const was = isCertain ? were[0] : were.find((one) => one?.by === policy.by);
    return [{ rate: rateOf(policy) ?? Infinity, was: rateOf(was) ?? Infinity, selector: policy.by, isCertain }];
  });
  const [worst] = limits
    .filter(({ rate, was }) => rate < few && rate < was)
    .toSorted((one, other) => Number(other.isCertain) - Number(one.isCertain) || one.rate - other.rate);
  return worst && { rate: worst.rate, selector: worst.selector, isCertain: worst.isCertain };
}

type Policies = ReturnType<typeof policiesFor>;

/** `client`: the one that requests Terraform's tokens. Left out: not known, or Terraform requests no token. */
export function ownLimitEffects(
  shown: Pick<ShownByPlans, "objects" | "remote">,
  one: Enforced<BuiltIn>,
  { client }: { readonly client?: string | undefined },
): Effect[] {
  if (client === undefined || one.stated.statement.kind !== "own limit") return [];
  const [before, after] = (["before", "after"] as const).map((side) => policiesOn(side, shown)) as [
    TenantObject[],
    TenantObject[],
  ];
  const limit = ownLimit(valuesOf(before), valuesOf(after), client);
  if (!limit) return [];
  const cause = shown.objects.find(({ after: planned }) => planned?.["consumer_selector"] === limit.selector);
  const found = ofOwnLimit(limit);
  const refuses = refusedBy(found, one);
  return [
    effect(found.code, ownLimitFacts(limit, client), {
      ...cause,
      level: found.level,
      certainty: limit.isCertain ? "certain" : "possible",
      ...(refuses !== undefined && { refuses }),
    }),
  ];
}

const valuesOf = (policies: readonly TenantObject[]) => policies.map(({ values }) => values);
