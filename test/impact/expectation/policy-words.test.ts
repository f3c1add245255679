/** The whole judgement of a statement about limits: words, causes, and what got worse. */
import type { StatedObject } from "../../../src/impact/expectation/judge";
import { boundsOf, judgePolicies } from "../../../src/impact/expectation/policy-statement";
import { block, policy } from "../support/policies";

const unknown = Symbol("unknown");
const judge = (bounds: object, policies: StatedObject[]) =>
  judgePolicies({ kind: "policy", consumer: "client", ...bounds }, { policies });
const third = { consumer_selector: "third_party_clients" };
const most = { ...third, at_most: 50 };
const least = { ...third, at_least: 50 };
const atMost = "The limit should be at most 50 requests per second.";
const atLeast = "The limit should be at least 50 requests per second.";

test("a limit within the bound holds", () => {
  expect(judge(most, [policy("third_party_clients", block(50))])).toEqual({
    verdict: "held",
    text: "It holds after the change.",
    cause: [],
    assumptions: [],
    offences: new Map(),
  });
});

test("a broken bound names the policy, its plan and its id, and how to keep it", () => {
  const own = policy("third_party_clients", block(60), { plan: "eu", id: "rlp_1" });
  expect(judge(most, [own])).toEqual({
    verdict: "broken",
    text: `The rate limit policy for third_party_clients allows 60 requests per second. ${atMost}`,
    cause: [
      {
        address: "policy.third_party_clients",
        plan: "eu",
        id: "rlp_1",
        words: "rate limit policy for third_party_clients",
      },
    ],
    assumptions: [],
    offences: new Map([["third_party_clients", 10]]),
  });
});

test("an unmanaged policy has no address", () => {
  const { address: _, ...unmanaged } = policy("third_party_clients", block(60));
  const judged = judge(most, [unmanaged, policy("client_id:a", block(1))]);
  expect(judged.cause).toStrictEqual([{ words: "rate limit policy for third_party_clients" }]);
});

test.each<[string, object, StatedObject[], string]>([
  [
    "allow",
    most,
    [policy("third_party_clients", { action: "allow", limit: 5 })],
    "limits nothing, because its action is allow",
  ],
  [
    "log",
    most,
    [policy("third_party_clients", { action: "log", limit: 5 })],
    "only logs requests, so it limits nothing",
  ],
  [
    "an unknown limit",
    most,
    [policy("third_party_clients", block(unknown))],
    "has a limit that is known only after the apply",
  ],
  [
    "a missing limit",
    most,
    [policy("third_party_clients", block(undefined))],
    "has a limit that is known only after the apply",
  ],
  [
    "an empty limit",
    most,
    [policy("third_party_clients", block(""))],
    "has a limit that is known only after the apply",
  ],
  [
    "an unreadable limit",
    most,
    [policy("third_party_clients", block("x"))],
    "has a limit that is known only after the apply",
  ],
  [
    "an infinite limit",
    most,
    [policy("third_party_clients", block(Infinity))],
    "has a limit that is known only after the apply",
  ],
  [
    "an unknown action",
    most,
    [policy("third_party_clients", { action: unknown })],
    "has an action that is known only after the apply",
  ],
  [
    "no configuration",
    most,
    [policy("third_party_clients", undefined)],
    "has an action that is known only after the apply",
  ],
  ["a limit as text", most, [policy("third_party_clients", block("60"))], "allows 60 requests per second"],
])("words for %s", (_name, bounds, policies, words) => {
  expect(judge(bounds, policies).text).toContain(`The rate limit policy for third_party_clients ${words}. ${atMost}`);
});

test("a sensitive policy shows neither its limit nor its callers", () => {
  const sensitive = { configuration: true, consumer_selector: true };
  const { text, cause } = judge(most, [policy("third_party_clients", block(61), { sensitive })]);
  expect(text).toBe(`The rate limit policy for (sensitive) allows (sensitive) requests per second. ${atMost}`);
  expect(cause).toEqual([{ address: "policy.third_party_clients", words: "rate limit policy for (sensitive)" }]);
});

test.each<[string, object, string]>([
  ["at most", most, atMost],
  [
    "at least and at most",
    { ...third, at_least: 40, at_most: 50 },
    "The limit should be at least 40 and at most 50 requests per second.",
  ],
])("the bounds: %s", (_name, bounds, words) => {
  expect(judge(bounds, []).text).toContain(words);
});

test("the bound at least", () => {
  const { text } = judge(least, [policy("third_party_clients", block(40))]);
  expect(text).toBe(`The rate limit policy for third_party_clients allows 40 requests per second. ${atLeast}`);
});

test.each<[string, object, StatedObject[], string]>([
  ["one policy", most, [policy("third_party_clients", block(unknown))], "The limit is known only after the apply."],
  [
    "no policy or one for unknown callers",
    most,
    [policy(unknown, block(30))],
    "It is not known which one applies to third_party_clients: no policy or rate limit policy for callers that are known only after the apply.",
  ],
  [
    "the group of a client",
    { consumer_selector: "client_id:a", at_most: 50 },
    [policy("default", block(40)), policy("cimd_clients", block(60)), policy("client_id:b", block(70))],
    "It is not known which one applies to client_id:a: rate limit policy for default or rate limit policy for cimd_clients.",
  ],
])("why it is undecided: %s", (_name, bounds, policies, why) => {
  const judged = judge(bounds, policies);
  expect(judged).toMatchObject({ verdict: "undecided", assumptions: [why] });
  expect(judged.text.endsWith(` ${why}`)).toBe(true);
  expect(judged.text).toContain(atMost);
});

test("an undecided statement names only the policies that may break it", () => {
  const judged = judge({ consumer_selector: "client_id:a", at_most: 50 }, [
    policy("default", block(40)),
    policy("cimd_clients", block(60)),
    policy("client_id:b", block(70)),
  ]);
  expect(judged.text).toContain("The rate limit policy for cimd_clients allows 60 requests per second.");
  expect(judged.cause.map(({ words }) => words)).toEqual(["rate limit policy for cimd_clients"]);
});

test("a client may have a policy for callers that are not known", () => {
  const bounds = { consumer_selector: "client_id:a", at_most: 50 };
  expect(judge(bounds, [policy("default", block(40)), policy(unknown, block(60))]).verdict).toBe("undecided");
});

test("without a policy, no policy is the cause", () => {
  expect(judge(most, []).cause).toEqual([]);
});

test("a limit that is not known may be below a bound", () => {
  expect(judge(least, [policy("third_party_clients", block(unknown))])).toMatchObject({
    verdict: "undecided",
    assumptions: ["The limit is known only after the apply."],
  });
  const action = judge(least, [policy("third_party_clients", { action: unknown, limit: 40 })]);
  expect([...action.offences]).toEqual([["third_party_clients", 10]]);
});

test("every client is judged by its own policy, unknown callers by theirs, and the others by the default", () => {
  const judged = judge({ at_most: 50 }, [
    policy("client_id:a", block(60)),
    policy("client_id:b", block(50)),
    policy(unknown, block(70)),
    policy("default", block(80)),
  ]);
  expect([...judged.offences]).toEqual([
    ["client_id:a", 10],
    ["callers that are known only after the apply", 20],
    ["clients without a policy of their own", 30],
  ]);
  expect(judged.text).toContain("The rate limit policy for client_id:a allows 60");
  expect(judged.cause.map(({ words }) => words)).toEqual([
    "rate limit policy for client_id:a",
    "rate limit policy for callers that are known only after the apply",
    "rate limit policy for default",
  ]);
});

test("without a default, nothing limits the other clients", () => {
  const judged = judge({ at_most: 50 }, [policy("client_id:a", block(40))]);
  expect(judged.text).toBe(
    `No rate limit policy applies to clients without a policy of their own, so nothing limits them. ${atMost}`,
  );
  expect([...judged.offences]).toEqual([["clients without a policy of their own", Infinity]]);
});

test("the default stands for itself", () => {
  const bounds = { consumer_selector: "default", at_most: 50 };
  expect(judge(bounds, []).text).toContain("No rate limit policy applies to default, so");
  expect(judge(bounds, [policy(unknown, block(30))]).assumptions).toEqual([
    "It is not known which one applies to default: no policy or rate limit policy for callers that are known only after the apply.",
  ]);
  expect(judge(bounds, [policy("default", block(30)), policy("cimd_clients", block(90))]).verdict).toBe("held");
});

test.each<[string, object, StatedObject[], number]>([
  ["a limit that is too low", least, [policy("third_party_clients", block(40))], 10],
  ["a limit that is too high", most, [policy("third_party_clients", block(70))], 20],
  ["nothing that limits", most, [], Infinity],
])("how far it is: %s", (_name, bounds, policies, distance) => {
  expect([...judge(bounds, policies).offences.values()]).toEqual([distance]);
});

test.each<[string, StatedObject["values"], boolean]>([
  ["no resource and no consumer", {}, true],
  ["null in place of both", { resource: null, consumer: null }, true],
  ["another resource", { resource: "other" }, false],
  ["another consumer", { consumer: "user" }, false],
  ["the usual ones", { resource: "oauth_authentication_api", consumer: "client" }, true],
])("a policy with %s counts: %j", (_name, values, counts) => {
  const one = { values: { ...values, consumer_selector: "third_party_clients", configuration: block(40) } };
  expect(judge(most, [one]).verdict).toBe(counts ? "held" : "broken");
});

test("a policy whose resource is known only after the apply may be for the callers", () => {
  const one = { values: { resource: unknown, consumer_selector: "third_party_clients", configuration: block(40) } };
  expect(judge(most, [one]).verdict).toBe("undecided");
  const other = { values: { consumer: unknown, consumer_selector: "third_party_clients", configuration: block(40) } };
  expect(judge(most, [other]).verdict).toBe("undecided");
});

test.each<[string, string, string | undefined]>([
  ["client", "client", undefined],
  ["client_id:a", "client", "client_id:a"],
  ["cimd_clients", "client", "cimd_clients"],
  ["third_party_clients", "client", "third_party_clients"],
  ["default", "client", "default"],
  ["user", "user", undefined],
  ["my_default", "my_default", undefined],
  ["default_other", "default_other", undefined],
  ["x client_id:a", "x client_id:a", undefined],
])("the consumer %s means %s with the selector %s", (written, consumer, selector) => {
  expect(boundsOf({ kind: "policy", consumer: written })).toEqual({
    consumer,
    selector,
    at_most: Infinity,
    at_least: 0,
  });
});

test("a written selector wins", () => {
  const bounds = {
    kind: "policy",
    consumer: "default",
    consumer_selector: "client_id:a",
    at_most: 5,
    at_least: 4,
  } as const;
  expect(boundsOf(bounds)).toEqual({ consumer: "client", selector: "client_id:a", at_most: 5, at_least: 4 });
});

test("says what it does not know", () => {
  expect(judge({ ...third, at_most: unknown }, [])).toMatchObject({
    verdict: "undecided",
    text: "The plan does not show every value of this expectation.",
    cause: [],
    assumptions: [],
  });
  expect(judgePolicies({ kind: "policy", consumer: "client", at_most: 5 }, {})).toEqual({
    verdict: "undecided",
    text: "The rate limit policies of the tenant were not read.",
    cause: [],
    assumptions: [],
    offences: new Map(),
  });
});
