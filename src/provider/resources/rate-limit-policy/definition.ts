/** The schema of rate limit policies, which limit the requests per second of an application or a group of applications. */
import * as z from "zod";
import { attributePath } from "../../../formats/cty/path";
import { unknown } from "../../../formats/cty/value";
import { attribute, notesOf, rule } from "../../sdk/attribute";
import { type Computed, type Config, define } from "../../sdk/definition";
import { nearest } from "../../../formats/text/nearest";
import { httpsUri, knownText, visible } from "../schemas";
import type { RateLimitPolicyBody } from "../../../tenant/rate-limit-policies";

const actions = ["allow", "block", "log", "redirect"] as const;

const fromTo = "use a whole number from 0 to 10000";

const configurationBlock = z.object({
  action: attribute(
    z.enum(actions, `choose one of ${actions.join(", ")}`),
    "Action for requests above the limit: `allow`, `block`, `log` or `redirect`.",
    { example: "block" },
  ),
  limit: attribute(
    z.int(fromTo).min(0, fromTo).max(10000, fromTo).optional(),
    "Requests per second, 0 to 10000; 0 blocks every request. Required for every action except `allow`.",
    { example: 25 },
  ),
  redirect_uri: attribute(httpsUri.optional(), "https URL to which `redirect` sends the client.", {
    mayBeBlank: true,
    example: "https://example.com/slow-down",
  }),
});

const actionArguments = rule(configurationBlock, ({ action, limit, redirect_uri }, report) => {
  if (action === undefined || action === unknown) return;
  const limited = action !== "allow";
  if (limited && limit === undefined) {
    report(
      `\`configuration.limit\` is missing: the action ${action} needs the requests per second, 0 to 10000.`,
      attributePath("limit"),
    );
  }
  if (!limited && limit !== undefined) {
    report("`configuration.limit` is set, but the action allow has no limit: remove it.", attributePath("limit"));
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

const groups = ["cimd_clients", "third_party_clients", "default"];
const selectors = ["client_id:<id>", "client_id:<uri>", ...groups];

/** As Auth0 makes them. The id of an application with a metadata document is the address of the document. */
const bareId = /^([A-Za-z\d]{32}|https:\/\/.+)$/s;

function likelySelector(text: string): string | undefined {
  if (bareId.test(text)) return `client_id:${text}`;
  const [, kind = text, id] = /^([^:]*):(.+)$/s.exec(text) ?? [];
  if (id === undefined) return nearest(text, groups);
  return nearest(kind, ["client_id"]) && `client_id:${id}`;
}

const config = z.object({
  resource: attribute(
    visible().default("oauth_authentication_api"),
    "The API that the policy limits. Default: `oauth_authentication_api`.",
    {
      replace: true,
      rules: [knownText("resource", ["oauth_authentication_api"])],
      values: ["oauth_authentication_api"],
      example: "oauth_authentication_api",
    },
  ),
  consumer: attribute(
    visible().default("client"),
    "The kind of consumer whose requests count: only `client`, an application. Default: `client`.",
    {
      replace: true,
      rules: [knownText("consumer", ["client"])],
      values: ["client"],
      example: "client",
    },
  ),
  consumer_selector: attribute(
    visible(
      z
        .string()
        .min(1, `give ${selectors.slice(0, -1).join(", ")} or ${selectors.at(-1)}`)
        .max(255, "use at most 255 characters"),
    ),
    "Applications that the policy limits: `client_id:<id>`, `client_id:<uri>`, `cimd_clients` (those whose client id is a URL), `third_party_clients` or `default` (each application without another policy).",
    {
      replace: true,
      rules: [knownText("consumer_selector", selectors, likelySelector)],
      values: ["default", "third_party_clients", "cimd_clients", "client_id:<id>"],
      example: "third_party_clients",
    },
  ),
  configuration: attribute(configurationBlock, "The limit, and the action for requests above it.", {
    block: true,
    rules: [actionArguments],
    example: { action: "block", limit: 25 },
  }),
});

const computed = z.object({
  id: attribute(z.string(), "Id of the policy."),
  created_at: attribute(z.string(), "Time of creation, in UTC."),
  updated_at: attribute(z.string(), "Time of the last change, in UTC.", { volatile: true }),
});

export const rateLimitPolicy = define({
  name: "rate_limit_policy",
  description:
    "A rate limit policy, which limits the requests per second of an application or a group of applications. Early Access.",
  config,
  computed,
  identity: computed.pick({ id: true }),
});

type Definition = typeof rateLimitPolicy;

export function toWire(planned: Config<Definition>): RateLimitPolicyBody {
  const { resource, consumer, consumer_selector, configuration } = planned;
  return { resource, consumer, consumer_selector, configuration };
}

export const computedOf = ({ id, created_at, updated_at }: Computed<Definition>) => ({ id, created_at, updated_at });

const known = (name: keyof typeof rateLimitPolicy.config.shape) => {
  const { values, example } = notesOf(rateLimitPolicy.config.shape[name], name);
  return { values, example };
};

/** What the data source and the list restrict. */
export const policyFilter = z.object({
  resource: attribute(z.string().optional(), "Return only policies for this API.", known("resource")),
  consumer: attribute(z.string().optional(), "Return only policies for this kind of consumer.", known("consumer")),
  consumer_selector: attribute(
    z.string().optional(),
    "Return only the policy with this selector.",
    known("consumer_selector"),
  ),
});
