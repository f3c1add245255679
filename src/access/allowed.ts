/** Decides exactly whether any request with the given facts can be allowed. `decide` looks at each ACL alone. */
import { formatBlock, parseBlock, unmapped } from "./cidr";
import { createComparison } from "./comparison";
import { criteriaOf, sides, type Criteria } from "./rule";
import { decide, type Acl } from "./decide";
import { pointIn } from "./region";
import { plainFacts, propertyOf } from "./fact";
import { unnamedFacts, type AccessRequest } from "./request";
import { ifDecided, type Budget } from "./search";
import { valueOf } from "./signal";

const steps = 20_000;

/** Also true if the search takes too long. */
export function mayBeAllowed(acls: readonly Acl[], request: AccessRequest): boolean {
  if (samples.some((sample) => decide(acls, { ...sample, ...request }).denied === "no")) return true;
  if (!otherScopes[request.api]) return true;
  const asked = [...acls, ...blocksOfOtherRequests(request, acls)];
  const { combinations, partitions, space } = createComparison([], asked);
  if (!combinations.complete) return true;
  const budget: Budget = { left: steps };
  const found = ifDecided(() =>
    combinations.all.some((assumptions) =>
      partitions(assumptions)
        .after.endings.filter(({ end }) => end.outcome === "allowed")
        .some((ending) => pointIn(ending, space, budget) !== undefined),
    ),
  );
  return found ?? true;
}

/** Most ACLs allow one of these requests, so a search is rarely needed. */
const samples = ["203.0.113.7", "93.184.216.34", "2001:db8::7", "2a00:1450::1"].map((address) => ({
  ip: address,
  connecting_ip: address,
  ...unnamedFacts("\u{1f600}", 4_294_967_294),
}));

/** Scopes without the API. */
const otherScopes: Readonly<Record<string, readonly string[]>> = {
  management: ["authentication"],
  authentication: ["management", "dynamic_client_registration"],
};

/** No host has these addresses: "this network", multicast, reserved, and IPv6 outside of 2000::/3. */
const noHosts = { ipv4_cidrs: ["0.0.0.0/8", "224.0.0.0/3"], ipv6_cidrs: ["::/3", "4000::/2", "8000::/1"] };

/** ACLs that block every request without the given facts. They are evaluated before all others. */
function blocksOfOtherRequests(
  { api, ip, connecting_ip, managed, ...facts }: AccessRequest,
  acls: readonly Acl[],
): Acl[] {
  const named = (property: string) => [
    ...new Set(
      acls.flatMap(({ rule }) =>
        sides.flatMap((side) =>
          criteriaOf(rule, side).flatMap((one) => (one.properties[0] === property ? one.texts : [])),
        ),
      ),
    ),
  ];
  const lists = plainFacts.flatMap((fact): Criterions[] => {
    const [property, value] = [propertyOf(fact), (facts as Readonly<Record<string, unknown>>)[fact]];
    if (value === undefined) return [];
    return value === ""
      ? [{ match: listing(property, named(property)) }]
      : [{ not_match: listing(property, [String(value)]) }];
  });
  const rules: Criterions[] = [
    ip === undefined ? { match: noHosts } : { not_match: ofAddress("", ip) },
    ...(connecting_ip === undefined ? [] : [{ not_match: ofAddress("connecting_", connecting_ip) }]),
    ...lists,
    ...(managed === undefined
      ? []
      : [...new Set([...named("auth0_managed"), ...managed])].map((list): Criterions => ({
          [managed.includes(list) ? "not_match" : "match"]: { auth0_managed: [list] },
        }))),
  ];
  const usable = rules.filter((rule) => Object.values(rule).every((criteria) => criteria !== undefined));
  const all = [
    ...usable.map((rule) => ({ ...rule, scope: "tenant" })),
    ...otherScopes[api]!.map((scope) => ({ match_all: true, scope })),
  ];
  return all.map((rule, index) => ({
    active: true,
    priority: -1 - index,
    key: `other requests ${index}`,
    rule: { ...rule, action: { block: true } },
  }));
}

interface Criterions {
  readonly match?: Criteria | undefined;
  readonly not_match?: Criteria | undefined;
}

/** Undefined if no rule names a value. */
function listing(property: string, texts: readonly string[]): Criteria | undefined {
  if (texts.length === 0) return undefined;
  return { [property]: valueOf(property, texts) };
}

function ofAddress(prefix: string, text: string): Criteria | undefined {
  const block = parseBlock(text);
  if (!block) return undefined;
  const own = unmapped(block);
  return { [`${prefix}ipv${own.family}_cidrs`]: [formatBlock(own)] };
}
