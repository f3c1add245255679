/** Rate limit policies: how many requests a second the tenant serves to whom, and what happens to the rest. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { attributePath } from "../cty/path";
import { unknown } from "../cty/value";
import { attribute, rule } from "../sdk/attribute";
import { defineResource, Refusal } from "../sdk/resource";
import type { RateLimitPolicy, RateLimitPolicyBody } from "../tenant/rate-limit-policies";
import type { Client } from "./client";
import { show } from "../sdk/check";
import { httpsUri } from "./address";
import { warnOfEarlyAccess } from "./early-access";
import { movedRateLimitPolicy } from "./moves";
import { demandScopes, verbs } from "./scopes";
import { createOrTakeOver, reportRename } from "./twins";

const actions = ["allow", "block", "log", "redirect"] as const;

const configuration = z.object({
  action: attribute(
    z.enum(actions, `choose one of ${actions.join(", ")}`),
    "What happens to requests above the limit: `allow`, `block`, `log` or `redirect`.",
  ),
  limit: attribute(
    z
      .int("use a whole number from 0 to 10000")
      .min(0, "use a whole number from 0 to 10000")
      .max(10000, "use a whole number from 0 to 10000")
      .optional(),
    "Requests per second, 0 to 10000; 0 lets none through. For every action but `allow`.",
  ),
  redirect_uri: attribute(httpsUri.optional(), "Where `redirect` sends the client: an https URL."),
});

const partsOfAction = rule(configuration, ({ action, limit, redirect_uri }, report) => {
  if (action === undefined || action === unknown) return;
  const limited = action !== "allow";
  if (limited && limit === undefined) {
    report(
      `\`configuration.limit\` is missing: the action ${action} needs the requests per second, 0 to 10000.`,
      attributePath("limit"),
    );
  }
  if (!limited && limit !== undefined) {
    report("`configuration.limit` is set, but the action allow knows no limit: remove it.", attributePath("limit"));
  }
  if (action === "redirect" && redirect_uri === undefined) {
    report(
      "`configuration.redirect_uri` is missing: the action redirect needs the https URL to send clients to.",
      attributePath("redirect_uri"),
    );
  }
  if (action !== "redirect" && redirect_uri !== undefined) {
    report(
      `\`configuration.redirect_uri\` is set, but the action is ${action}: remove it, or choose the action redirect.`,
      attributePath("redirect_uri"),
    );
  }
});

const onlyKnown = (name: string, known: string) =>
  rule(z.string(), (value, report) => {
    if (value === known) return;
    report(
      `\`${name}\` is "${value}", which this version does not know: ${known} is known. It is passed on as it is.`,
      [],
      "warning",
    );
  });

const selectors = "client_id:<id>, client_id:<uri>, cimd_clients, third_party_clients or default";

const knownSelector = rule(z.string(), (selector, report) => {
  if (/^client_id:.+$|^(cimd_clients|third_party_clients|default)$/.test(selector)) return;
  report(
    `\`consumer_selector\` is "${selector}", which this version does not know: ${selectors} are known. It is passed on as it is.`,
    [],
    "warning",
  );
});

const config = z.object({
  resource: attribute(
    z.string().default("oauth_authentication_api"),
    "The API that is protected. Default: `oauth_authentication_api`.",
    {
      replace: true,
      rules: [onlyKnown("resource", "oauth_authentication_api")],
    },
  ),
  consumer: attribute(z.string().default("client"), "The kind of caller that is counted. Default: `client`.", {
    replace: true,
    rules: [onlyKnown("consumer", "client")],
  }),
  consumer_selector: attribute(
    z.string().min(1, `give ${selectors}`).max(255, "use at most 255 characters"),
    "Which callers are meant: `client_id:<id>`, `client_id:<uri>`, `cimd_clients`, `third_party_clients` or `default` (those not named otherwise).",
    { replace: true, rules: [knownSelector] },
  ),
  configuration: attribute(configuration, "The limit, and what happens above it.", { rules: [partsOfAction] }),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the policy."),
  created_at: attribute(z.string(), "When the policy was made, in UTC."),
  updated_at: attribute(z.string(), "When the policy was last changed, in UTC.", { volatile: true }),
});

export const rateLimitPolicy = defineResource<Client>()({
  name: "rate_limit_policy",
  description: "A rate limit policy: how many requests a second are served to whom. Early Access.",
  config,
  computed,

  title: ({ id, consumer_selector }) => `rate limit policy ${id} (${consumer_selector ?? "?"})`,

  async create(planned, context) {
    const { rateLimitPolicies } = context.client.tenant;
    const body = toWire(planned);
    const find = async () => {
      const found = (await rateLimitPolicies.list()).find((policy) => isDeepStrictEqual(keyOf(policy), keyOf(body)));
      return found && { found, same: isDeepStrictEqual(found.configuration, body.configuration) };
    };
    const made = await createOrTakeOver(named, () => rateLimitPolicies.create(body), find, context);
    context.memory.extent = rateLimitPolicies.extent();
    return added(made);
  },
  async read({ id }, { client, memory }) {
    const { rateLimitPolicies } = client.tenant;
    const found = await rateLimitPolicies.get(id!, memory.extent as ReturnType<typeof rateLimitPolicies.extent>);
    memory.extent = rateLimitPolicies.extent();
    return found && fromWire(found);
  },
  async update(planned, prior, { client }) {
    return added(await client.tenant.rateLimitPolicies.update(prior.id, planned.configuration));
  },
  async delete({ id }, { client }) {
    if (!client.takenOver.has(id)) await client.tenant.rateLimitPolicies.delete(id);
  },
  async review(change, context) {
    const { action, prior, planned } = change;
    const replaced = change.action === "create" ? change.replaced : undefined;
    const { session, report } = context;
    await demandScopes(
      verbs[action].map((verb) => `${verb}:rate_limit_policies`),
      context,
    );
    if (action === "destroy") {
      reportRename("rate limit policy", contentOf(prior), prior.id, context);
      return;
    }
    if (action === "create" && !replaced) reportRename("rate limit policy", contentOf(planned), undefined, context);
    if (action !== "keep") warnOfEarlyAccess("Rate limit policies", { session, report });
    const { resource, consumer, consumer_selector } = planned;
    if (action === "replace" || [resource, consumer, consumer_selector].includes(unknown)) return;
    const title = `${prior?.id ?? "a new policy"} (${show(planned.configuration)})`;
    const other = session.claim(JSON.stringify(["policy", resource, consumer, consumer_selector]), {
      id: prior?.id ?? replaced?.id,
      title,
    });
    if (!other) return;
    report({
      severity: "error",
      summary: "Two policies for the same callers",
      detail:
        `${title} and ${other.title} both have \`consumer_selector\` ${show(consumer_selector)} (with \`resource\` ` +
        `${show(resource)} and \`consumer\` ${show(consumer)}), of which the tenant holds one: remove one of the two.`,
      path: attributePath("consumer_selector"),
    });
  },
  moves: { auth0_rate_limit_policy: (stored) => movedRateLimitPolicy(stored) as never },
  async import(id, { client }) {
    if (/^rlp_\w{21,22}$/.test(id)) return { id };
    const selector = /^consumer_selector:(.+)$/s.exec(id)?.[1];
    if (selector === undefined) {
      throw new Refusal(
        "Not the id of a rate limit policy",
        `"${id}" is not of the form rlp_ and 21 characters. Import by id or by selector: ` +
          "terraform import tenant_rate_limit_policy.NAME rlp_… (or consumer_selector:client_id:abc)",
      );
    }
    const found = (await client.tenant.rateLimitPolicies.list()).filter(
      (policy) => policy.consumer_selector === selector,
    );
    if (found.length === 1) return { id: found[0]!.id };
    throw new Refusal(
      found.length === 0 ? "No such rate limit policy" : "More than one such rate limit policy",
      `The tenant has ${found.length} rate limit policies with the selector ${selector}` +
        (found.length > 1 ? `: import one of ${found.map((policy) => policy.id).join(", ")} by its id.` : "."),
    );
  },
});

const named = { kind: "rate limit policy", type: "tenant_rate_limit_policy", key: "consumer_selector" };

const keyOf = ({ resource, consumer, consumer_selector }: RateLimitPolicyBody) => [
  resource,
  consumer,
  consumer_selector,
];

const contentOf = ({ resource, consumer, consumer_selector, configuration: limit }: any) => ({
  resource,
  consumer,
  consumer_selector,
  configuration: limit,
});

/** The attributes carry the service's names: what is written is what is sent. */
function toWire({
  resource,
  consumer,
  consumer_selector,
  configuration: limit,
}: z.output<typeof config>): RateLimitPolicyBody {
  return { resource, consumer, consumer_selector, configuration: limit };
}

export function fromWire(policy: RateLimitPolicy): z.output<typeof config> & z.output<typeof computed> {
  return policy as z.output<typeof config> & z.output<typeof computed>;
}

function added({ id, created_at, updated_at }: RateLimitPolicy): z.output<typeof computed> {
  return { id, created_at, updated_at };
}
