/** What network ACLs do to requests, asked in HCL: the evaluator behind the lock-out guard and the reviews, as functions. */
import * as z from "zod";
import {
  type Acl,
  createComparison,
  decide,
  difference,
  type FactName,
  notKnown,
  outcomesOf,
  requestOf,
} from "../../access/access";
import { isWhollyKnown, unknown, type Value } from "../../cty/value";
import { attribute, listOf, type PartiallyUnknown } from "../../sdk/attribute";
import { ArgumentError, type ProviderFunction } from "../../sdk/functions";
import { ipAddress } from "../address";
import { allReadable, readable } from "../fact";
import { networkAcl } from "./definition";

const { active, priority, rule } = networkAcl.config.shape;

/** As the resource and the data source have it; what an expression leaves out is what the resource takes then. */
const acl = z.object({
  id: attribute(z.string().optional(), "Id of the list."),
  created_at: attribute(z.string().optional(), "When the list was made."),
  updated_at: attribute(z.string().optional(), "When the list was last changed."),
  description: attribute(z.string().optional(), "What the list is for."),
  active,
  priority,
  // Without the rules of the resource: what stands on the tenant is taken as it is.
  rule: attribute(z.object(rule.shape), "Which requests are meant, and what happens to them."),
});

type GivenAcl = PartiallyUnknown<z.output<typeof acl>>;

const acls = (said: string) => attribute(listOf(acl), said);

const fact = (name: FactName, said: string) => attribute(z.string().optional(), said, { rules: [readable(name)] });

const request = z.object({
  path: fact("path", "Path that is asked for. Default: `/authorize`."),
  ip: attribute(ipAddress.optional(), "Address of the end user, IPv4 or IPv6."),
  connecting_ip: attribute(ipAddress.optional(), "Address of the host that connects, such as a proxy. Default: `ip`."),
  country: fact("country", "ISO 3166-1 alpha-2 code of the country."),
  subdivision: fact("subdivision", "ISO 3166-2 code of the region."),
  asn: attribute(z.int("give a whole number").optional(), "AS number of the network.", { rules: [readable("asn")] }),
  user_agent: fact("user_agent", "User agent."),
  hostname: fact("hostname", "Host name that is asked for."),
  ja3: fact("ja3", "JA3 fingerprint of the TLS client."),
  ja4: fact("ja4", "JA4 fingerprint of the TLS client."),
  managed: attribute(listOf(z.string()).optional(), "All curated lists that it is on, such as `auth0.tor`.", {
    rules: [allReadable("managed")],
  }),
  signature_key: fact("signature_key", "Id of the key of its HTTP message signature."),
});

const decision = z.object({
  outcome: attribute(
    z.string(),
    "`allowed`, `blocked` or `redirected`; where facts that are left out decide, all that may be: `blocked or allowed`.",
  ),
  certain: attribute(z.boolean(), "Whether the outcome is the same whatever the facts are that are left out."),
  redirect_uri: attribute(z.string().optional(), "Where a redirect sends the client."),
  acl: attribute(
    z
      .object({
        id: attribute(z.string().optional(), "Its id."),
        description: attribute(z.string().optional(), "What it is for."),
        priority: attribute(z.number(), "Its place in the order of evaluation."),
      })
      .optional(),
    "The list that decides, or that may; null: none matches.",
  ),
  because: attribute(z.string(), "The criteria that decide, in words."),
});

const aclDecisionDefinition = {
  name: "acl_decision",
  title: "What network ACLs do to a request",
  description:
    "Evaluates the lists as the service does, the lowest priority first, and says what happens to the request, by which list, and " +
    "why. Facts of the request that are left out are not known, and may be anything; an empty text says that it has none.",
  parameters: z.object({
    acls: acls("The network ACLs: resources, those of `data.tenant_network_acls`, or objects of the same form."),
    request: attribute(request, "The request, as far as it is known."),
  }),
  result: attribute(decision, "What happens to the request."),
} as const;

export const aclDecision: ProviderFunction<typeof aclDecisionDefinition> = {
  definition: aclDecisionDefinition,
  call(given) {
    const lists = aclsFrom(given.acls);
    if (!lists || given.request === unknown || given.request === undefined) return unknown;
    const { path = "/authorize", ...facts } = given.request;
    if (path === unknown) return unknown;
    const { endings, by, redirect_uri, certain, because } = decide(lists, requestOf(path, facts));
    const isOpen = lists.some(({ open }) => open) || !isWhollyKnown(facts as Value);
    // What is not known yet may still decide who does it and why.
    if (isOpen && !certain) return unknown;
    const outcome = outcomesOf({ endings });
    if (isOpen) return { outcome, certain, redirect_uri: unknown, acl: unknown, because: unknown };
    return { outcome, certain, redirect_uri, because, acl: by && { ...by.shown, priority: by.priority } };
  },
};

const aclEquivalentDefinition = {
  name: "acl_equivalent",
  title: "Whether two sets of network ACLs do the same to every request",
  description:
    "Compares what becomes of every possible request. True is a proof that nothing changes for anybody, however the service reads " +
    "what it does not document (several signals in `not_match`, equal priorities); false: there is a request that may fare otherwise. " +
    "An error where it cannot be decided.",
  parameters: z.object({
    before: acls("The one set of network ACLs, as for `acl_decision`."),
    after: acls("The other."),
  }),
  result: attribute(z.boolean(), "Whether both do the same to every request."),
} as const;

export const aclEquivalent: ProviderFunction<typeof aclEquivalentDefinition> = {
  definition: aclEquivalentDefinition,
  call({ before, after }) {
    const [one, other] = [aclsFrom(before), aclsFrom(after)];
    if (!one || !other || [...one, ...other].some(({ open }) => open)) return unknown;
    const { proven, changes } = difference(createComparison(one, other));
    if (changes.some(({ certainty }) => certainty !== "not decided")) return false;
    if (proven) return true;
    throw new ArgumentError("after", "the two sets are too entangled to decide whether they do the same");
  },
};

interface GivenList extends Acl {
  readonly shown: { readonly id?: unknown; readonly description?: unknown };
  /** Something that may decide is not known yet. */
  readonly open: boolean;
}

/** Undefined where nothing can be said of them yet. */
function aclsFrom(given: readonly GivenAcl[] | typeof unknown | undefined): GivenList[] | undefined {
  if (given === unknown || given === undefined) return undefined;
  const lists: GivenList[] = [];
  for (const [index, one] of given.entries()) {
    if (one === unknown || one === undefined) return undefined;
    const { id, description: title, active: isActive = true, priority: at = 50, rule: its } = one;
    const place = `${String(title === unknown ? undefined : title)} ${index}`;
    const isFirst = typeof id === "string" && lists.every(({ key }) => key !== id);
    const parts = its === unknown ? { action: unknown, match: unknown, scope: unknown } : its;
    const held = withSymbols(parts, place) as Acl["rule"];
    lists.push({
      // Lists with one key would be taken for one, whose order is not open.
      key: isFirst ? id : place,
      active: isActive !== false,
      priority: at === unknown ? NaN : at,
      // Whether a list is in force that may be or not is one more thing that its rule may hang on.
      rule: isActive === unknown ? ({ ...held, active: notKnown(place) } as Acl["rule"]) : held,
      shown: { id, description: title },
      open: !isWhollyKnown([isActive, at, its] as Value),
    });
  }
  return lists;
}

/** What the evaluator takes for a value that is not known. */
function withSymbols(value: unknown, name: string): unknown {
  if (value === unknown) return notKnown(name);
  if (Array.isArray(value)) return value.map((part) => withSymbols(part, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withSymbols(part, name)]));
}
