/** The provider function that evaluates network ACLs. */
import * as z from "zod";
import { type Acl, decide, factNames, notKnown, outcomesOf, requestOf } from "../../access/access";
import { withName } from "../../impact/value";
import { isWhollyKnown, unknown, type Value } from "../../cty/value";
import { attribute, listOf, type PartiallyUnknown } from "../../sdk/attribute";
import type { ProviderFunction } from "../../sdk/functions";
import { facts } from "../values";
import { networkAcl } from "./definition";

const { active, priority, rule } = networkAcl.config.shape;

/** Has the form of the resource and the data source, with the defaults of the resource. */
const acl = z.object({
  id: attribute(z.string().optional(), "Id of the ACL."),
  created_at: attribute(z.string().optional(), "Time of creation."),
  updated_at: attribute(z.string().optional(), "Time of the last change."),
  description: attribute(z.string().optional(), "Purpose of the ACL."),
  active,
  priority,
  // Without the checks of the resource, because an ACL of the tenant may not pass them.
  rule: attribute(z.object(rule.shape), "Matching requests and the action for them."),
});

type GivenAcl = PartiallyUnknown<z.output<typeof acl>>;

const request = z.object(
  facts(factNames, (name) => ({
    mayBeEmpty: true,
    ...(name === "path" && { help: "Path of the request. Default: `/authorize`." }),
  })),
);

const decision = z.object({
  outcome: attribute(
    z.string(),
    "`allowed`, `blocked` or `redirected`. If unknown attributes decide, all possible outcomes, such as `blocked or allowed`.",
  ),
  certain: attribute(z.boolean(), "Whether the outcome is the same for every value of the unknown attributes."),
  redirect_uri: attribute(z.string().optional(), "URL to which a redirect sends the client."),
  acl: attribute(
    z
      .object({
        id: attribute(z.string().optional(), "Id of the ACL."),
        description: attribute(z.string().optional(), "Purpose of the ACL."),
        priority: attribute(z.number(), "Priority of the ACL."),
      })
      .optional(),
    "The ACL that decides the outcome, or may decide it; null if none matches.",
  ),
  because: attribute(z.string(), "The criteria that decide the outcome, as a sentence."),
});

const aclDecisionDefinition = {
  name: "acl_decision",
  title: "Evaluates network ACLs for one request",
  description:
    "Evaluates the ACLs as Auth0 does, the lowest priority first. Returns the outcome of the request, the ACL that decides " +
    "it, and the reason. An attribute that you leave out is unknown and can have any value. An empty text means that the request has none.",
  parameters: z.object({
    acls: attribute(
      listOf(acl),
      "The network ACLs: resources, the ACLs of `data.tenant_network_acls`, or objects with the same attributes.",
    ),
    request: attribute(request, "The known attributes of the request."),
  }),
  result: attribute(decision, "The outcome of the request."),
} as const;

export const aclDecision: ProviderFunction<typeof aclDecisionDefinition> = {
  definition: aclDecisionDefinition,
  call(given) {
    const lists = aclsFrom(given.acls);
    if (!lists || given.request === unknown || given.request === undefined) return unknown;
    const { path = "/authorize", ...others } = given.request;
    if (path === unknown) return unknown;
    const { endings, by, redirect_uri, certain, because } = decide(lists, requestOf(path, others));
    const isOpen = lists.some(({ open }) => open) || !isWhollyKnown(others as Value);
    // An unknown value may still decide which ACL matches, and why.
    if (isOpen && !certain) return unknown;
    const outcome = outcomesOf({ endings });
    if (isOpen) return { outcome, certain, redirect_uri: unknown, acl: unknown, because: unknown };
    return { outcome, certain, redirect_uri, because, acl: by && { ...by.shown, priority: by.priority } };
  },
};

interface GivenList extends Acl {
  readonly shown: { readonly id?: unknown; readonly description?: unknown };
  /** A value that may decide is not known yet. */
  readonly open: boolean;
}

/** Undefined while an ACL is not known. */
function aclsFrom(given: readonly GivenAcl[] | typeof unknown | undefined): GivenList[] | undefined {
  if (given === unknown || given === undefined) return undefined;
  const lists: GivenList[] = [];
  for (const [index, one] of given.entries()) {
    if (one === unknown || one === undefined) return undefined;
    const { id, description: title, active: isActive = true, priority: at = 50, rule: its } = one;
    const place = `${String(title === unknown ? undefined : title)} ${index}`;
    const isFirst = typeof id === "string" && lists.every(({ key }) => key !== id);
    const parts = its === unknown ? { action: unknown, match: unknown, scope: unknown } : its;
    const held = withName(parts, place) as Acl["rule"];
    lists.push({
      // ACLs with the same key would count as one ACL.
      key: isFirst ? id : place,
      active: isActive !== false,
      priority: at === unknown ? NaN : at,
      // An ACL that is perhaps active is one more assumption of its rule.
      rule: isActive === unknown ? ({ ...held, active: notKnown(place) } as Acl["rule"]) : held,
      shown: { id, description: title },
      open: !isWhollyKnown([isActive, at, its] as Value),
    });
  }
  return lists;
}
