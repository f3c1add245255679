/** Judges statements about limits by the policy that applies, its action, and unknown values. */
import { judgeExpectations, type StatedObject, type TenantState } from "../../../src/impact/expectation/judge";
import { readExpectations } from "../../../src/impact/expectation/read";
import { block, policy } from "../support/policies";

const judge = (statement: object, policies: StatedObject[] | undefined, more: Partial<TenantState> = {}) =>
  judgeExpectations(readExpectations([{ name: "x", policy: { consumer: "client", ...statement } }], "test"), {
    after: { ...(policies && { policies }), ...more },
  })[0]!;

const third = { consumer_selector: "third_party_clients" };
const one = { consumer_selector: "client_id:abc" };
const unknown = Symbol("unknown");

test.each([
  ["a limit within the bound", { ...third, at_most: 50 }, [policy("third_party_clients", block(50))], "held"],
  ["a higher limit", { ...third, at_most: 50 }, [policy("third_party_clients", block(51))], "broken"],
  ["a limit of 0", { ...third, at_least: 1 }, [policy("third_party_clients", block(0))], "broken"],
  ["a limit as text", { ...third, at_most: 50 }, [policy("third_party_clients", block("60"))], "broken"],
  ["a configuration block", { ...third, at_most: 50 }, [policy("third_party_clients", [block(60)])], "broken"],
  ["a redirect", { ...third, at_most: 50 }, [policy("third_party_clients", { action: "redirect", limit: 40 })], "held"],
  [
    "a limit that only logs",
    { ...third, at_most: 50 },
    [policy("third_party_clients", { action: "log", limit: 5 })],
    "broken",
  ],
  [
    "a limit that only logs, with at_least",
    { ...third, at_least: 50 },
    [policy("third_party_clients", { action: "log", limit: 5 })],
    "held",
  ],
  [
    "a policy that allows everything",
    { ...third, at_most: 50 },
    [policy("third_party_clients", { action: "allow" })],
    "broken",
  ],
  ["no policy", { ...third, at_most: 50 }, [], "broken"],
  ["no policy, with at_least", { ...third, at_least: 50 }, [], "held"],
  ["the default policy", { ...third, at_most: 50 }, [policy("default", block(40))], "held"],
  [
    "an own policy in place of the default",
    { ...third, at_most: 50 },
    [policy("default", block(40)), policy("third_party_clients", block(60))],
    "broken",
  ],
  [
    "the policy of another group",
    { ...third, at_most: 50 },
    [policy("default", block(40)), policy("cimd_clients", block(60))],
    "held",
  ],
  [
    "a policy of another resource",
    { ...third, at_most: 50 },
    [{ values: { resource: "other", consumer_selector: "third_party_clients", configuration: block(5) } }],
    "broken",
  ],
  [
    "an own policy of a client",
    { ...one, at_most: 50 },
    [policy("client_id:abc", block(40)), policy("third_party_clients", block(60))],
    "held",
  ],
  [
    "a client whose group is not known",
    { ...one, at_most: 50 },
    [policy("default", block(40)), policy("third_party_clients", block(60))],
    "undecided",
  ],
  [
    "a client whose groups all keep the bound",
    { ...one, at_most: 50 },
    [policy("default", block(40)), policy("third_party_clients", block(50))],
    "held",
  ],
  [
    "a client whose groups all break the bound",
    { ...one, at_most: 30 },
    [policy("default", block(40)), policy("third_party_clients", block(50))],
    "broken",
  ],
  [
    "a client whose group may have the only policy",
    { ...one, at_most: 50 },
    [policy("third_party_clients", block(40))],
    "undecided",
  ],
  ["every client", { at_most: 50 }, [policy("default", block(40)), policy("client_id:abc", block(50))], "held"],
  [
    "every client, one above",
    { at_most: 50 },
    [policy("default", block(40)), policy("client_id:abc", block(60))],
    "broken",
  ],
  ["every client without a default", { at_most: 50 }, [policy("client_id:abc", block(40))], "broken"],
  ["every client, at least", { at_least: 50 }, [policy("client_id:abc", block(60))], "held"],
  ["an unknown limit", { ...third, at_most: 50 }, [policy("third_party_clients", block(unknown))], "undecided"],
  [
    "an unknown limit under the highest bound",
    { ...third, at_most: 10_000 },
    [policy("third_party_clients", block(unknown))],
    "held",
  ],
  [
    "an unknown action",
    { ...third, at_most: 50 },
    [policy("third_party_clients", { action: unknown, limit: 40 })],
    "undecided",
  ],
  [
    "an unknown action, with at_least",
    { ...third, at_least: 40 },
    [policy("third_party_clients", { action: unknown, limit: 40 })],
    "held",
  ],
  [
    "an unknown action above the bound",
    { ...third, at_most: 30 },
    [policy("third_party_clients", { action: unknown, limit: 40 })],
    "broken",
  ],
  ["an unknown configuration", { ...third, at_most: 50 }, [policy("third_party_clients", unknown)], "undecided"],
  [
    "unknown callers next to an own policy",
    { ...third, at_most: 50 },
    [policy("third_party_clients", block(40)), policy(unknown, block(60))],
    "held",
  ],
  [
    "unknown callers above the bound",
    { ...third, at_most: 50 },
    [policy("default", block(40)), policy(unknown, block(60))],
    "undecided",
  ],
  [
    "unknown callers within the bound",
    { ...third, at_most: 50 },
    [policy("default", block(40)), policy(unknown, block(30))],
    "held",
  ],
  ["unknown callers that may be the only ones", { ...third, at_most: 50 }, [policy(unknown, block(30))], "undecided"],
  ["policies that were not read", { ...third, at_most: 50 }, undefined, "undecided"],
  ["an unknown bound", { ...third, at_most: unknown }, [policy("third_party_clients", block(40))], "undecided"],
] as [string, object, StatedObject[] | undefined, string][])("%s", (_, statement, policies, verdict) => {
  expect(judge(statement, policies).verdict).toBe(verdict);
});

test("takes a selector in place of the consumer", () => {
  expect(
    judge({ consumer: "third_party_clients", at_most: 50 }, [policy("third_party_clients", block(60))]),
  ).toMatchObject({
    verdict: "broken",
    text: "The rate limit policy for third_party_clients allows 60 requests per second. The limit should be at most 50 requests per second.",
    cause: [{ address: "policy.third_party_clients", words: "rate limit policy for third_party_clients" }],
  });
});

test("says that nothing limits the callers", () => {
  expect(judge({ ...third, at_most: 50 }, []).text).toBe(
    "No rate limit policy applies to third_party_clients, so nothing limits them. The limit should be at most 50 requests per second.",
  );
});

test("a tenant that may have further policies holds nothing", () => {
  const incomplete = "The tenant was not read.";
  const policies = [policy("third_party_clients", block(40))];
  expect(judge({ ...third, at_most: 50 }, policies, { incomplete })).toMatchObject({
    verdict: "undecided",
    assumptions: [incomplete],
  });
});

test("marks what was so before and got no worse", () => {
  const list = readExpectations([{ name: "x", policy: { consumer: "client", ...third, at_most: 50 } }], "test");
  const state = (limit: number) => ({ policies: [policy("third_party_clients", block(limit))] });
  const change = (before: number, after: number) =>
    judgeExpectations(list, { before: state(before), after: state(after) })[0]!.already;
  expect([change(60, 60), change(70, 60), change(60, 70), change(40, 60)]).toEqual([true, true, undefined, undefined]);
});

test("shows no sensitive limit or selector", () => {
  const sensitive = { configuration: true, consumer_selector: true };
  const judged = judge({ at_most: 50 }, [
    policy("default", block(40)),
    policy("client_id:secret", block(61), { sensitive }),
  ]);
  expect(judged.verdict).toBe("broken");
  expect(judged.text).not.toMatch(/61|client_id/);
});
