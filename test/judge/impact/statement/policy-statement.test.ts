/** Judges statements about limits by the policy that applies, its action, and unknown values: one row for each decision. */
import { assumptionWords } from "../../../../src/judge/impact/words/assumption";
import type { TenantObject } from "../../../../src/judge/impact/state";
import { judgeExpectations } from "../../../../src/judge/impact/statement/judge";
import { boundsOf, judgePolicies } from "../../../../src/judge/impact/statement/policies";
import { judgementWords, uncoveredWords } from "../../../../src/judge/impact/words/reason";
import { readExpectations } from "../support/expectations";
import { block, policy } from "../support/policies";
import { table } from "../support/table";

const unknown = Symbol("unknown");
const judge = (bounds: object, policies?: TenantObject[]) =>
  judgePolicies({ kind: "policy", consumer: "client", ...bounds }, policies ? { policies } : {});

const third = "third_party_clients";
const most = { consumer_selector: third, at_most: 50 };
const least = { consumer_selector: third, at_least: 50 };
const everyone = { at_most: 50 };
const client = { consumer_selector: "client_id:a", at_most: 50 };
const own = (configuration: unknown, more?: Partial<TenantObject>) => policy(third, configuration, more);
const limit = (selector: unknown, number: unknown) => policy(selector, block(number));
const usual = limit("default", 40);
const log = { action: "log", limit: 5 };
const raw = (values: object) => ({ values: { consumer_selector: third, configuration: block(40), ...values } });

const cases: [string, object, TenantObject[]?][] = [
  ["a limit within the bound", most, [own(block(50))]],
  ["a higher limit", most, [own(block(60), { plan: "eu", id: "rlp_1" })]],
  ["a lower limit", least, [own(block(40))]],
  ["both bounds", { ...most, at_least: 40 }, [own(block(30))]],
  ["a limit of 0", { consumer_selector: third, at_least: 1 }, [own(block(0))]],
  ["a limit as text", most, [own(block("60"))]],
  ["a configuration block", most, [own([block(60)])]],
  ["a redirect", most, [own({ action: "redirect", limit: 40 })]],
  ["a limit that only logs", most, [own(log)]],
  ["a limit that only logs, at least", least, [own(log)]],
  ["a policy that allows everything", most, [own({ action: "allow", limit: 5 })]],
  ["no policy", most, []],
  ["no policy, at least", least, []],
  ["no policy for long callers", { consumer_selector: `client_id:${"a".repeat(120)}`, at_most: 50 }, []],
  ["the default", most, [usual]],
  ["the default, beside a higher client", most, [usual, limit("client_id:a", 80), limit("client_id:https://a", 90)]],
  ["a higher default, beside a lower client", most, [limit("default", 60), limit("client_id:a", 40)]],
  ["an own policy in place of the default", most, [usual, own(block(60))]],
  ["the policy of another group", most, [usual, limit("cimd_clients", 60)]],
  ["a client with its own policy", client, [limit("client_id:a", 40), own(block(60))]],
  ["a client whose group is not known", client, [usual, limit(third, 60), limit("client_id:b", 70)]],
  ["a client without an address, beside CIMD clients", client, [usual, limit("cimd_clients", 60)]],
  [
    "a client with an address",
    { ...client, consumer_selector: "client_id:https://a" },
    [usual, limit("cimd_clients", 60)],
  ],
  ["a client whose groups all keep the bound", client, [usual, own(block(50))]],
  ["a client whose groups all break the bound", { ...client, at_most: 30 }, [usual, own(block(50))]],
  ["a client whose group may have the only policy", client, [own(block(40))]],
  ["a client beside unknown callers", client, [usual, limit(unknown, 60)]],
  ["every client", everyone, [usual, limit("client_id:a", 50)]],
  ["every client, one above", everyone, [usual, limit("client_id:a", 60)]],
  ["every client, two above", everyone, [limit("default", 60), limit("client_id:a", 60)]],
  ["every client, unknown ones above", everyone, [limit("default", 80), limit("client_id:a", 60), limit(unknown, 70)]],
  ["every client without a default", everyone, [limit("client_id:a", 40)]],
  ["every client, at least", { at_least: 50 }, [limit("client_id:a", 60)]],
  ["one above, and one that is not known", everyone, [usual, limit("client_id:a", 60), limit(unknown, unknown)]],
  ["an unknown limit", most, [own(block(unknown))]],
  ["an unknown limit, at least", least, [own(block(unknown))]],
  ["an unknown limit under the highest bound", { ...most, at_most: 10_000 }, [own(block(unknown))]],
  ["a missing limit", most, [own(block(undefined))]],
  ["an infinite limit", most, [own(block(Infinity))]],
  ["an unknown action", most, [own({ action: unknown, limit: 40 })]],
  ["an unknown action, at least", { ...least, at_least: 40 }, [own({ action: unknown, limit: 40 })]],
  ["an unknown action below the lower bound", least, [own({ action: unknown, limit: 40 })]],
  ["an unknown action above the bound", { ...most, at_most: 30 }, [own({ action: unknown, limit: 40 })]],
  ["an unknown configuration", most, [own(unknown)]],
  ["no configuration", most, [own(undefined)]],
  ["unknown callers next to an own policy", most, [own(block(40)), limit(unknown, 60)]],
  ["unknown callers above the bound", most, [usual, limit(unknown, 60)]],
  ["unknown callers within the bound", most, [usual, limit(unknown, 30)]],
  ["unknown callers that may be the only ones", most, [limit(unknown, 30)]],
  ["the default alone", { consumer_selector: "default", at_most: 50 }, []],
  ["the default beside a group", { consumer_selector: "default", at_most: 50 }, [usual, limit("cimd_clients", 90)]],
  ["a higher client", most, [own(block(50)), limit("client_id:a", 80), limit("client_id:https://a.example", 90)]],
  ["clients within the bound beside their group", most, [own(block(50)), limit("client_id:a", 50)]],
  [
    "a CIMD client beside its group",
    { ...most, consumer_selector: "cimd_clients" },
    [limit("cimd_clients", 5), limit("client_id:https://a.example", 90)],
  ],
  ["an unmanaged policy", most, [{ values: own(block(60)).values }, limit("client_id:a", 1)]],
  ["a policy of a provider, which knows no addresses", most, [{ values: own(block(60)).values }]],
  ["a sensitive policy", most, [own(block(61), { sensitive: { configuration: true, consumer_selector: true } })]],
  ["no resource and no consumer", most, [raw({})]],
  ["null in place of both", most, [raw({ resource: null, consumer: null })]],
  ["another resource", most, [raw({ resource: "other" })]],
  ["another consumer", most, [raw({ consumer: "user" })]],
  ["an unknown resource", most, [raw({ resource: unknown })]],
  ["an unknown consumer", most, [raw({ consumer: unknown })]],
  ["policies that were not read", most],
  ["an unknown bound", { consumer_selector: third, at_most: unknown }, [own(block(40))]],
];

test("judges each case, words it, and names the policy", () => {
  const lines = table(
    cases,
    (bounds, policies) => {
      const judged = judge(bounds, policies);
      const { verdict, cause, offences, reason } = judged;
      const uncovered = reason.kind === "held" ? reason.uncovered : undefined;
      const causes = cause.map(({ address, plan, id, words }) => [address, plan, id, words].filter(Boolean).join(" "));
      const worse = [...offences].map(([who, distance]) => `${who} by ${distance}`);
      const parts = [judgementWords(judged), causes.join(", "), worse.join(", ")];
      if (verdict === "held") return uncovered ? [`held. ${uncoveredWords(uncovered)}`] : [];
      return [`${verdict}. ${parts.filter(Boolean).join(" | ")}`];
    },
    "held",
  );
  expect(lines).toMatchInlineSnapshot(`
    "
    a higher limit: broken. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | policy.third_party_clients eu rlp_1 rate limit policy for third_party_clients | third_party_clients by 10
    a lower limit: broken. The rate limit policy for third_party_clients allows 40 requests per second together. The limit should be at least 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 10
    both bounds: broken. The rate limit policy for third_party_clients allows 30 requests per second together. The limit should be at least 40 and at most 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 10
    a limit of 0: broken. The rate limit policy for third_party_clients allows 0 requests per second together. The limit should be at least 1 request per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 1
    a limit as text: broken. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 10
    a configuration block: broken. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 10
    a limit that only logs: broken. The rate limit policy for third_party_clients only logs requests, so it limits nothing. The limit should be at most 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by Infinity
    a policy that allows everything: broken. The rate limit policy for third_party_clients limits nothing, because its action is allow. The limit should be at most 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by Infinity
    no policy: broken. No rate limit policy applies to third_party_clients, so there is no limit. The limit should be at most 50 requests per second. | third_party_clients by Infinity
    no policy for long callers: broken. No rate limit policy applies to client_id:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…, so there is no limit. The limit should be at most 50 requests per second. | client_id:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa by Infinity
    the default, beside a higher client: undecided. The rate limit policy for client_id:a allows 80 requests per second. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to third_party_clients: rate limit policy for default or rate limit policy for client_id:a. | policy.client_id:a rate limit policy for client_id:a | third_party_clients by 30
    a higher default, beside a lower client: broken. The rate limit policy for default allows 60 requests per second to each application. The limit should be at most 50 requests per second. | policy.default rate limit policy for default | third_party_clients by 10
    an own policy in place of the default: broken. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 10
    a client whose group is not known: undecided. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to client_id:a: rate limit policy for default or rate limit policy for third_party_clients. | policy.third_party_clients rate limit policy for third_party_clients | client_id:a by 10
    a client with an address: broken. The rate limit policy for cimd_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | policy.cimd_clients rate limit policy for cimd_clients | client_id:https://a by 10
    a client whose groups all break the bound: broken. The rate limit policy for default allows 40 requests per second to each application. The limit should be at most 30 requests per second. | policy.default rate limit policy for default, policy.third_party_clients rate limit policy for third_party_clients | client_id:a by 20
    a client whose group may have the only policy: undecided. It is not known whether a rate limit policy applies to client_id:a. If none does, there is no limit. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to client_id:a: no policy or rate limit policy for third_party_clients. | client_id:a by Infinity
    a client beside unknown callers: undecided. The rate limit policy for applications that are known only after the apply allows 60 requests per second. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to client_id:a: rate limit policy for default or rate limit policy for applications that are known only after the apply. | policy.Symbol(unknown) rate limit policy for applications that are known only after the apply | client_id:a by 10
    every client, one above: broken. The rate limit policy for client_id:a allows 60 requests per second. The limit should be at most 50 requests per second. | policy.client_id:a rate limit policy for client_id:a | client_id:a by 10
    every client, two above: broken. The rate limit policy for client_id:a allows 60 requests per second. The limit should be at most 50 requests per second. | policy.client_id:a rate limit policy for client_id:a, policy.default rate limit policy for default | client_id:a by 10, applications without a policy of their own by 10
    every client, unknown ones above: broken. The rate limit policy for client_id:a allows 60 requests per second. The limit should be at most 50 requests per second. | policy.client_id:a rate limit policy for client_id:a, policy.Symbol(unknown) rate limit policy for applications that are known only after the apply, policy.default rate limit policy for default | client_id:a by 10, applications that are known only after the apply by 20, applications without a policy of their own by 30
    every client without a default: broken. No rate limit policy applies to applications without a policy of their own, so there is no limit. The limit should be at most 50 requests per second. | applications without a policy of their own by Infinity
    one above, and one that is not known: broken. The rate limit policy for client_id:a allows 60 requests per second. The limit should be at most 50 requests per second. | policy.client_id:a rate limit policy for client_id:a | client_id:a by 10, applications that are known only after the apply by 9950
    an unknown limit: undecided. The rate limit policy for third_party_clients has a limit that is known only after the apply. The limit should be at most 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 9950
    an unknown limit, at least: undecided. The rate limit policy for third_party_clients has a limit that is known only after the apply. The limit should be at least 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 50
    a missing limit: undecided. The rate limit policy for third_party_clients has a limit that is known only after the apply. The limit should be at most 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 9950
    an infinite limit: undecided. The rate limit policy for third_party_clients has a limit that is known only after the apply. The limit should be at most 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 9950
    an unknown action: undecided. The rate limit policy for third_party_clients has an action that is known only after the apply. The limit should be at most 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by Infinity
    an unknown action below the lower bound: undecided. The rate limit policy for third_party_clients has an action that is known only after the apply. The limit should be at least 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by 10
    an unknown action above the bound: broken. The rate limit policy for third_party_clients has an action that is known only after the apply. The limit should be at most 30 requests per second. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by Infinity
    an unknown configuration: undecided. The rate limit policy for third_party_clients has an action that is known only after the apply. The limit should be at most 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by Infinity
    no configuration: undecided. The rate limit policy for third_party_clients has an action that is known only after the apply. The limit should be at most 50 requests per second. Not certain, because the limit is known only after the apply. | policy.third_party_clients rate limit policy for third_party_clients | third_party_clients by Infinity
    unknown callers next to an own policy: held. It does not cover applications with another policy: the rate limit policy for applications that are known only after the apply allows 60 requests per second.
    unknown callers above the bound: undecided. The rate limit policy for applications that are known only after the apply allows 60 requests per second. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to third_party_clients: rate limit policy for default or rate limit policy for applications that are known only after the app…. | policy.Symbol(unknown) rate limit policy for applications that are known only after the apply | third_party_clients by 10
    unknown callers that may be the only ones: undecided. It is not known whether a rate limit policy applies to third_party_clients. If none does, there is no limit. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to third_party_clients: no policy or rate limit policy for applications that are known only after the apply. | third_party_clients by Infinity
    the default alone: broken. No rate limit policy applies to default, so there is no limit. The limit should be at most 50 requests per second. | default by Infinity
    the default beside a group: held. It does not cover applications with another policy: the rate limit policy for cimd_clients allows 90 requests per second together.
    a higher client: held. It does not cover applications with another policy: the rate limit policy for client_id:a allows 80 requests per second.
    a CIMD client beside its group: held. It does not cover applications with another policy: the rate limit policy for client_id:https://a.example allows 90 requests per second.
    an unmanaged policy: broken. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | rate limit policy for third_party_clients | third_party_clients by 10
    a policy of a provider, which knows no addresses: broken. The rate limit policy for third_party_clients allows 60 requests per second together. The limit should be at most 50 requests per second. | rate limit policy for third_party_clients | third_party_clients by 10
    a sensitive policy: broken. The rate limit policy for (sensitive) allows (sensitive) requests per second. The limit should be at most 50 requests per second. | policy.third_party_clients rate limit policy for (sensitive) | third_party_clients by 11
    another resource: broken. No rate limit policy applies to third_party_clients, so there is no limit. The limit should be at most 50 requests per second. | third_party_clients by Infinity
    another consumer: broken. No rate limit policy applies to third_party_clients, so there is no limit. The limit should be at most 50 requests per second. | third_party_clients by Infinity
    an unknown resource: undecided. It is not known whether a rate limit policy applies to third_party_clients. If none does, there is no limit. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to third_party_clients: no policy or rate limit policy for applications that are known only after the apply. | third_party_clients by Infinity
    an unknown consumer: undecided. It is not known whether a rate limit policy applies to third_party_clients. If none does, there is no limit. The limit should be at most 50 requests per second. Not certain, because it is not known which one applies to third_party_clients: no policy or rate limit policy for applications that are known only after the apply. | third_party_clients by Infinity
    policies that were not read: undecided. The rate limit policies of the tenant were not read.
    an unknown bound: undecided. The plan does not show every value of this expectation.
    held: a limit within the bound; a redirect; a limit that only logs, at least; no policy, at least; the default; the policy of another group; a client with its own policy; a client without an address, beside CIMD clients; a client whose groups all keep the bound; every client; every client, at least; an unknown limit under the highest bound; an unknown action, at least; unknown callers within the bound; clients within the bound beside their group; no resource and no consumer; null in place of both
    "
  `);
});

test("a statement that holds has no cause, and an undecided one says why", () => {
  const held = { verdict: "held", reason: { kind: "held" }, cause: [], assumptions: [], offences: new Map() };
  expect(judge(most, [own(block(50))])).toEqual({ ...held, bare: new Set() });
  const why =
    "it is not known which one applies to default: no policy or rate limit policy for applications that are known only after the apply";
  expect(
    judge({ consumer_selector: "default", at_most: 50 }, [limit(unknown, 30)]).assumptions.map(assumptionWords),
  ).toEqual([why]);
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
  const bounds = { at_most: Infinity, at_least: 0 };
  expect(boundsOf({ kind: "policy", consumer: written })).toEqual({ consumer, selector, ...bounds });
});

test("a written selector wins", () => {
  const [consumer_selector, bounds] = ["client_id:a", { at_most: 5, at_least: 4 }];
  expect(boundsOf({ kind: "policy", consumer: "default", consumer_selector, ...bounds })).toEqual({
    consumer: "client",
    selector: consumer_selector,
    ...bounds,
  });
});

/** `a 40, default 60`: a policy of the application a, and the default. */
const inForce = (text: string) =>
  text.split(", ").flatMap((one): TenantObject[] => {
    const [callers, number] = one.split(" ");
    if (!callers) return [];
    return [limit({ default: "default", group: third }[callers] ?? `client_id:${callers}`, Number(number))];
  });

test.each<[string, object, before: string, after: string, string]>([
  // Nothing limits the application of the 40 after it.
  ["one application loses its policy", everyone, "a 40, b 60", "b 60", "No rate limit policy applies to client_id:a"],
  ["one loses its policy to the default", everyone, "a 40, default 60", "default 60", "default allows 60"],
  ["one with a higher limit loses it", everyone, "a 80, default 60", "default 60", "already"],
  ["one with the limit of the default loses it", everyone, "a 60, default 60", "default 60", "already"],
  ["one above the bound loses it, the default keeps the bound", everyone, "a 60, default 40", "default 40", "held"],
  ["one gets a lower limit than the default", everyone, "default 80", "a 60, default 80", "already"],
  ["one gets a higher limit than the default", everyone, "default 60", "a 80, default 60", "client_id:a allows 80"],
  ["one gets a limit that is too high, and had none", everyone, "", "a 60", "client_id:a allows 60"],
  ["the default goes", everyone, "a 60, default 40", "a 60", "broken"],
  ["a group goes to the default", most, "group 40, default 60", "default 60", "default allows 60"],
  ["of an application, a group goes", client, "group 40, default 60", "default 60", "default allows 60"],
  // Which of the two applied is not known, so the expectation may have held.
  ["one of two for the same applications goes", most, "group 40, group 60", "group 60", "allows 60"],
])("says whether the change makes it worse: %s", (_, bounds, before, after, expected) => {
  const list = readExpectations([{ name: "x", policy: { consumer: "client", ...bounds } }], "test");
  const [judged] = judgeExpectations(list, {
    before: { policies: inForce(before) },
    after: { policies: inForce(after) },
  });
  const { verdict, already } = judged!;
  const said = already ? "already" : verdict === "broken" ? `broken. ${judgementWords(judged!)}` : verdict;
  expect(said).toContain(expected);
});

test("marks what was so before and got no worse, and holds nothing on a tenant that was not read", () => {
  const list = readExpectations([{ name: "x", policy: { consumer: third, at_most: 50 } }], "test");
  const state = (...limits: number[]) => ({ policies: limits.map((number) => own(block(number))) });
  const change = (before: number[], after: number[], isStep = false) =>
    judgeExpectations(list, { before: state(...before), after: state(...after) }, isStep)[0]!.already;
  expect([change([60], [60]), change([70], [60]), change([], []), change([60], [])]).toEqual([
    true,
    true,
    true,
    undefined,
  ]);
  expect([change([60], [70]), change([40], [60])]).toEqual([undefined, undefined]);
  // Nothing limited them, and the plan adds a limit that is too high.
  expect([change([], [60]), change([], [60], true)]).toEqual([undefined, true]);
  // Two policies of one selector, of which the plan removes one.
  expect([change([80, 60], [80]), change([60, 80], [80]), change([80, 60], [60])]).toEqual([true, true, true]);
  const incomplete = [{ is: "incomplete" }] as const;
  expect(judgeExpectations(list, { after: { ...state(40), incomplete } })).toMatchObject([
    { verdict: "undecided", assumptions: incomplete },
  ]);
});
