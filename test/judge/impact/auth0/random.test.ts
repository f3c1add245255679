/**
 * Random plans of the auth0 provider, compared with an evaluator that shares no code with the judge: what each change does, written from the
 * pages of Auth0 for some attributes. Each plan changes several objects, and what one of them does must not depend on the others.
 */
import { isAtLeast, levels, type Level } from "../../../../src/judge/impact/effect";
import fc from "../../../support/random";
import { change, reviewOf } from "../../../review/support/plan";

type Values = Readonly<Record<string, unknown>>;

/** An object before and after, and what people must read: `high?` is possible. */
interface Sample {
  readonly type: string;
  readonly before: Values | null;
  readonly after: Values | null;
  readonly expected: readonly string[];
}

const some = <T>(all: readonly T[]) => fc.subarray([...all]);
const without = <T>(all: readonly T[], others: readonly T[]) => all.filter((one) => !others.includes(one));
const said = (isSo: boolean, level: string) => (isSo ? [level] : []);
/** Two states of one attribute, and what the step from the one to the other does. */
const step = <T>(value: fc.Arbitrary<T>, make: (was: T, is: T) => Sample) =>
  fc.tuple(value, value).map(([was, is]) => make(was, is));

const addresses = ["https://a.example/cb", "https://a.example/cb2", "https://b.example/cb"];
const hostsOf = (urls: readonly string[]) => new Set(urls.map((url) => new URL(url).host));
const callbacks = step(some(addresses), (was, is): Sample => {
  const lost = without(was, is).length > 0;
  const isNew = without(is, was).map((url) => !hostsOf(was).has(new URL(url).host));
  return {
    type: "auth0_client",
    before: { name: "App", client_id: "c", callbacks: was },
    after: { name: "App", client_id: "c", callbacks: is },
    expected: [
      ...said(lost, is.length === 0 ? "critical?" : "high?"),
      ...said(isNew.includes(true), "medium?"),
      ...said(isNew.includes(false), "info"),
    ],
  };
});

const protections = ["brute_force_protection", "breached_password_detection", "suspicious_ip_throttling"];
const protection = step(
  fc.record(Object.fromEntries(protections.map((one) => [one, fc.boolean()]))),
  (was, is): Sample => {
    const values = (state: Values) =>
      Object.fromEntries(protections.map((one) => [one, [{ enabled: state[one], shields: ["block"] }]]));
    return {
      type: "auth0_attack_protection",
      before: values(was),
      after: values(is),
      expected: protections.flatMap((one) => said(was[one] === true && is[one] === false, "high")),
    };
  },
);

const policies = ["none", "low", "fair", "good", "excellent"];
const passwords = step(fc.nat(4), (was, is): Sample => {
  const values = (strength: number) => ({
    name: "Users",
    strategy: "auth0",
    options: [{ password_policy: policies[strength] }],
  });
  return {
    type: "auth0_connection",
    before: values(was),
    after: values(is),
    expected: [...said(is < was, "medium"), ...said(is > was, "low")],
  };
});

const clients = step(some(["c1", "c2", "c3"]), (was, is): Sample => ({
  type: "auth0_connection_clients",
  before: { connection_id: "con_1", enabled_clients: was },
  after: { connection_id: "con_1", enabled_clients: is },
  expected: [...said(without(was, is).length > 0, "high"), ...said(without(is, was).length > 0, "info")],
}));

const scopes = step(some(["read:a", "write:a", "delete:a"]), (was, is): Sample => {
  const values = (all: readonly string[]) => ({
    resource_server_identifier: "https://api.example",
    scopes: all.map((name) => ({ name, description: name })),
  });
  return {
    type: "auth0_resource_server_scopes",
    before: values(was),
    after: values(is),
    expected: said(without(was, is).length > 0, "high"),
  };
});

const session = step(fc.constantFrom(24, 72, 720), (was, is): Sample => ({
  type: "auth0_tenant",
  before: { session_lifetime: was },
  after: { session_lifetime: is },
  expected: [...said(is < was, "medium"), ...said(is > was, "low")],
}));

/** Of users, whose deletion cannot be undone, and of people elsewhere. */
const connection = fc.constantFrom("auth0", "email", "okta", "samlp").map((strategy): Sample => ({
  type: "auth0_connection",
  before: { id: "con_2", name: "Gone", strategy },
  after: null,
  expected: [strategy === "auth0" || strategy === "email" ? "critical" : "high"],
}));

const bound = step(some(["Claims", "Deny", "Enrich"]), (was, is): Sample => {
  const values = (names: readonly string[]) => ({
    trigger: "post-login",
    actions: names.map((name) => ({ id: name, display_name: name })),
  });
  return {
    type: "auth0_trigger_actions",
    before: values(was),
    after: values(is),
    expected: [...said(without(was, is).length > 0, "high"), ...said(without(is, was).length > 0, "low?")],
  };
});

const harmless = step(fc.constantFrom("a", "b", "c"), (was, is): Sample => ({
  type: "auth0_role",
  before: { name: "R", description: was },
  after: { name: "R", description: is },
  expected: [],
}));

const samples = [callbacks, protection, passwords, clients, scopes, session, connection, bound, harmless];
/** No two objects of one kind of sample, so that no object has to do with another one. */
const plans = fc.tuple(...samples.map((one) => fc.option(one, { nil: undefined })));

test("a thousand random plans do what an evaluator of its own says", () => {
  let found = 0;
  fc.assert(
    fc.property(plans, (parts) => {
      const all = parts.flatMap((one, index) => (one ? [{ ...one, address: `${one.type}.o${index}` }] : []));
      const { effects, verdict } = reviewOf(all.map(({ address, before, after }) => change(address, before, after)));
      const isMark = { certain: "", possible: "?", undecided: "??" };
      const told = effects.map((one) => `${one.subject.address} ${one.level}${isMark[one.certainty]}`);
      const expected = all.flatMap((one) => one.expected.map((words) => `${one.address} ${words}`));
      expect(told.toSorted()).toEqual(expected.toSorted());
      const ranks = effects.map(({ level }) => levels.indexOf(level));
      expect(verdict.level).toBe(ranks.length === 0 ? "none" : levels[Math.max(...ranks)]);
      const [first] = verdict.lines;
      if (first?.kind === "effect") expect(isAtLeast(first.effect.level, verdict.level as Level)).toBe(true);
      found += effects.length;
    }),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(2_000);
});
