/** The schema of expectations in the provider block. */
import * as z from "zod";
import { countries, curatedLists, factLists, type ListName, quoted } from "../../../judge/access/access";
import { nearest } from "../../../formats/text/nearest";
import { ExpectationError, groups, readExpectation } from "../../../judge/impact/statement/read";
import { type Expectation, expectedOutcomes } from "../../../judge/impact/statement/statement";
import { attribute, type AttributeOptions, listOf, number, type Rule, string } from "../../sdk/attribute";
import { cidrBlocks, userAgents } from "../network-acl/criteria";
import { each, single, strangeCountryCodes } from "../schemas";
import { isObject, unknown } from "../../../formats/cty/value";

/* `readableExpectations` checks the values, so that the provider block and JSON files have the same form. */

/** Refuses what the reader of expectations refuses. */
const readableExpectations: Rule = (value, report) => {
  const names = new Set<unknown>();
  for (const [index, one] of (value as readonly unknown[]).entries()) {
    // The schema says that the name is missing.
    if (!isObject(one) || one["name"] === undefined) continue;
    try {
      readWritten(one, index);
    } catch (error) {
      if (!(error instanceof ExpectationError)) throw error;
      report(error.message, [{ index }]);
    }
    const { name } = one;
    if (typeof name !== "string") continue;
    if (names.has(name)) {
      const problem = `\`expectation[${index}].name\` is ${quoted(name)}, the name of an earlier expectation: give it another name.`;
      report(problem, [{ index }, { attribute: "name" }]);
    }
    names.add(name);
  }
};

/** An expectation that is wholly unknown has no known statement. */
export function expectationsIn(written: unknown): Expectation[] {
  if (written === undefined) return [];
  const list = written === unknown ? [unknown] : (written as readonly unknown[]);
  const open = { name: unknown, outcome: unknown, request: unknown };
  return list.flatMap((one, index) => (one === undefined ? [] : readWritten(one === unknown ? open : one, index)));
}

const readWritten = (one: unknown, index: number): Expectation => readExpectation(one, `expectation[${index}]`);

type Texts = z.ZodOptional<z.ZodArray<z.ZodString>>;

const strings = listOf(string);
const numbers = listOf(number);
const texts = (description: string, options: AttributeOptions) => attribute(strings.optional(), description, options);
const bound = (description: string, example: number) => attribute(number.optional(), description, { example });

/** The reader of expectations refuses near misses. */
const strange = (name: string, text: string, known: readonly string[]) =>
  nearest(text, known) === undefined
    ? `This version does not know the ${name} ${JSON.stringify(text)}. It knows ${known.join(", ")}. If it is misspelt, the expectation ` +
      "says nothing about what you mean."
    : undefined;

const knownLists = each((list) =>
  curatedLists.includes(list.toLowerCase()) ? undefined : strange("curated list", list, curatedLists),
);
const knownCallers = (name: string, known: readonly string[]) =>
  single((text) =>
    known.includes(text) || text.startsWith("client_id:")
      ? undefined
      : strange(name, text, [...known, "client_id:<id>"]),
  );

const options: { readonly [list in ListName]?: AttributeOptions } = {
  scopes: { values: ["authentication", "management", "dynamic_client_registration"] },
  ip_cidrs: { rules: [cidrBlocks] },
  connecting_ip_cidrs: { rules: [cidrBlocks] },
  countries: { values: countries, rules: [strangeCountryCodes] },
  managed: { rules: [knownLists] },
  user_agents: { rules: [userAgents] },
};

const requestSet = z.object(
  Object.fromEntries(
    factLists.map(({ name, help, example, entries }) => {
      const schema = (entries === "number" ? numbers : strings).optional() as z.ZodType;
      return [name, attribute(schema, help, { example: [example], ...options[name] })];
    }),
  ) as { [list in Exclude<ListName, "asns">]: Texts } & { asns: z.ZodOptional<z.ZodArray<z.ZodNumber>> },
);

const requestSets = (description: string, example: object) =>
  attribute(listOf(requestSet).optional(), description, { block: true, example: [example] });

const policy = z.object({
  consumer: attribute(
    z.string(),
    "The applications: `client` (all), `third_party_clients`, `cimd_clients` (those whose client id is a URL), `default` or `client_id:<id>`.",
    { example: "third_party_clients", rules: [knownCallers("`consumer`", ["client", ...groups])] },
  ),
  consumer_selector: attribute(
    string.optional(),
    "The selector of the policy, such as `client_id:<id>`. Default: every selector of the consumer.",
    { example: "client_id:tvRyQID7mJMDPVmGFHYJeWaV3QttDxzU", rules: [knownCallers("`consumer_selector`", groups)] },
  ),
  at_most: bound("The highest limit, in requests per second. Without a policy, there is no limit.", 50),
  at_least: bound("The lowest limit, in requests per second.", 10),
});

const members = z.object({
  organization_id: attribute(z.string(), "Id of the organization.", { example: "org_9ybsU1dN2dKfDkBi" }),
  include: texts("User ids that must be members.", { example: ["auth0|ada"] }),
  exclude: texts("User ids that must not be members.", { example: ["auth0|mallory"] }),
  at_least: bound("The lowest number of members.", 2),
  at_most: bound("The highest number of members.", 50),
});

const expectation = z.object({
  name: attribute(z.string(), "Name of the expectation in messages. Unique.", { example: "sanctions" }),
  outcome: attribute(
    string.optional(),
    "Outcome that every request must have: `blocked`, `reached` (allowed and not redirected), `redirected` or `logged`.",
    { values: expectedOutcomes, example: "blocked" },
  ),
  one_of: texts("Outcomes of which every request must have one. Replaces `outcome`.", {
    values: expectedOutcomes,
    example: ["blocked", "redirected"],
  }),
  severity: attribute(
    string.optional(),
    "Reaction to a plan that breaks the expectation: `error` refuses the plan, `warning` warns. Default: `error`.",
    { values: ["error", "warning"], example: "warning" },
  ),
  request: requestSets(
    "Requests that the expectation is about. An attribute that you leave out may have any value, and a list means any of its values. " +
      "Repeat the block for more requests. Omit it for all requests.",
    { scopes: ["authentication"], countries: ["KP", "IR"] },
  ),
  except: requestSets("Requests that the expectation is not about. The arguments are those of `request`.", {
    ip_cidrs: ["198.51.100.0/24"],
  }),
  policy: attribute(policy.optional(), "Rate limit that applications must have. Replaces `outcome` and `request`.", {
    block: true,
    example: { consumer: "third_party_clients", at_most: 50 },
  }),
  members: attribute(members.optional(), "Members that an organization must have. Replaces `outcome` and `request`.", {
    block: true,
    example: { organization_id: "org_9ybsU1dN2dKfDkBi", include: ["auth0|ada"], at_least: 2 },
  }),
});

export const expectations = attribute(
  listOf(expectation).optional(),
  "A statement about all requests of a kind, about a rate limit or about members. Every plan that changes such objects checks it, " +
    "unmanaged objects included.",
  {
    block: true,
    rules: [readableExpectations],
    example: [
      { name: "sanctions", outcome: "blocked", request: [{ scopes: ["authentication"], countries: ["KP", "IR"] }] },
    ],
  },
);
