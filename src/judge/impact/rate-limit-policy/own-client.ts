/** Judges whether policies leave Terraform's own application without requests for a token, so that no later plan can undo the change. */
import { effect, type Effect } from "../effect";
import type { PlannedObject, Values } from "../model";
import type { OwnLimitFacts } from "./facts";
import { ofOwnLimit, type StarvingLimit } from "../refusals";
import type { Strength } from "../statement/protected-request";
import { rateOf, policyFrom, type Policy } from "./policy";

/** A policy that limits Terraform's own application more than before. */
export interface OwnLimit extends StarvingLimit {
  /** The selector of the policy. */
  readonly selector: string;
}

export const ownLimitFacts = ({ rate, selector, isCertain }: OwnLimit, client: string): OwnLimitFacts => ({
  kind: "own limit",
  client,
  rate,
  selector,
  isCertain,
});

/** Terraform sends several requests for a token at once, from parallel processes. */
const few = 5;

/** Whether a limit of this policy may be too low for Terraform's own application. */
export function mayStarve(values: Values, client: string): boolean {
  const policy = policyFrom({ address: "" }, values);
  const isOther = policy.by.startsWith("client_id:") && policy.by !== own(client);
  return !isOther && !isOfOthers(policy.by, client) && !((rateOf(policy) ?? 0) >= few);
}

/** Undefined: the application keeps at least as many requests, or enough. */
export function ownLimit(before: readonly Values[], after: readonly Values[], client: string): OwnLimit | undefined {
  const [were, are] = [before, after].map(policiesBySelector) as [Policies, Policies];
  const found = [own(client), "default"].find((selector) => are.has(selector));
  const groups = are.has(own(client)) ? [] : [...are.keys()].filter((one) => isGroup(one) && !isOfOthers(one, client));
  const limits = [...(found === undefined ? [] : [found]), ...groups].map((selector): OwnLimit & { was: number } => {
    const was = were.get(selector) ?? (selector === own(client) ? were.get("default") : undefined);
    const usual = selector === "default" ? (were.get(own(client)) ?? was) : was;
    return {
      rate: rateOf(are.get(selector)!) ?? Infinity,
      was: usual ? (rateOf(usual) ?? Infinity) : Infinity,
      selector,
      isCertain: !isGroup(selector),
    };
  });
  const [worst] = limits
    .filter(({ rate, was }) => rate < few && rate < was)
    .toSorted((one, other) => Number(other.isCertain) - Number(one.isCertain) || one.rate - other.rate);
  return worst && { rate: worst.rate, selector: worst.selector, isCertain: worst.isCertain };
}

const own = (client: string) => `client_id:${client}`;

const isGroup = (selector: string) => selector !== "default" && !selector.startsWith("client_id:");

/** The id of a client with a metadata document is the address of the document. */
const isOfOthers = (selector: string, client: string) => selector === "cimd_clients" && !client.startsWith("https:");

type Policies = ReadonlyMap<string, Policy>;

const isOfClients = ({ resource, consumer }: Policy) =>
  resource === "oauth_authentication_api" && consumer === "client";

export function isOwnPolicy(values: Values, client: string): boolean {
  const policy = policyFrom({ address: "" }, values);
  return policy.by === own(client) && isOfClients(policy);
}

/** Only policies for applications of the Authentication API count. */
function policiesBySelector(all: readonly Values[]): Policies {
  const policies = all.map((values) => policyFrom({ address: "" }, values));
  const ofClients = policies.filter(isOfClients);
  return new Map(ofClients.map((policy) => [policy.by, policy]));
}

/** The client that requests Terraform's tokens, and the guard that judges the changed policies. */
export interface OwnClient {
  /** Undefined: not known, or Terraform requests no token. */
  readonly id: string | undefined;
  /** Undefined: not known. */
  readonly strength: Strength | undefined;
}

/** `remote`: the policies of the tenant, if they were read. */
export function ownLimitEffects(
  planned: readonly PlannedObject[],
  remote: readonly Values[] | undefined,
  { id: client, strength }: OwnClient,
): Effect[] {
  if (client === undefined) return [];
  const managed = new Set(planned.map(({ before }) => before?.["id"]));
  const others = (remote ?? []).filter(({ id }) => !managed.has(id));
  const side = (name: "before" | "after") => [
    ...others,
    ...planned.flatMap((one): readonly Values[] => (one[name] ? [one[name]] : [])),
  ];
  const limit = ownLimit(side("before"), side("after"), client);
  if (!limit) return [];
  const cause = planned.find((one) => one.after?.["consumer_selector"] === limit.selector);
  const { code, level, refuses } = ofOwnLimit(limit);
  const isAnswered = !refuses || strength !== undefined;
  return [
    effect(code, ownLimitFacts(limit, client), {
      ...cause,
      level,
      certainty: limit.isCertain ? "certain" : "possible",
      ...(isAnswered && { refuses: refuses && strength === "error" }),
    }),
  ];
}
