/** Limits that are missing for a moment, because Terraform deletes a policy before it creates one for the same callers. */
import type { PlannedObject, Values } from "../../../src/impact/model";
import { limitFindings } from "../../../src/impact/transient/limits";
import { policy } from "../support/limits";

const unknown = Symbol("not known yet");
const block = (limit: unknown) => ({ action: "block", limit });
const object = (
  name: string,
  before: Values | undefined,
  after: Values | undefined,
  more: Partial<PlannedObject> = {},
): PlannedObject => ({
  address: `policy.${name}`,
  type: "tenant_rate_limit_policy",
  actions: !before ? ["create"] : !after ? ["delete"] : ["update"],
  ...(before && { before }),
  ...(after && { after }),
  ...more,
});
const replaced = { actions: ["delete", "create"] };
const partners = (limit: unknown, more: Values = {}) => policy("third_party_clients", block(limit), more);
const usual = (configuration: unknown, more: Values = {}) => {
  const values = policy("default", configuration, more);
  return object("usual", values, values, { actions: ["no-op"] });
};
const textsOf = (...objects: readonly PlannedObject[]) => limitFindings(objects).map(({ text }) => text);
const beginningsOf = (...objects: readonly PlannedObject[]) =>
  textsOf(...objects).map((text) => text.split(" This happens")[0]);
const once = object("p", partners(5), partners(5), replaced);
const noLimit = "For a moment during the apply, requests of third_party_clients have no limit.";

test("tells that a replaced policy is missing, and that the replacement always has a gap", () => {
  expect(limitFindings([{ ...once, plan: "eu" }])).toMatchObject([
    { code: "TF-TRANSIENT-OPEN", level: "low", address: "policy.p", plan: "eu" },
  ]);
  expect(textsOf(once)).toEqual([
    `${noLimit} This happens while policy.p is destroyed and not created again yet. A tenant has one policy for the same callers, so a ` +
      "replacement always has this gap. Change the policy in place.",
  ]);
});

test("tells that a renamed policy may be missing, and names `moved`", () => {
  expect(textsOf(object("p", partners(5), undefined), object("q", undefined, partners(9)))).toEqual([
    "For a moment during the apply, requests of third_party_clients may have no limit. This happens while policy.p is destroyed and " +
      "policy.q is not created yet. If the resource only has another name, write `moved`.",
  ]);
});

test("shortens long names", () => {
  const long = "x".repeat(100);
  const values = policy(long, block(5));
  const [text] = textsOf(object(long, values, undefined), object(`${long}y`, undefined, values));
  const short = `policy.${"x".repeat(40)}…`;
  expect(text).toContain(`requests of ${"x".repeat(47)}… may have no limit.`);
  expect(text).toContain(`while ${short} is destroyed and ${short} is not created yet.`);
  expect(textsOf(object(long, values, values, replaced))[0]).toContain(`while ${short} is destroyed and not created`);
});

test("names the callers of a default policy, and hides a sensitive selector", () => {
  const values = policy("default", block(5));
  expect(beginningsOf(object("p", values, values, replaced))).toEqual([
    "For a moment during the apply, requests of clients without a policy of their own have no limit.",
  ]);
  const secret = { beforeSensitive: { consumer_selector: true }, afterSensitive: { consumer_selector: true } };
  expect(beginningsOf({ ...once, ...secret })).toEqual([
    "For a moment during the apply, requests of (sensitive) have no limit.",
  ]);
});

test("tells the default limit if it is looser than the limits before and after", () => {
  expect(beginningsOf(once, usual(block(80)))).toEqual([
    "For a moment during the apply, requests of third_party_clients have only the default limit (block above 80/s (default)).",
  ]);
});

test.each<[string, unknown]>([
  ["is equal", block(5)],
  ["is stricter", block(4)],
  ["is not known", block(unknown)],
])("finds nothing if the default limit %s", (_what, limit) => {
  expect(textsOf(once, usual(limit))).toEqual([]);
});

test.each<[string, unknown, unknown]>([
  ["before", 90, 5],
  ["after", 5, 90],
])("finds nothing if the default limit is stricter than the limit %s", (_side, was, is) => {
  expect(textsOf(object("p", partners(was), partners(is), replaced), usual(block(80)))).toEqual([]);
});

test.each(["resource", "consumer"])("a default policy for another %s gives no limit", (name) => {
  expect(beginningsOf(once, usual(block(1), { [name]: "other" }))).toEqual([noLimit]);
});

test("a default policy that comes or goes gives no limit", () => {
  const values = policy("default", block(1));
  expect(beginningsOf(once, object("usual", undefined, values))).toEqual([noLimit]);
  expect(beginningsOf(once, object("usual", values, undefined))).toEqual([noLimit]);
  expect(beginningsOf(once, object("usual", values, policy("cimd_clients", block(1))))).toEqual([noLimit]);
  expect(beginningsOf(once, object("usual", policy("cimd_clients", block(1)), values))).toEqual([noLimit]);
});

test("another kind of policy gives no limit", () => {
  const values = policy("cimd_clients", block(1));
  expect(beginningsOf(once, object("other", values, values))).toEqual([noLimit]);
});

test.each<[string, PlannedObject[]]>([
  ["a policy that changes in place", [object("p", partners(5), partners(5))]],
  ["a policy that is only destroyed", [object("p", partners(5), undefined)]],
  ["a policy that is only created", [object("p", undefined, partners(5))]],
  [
    "another policy that changes in place",
    [object("p", partners(5), undefined), object("q", partners(9), partners(9))],
  ],
  [
    "a new policy for other callers",
    [object("p", partners(5), undefined), object("q", undefined, policy("cimd_clients", block(5)))],
  ],
  ["a policy that only logs", [object("p", policy("a", { action: "log", limit: 5 }), policy("a", block(5)), replaced)]],
  ["a policy whose new limit is not known", [object("p", partners(5), partners(unknown), replaced)]],
  [
    "a policy whose new callers are not known",
    [object("p", partners(5), partners(5, { resource: unknown }), replaced)],
  ],
  [
    "two policies whose callers are not known",
    [object("p", policy(unknown, block(5)), policy(unknown, block(5)), replaced)],
  ],
  ["a replaced policy that the plan shows without values", [object("p", undefined, undefined, replaced)]],
  ["an old policy that stays on the tenant", [{ ...once, leaves: true }]],
])("finds nothing for %s", (_what, objects) => {
  expect(textsOf(...objects)).toEqual([]);
});
