/** Compares the effects of changed limits with the limit of each client, which a second evaluation finds. */
import type { LimitFacts } from "../../../src/judge/impact/rate-limit-policy/facts";
import { rateOf } from "../../../src/judge/impact/rate-limit-policy/policy";
import { worded } from "./support/worded";
import fc from "../../support/random";
import type { PlannedObject, Values } from "../../../src/judge/impact/model";
import { limitChanges } from "../../../src/judge/impact/rate-limit-policy/changes";
import { limitEffects } from "../../../src/judge/impact/rate-limit-policy/effects";
import { expectSeen } from "../../support/seed";

const groups = ["third_party_clients", "cimd_clients"] as const;
const documented = "client_id:https://c.example/d";
const selectors = ["default", ...groups, "client_id:a", documented] as const;
type Selector = (typeof selectors)[number];
type Configuration = { action: string; limit?: number; redirect_uri?: string };
type Policies = Partial<Record<Selector, Configuration>>;

/** The effects of a selector, and the policies of which the first that exists limits its clients. `group`: the one that they may belong to. */
const clients: readonly { selector: Selector; who: string; levels: readonly Selector[]; group?: Selector }[] = [
  { selector: "default", who: "all applications without a policy of their own", levels: ["default"] },
  { selector: "third_party_clients", who: "third-party applications", levels: ["third_party_clients", "default"] },
  {
    selector: "cimd_clients",
    who: "applications with a client ID metadata document",
    levels: ["cimd_clients", "default"],
  },
  { selector: "client_id:a", who: "application a", levels: ["client_id:a", "default"], group: "third_party_clients" },
  {
    selector: documented,
    who: "application https://c.example/d",
    levels: [documented, "cimd_clients", "default"],
    group: "third_party_clients",
  },
];

const numbers = fc.constantFrom(0, 1, 5, 10, 100);
const anyConfiguration: fc.Arbitrary<Configuration> = fc.oneof(
  fc.record({ action: fc.constant("allow") }),
  fc.record({ action: fc.constantFrom("block", "log"), limit: numbers }),
  fc.record({
    action: fc.constant("redirect"),
    limit: numbers,
    redirect_uri: fc.constantFrom("https://a.example/1", "https://a.example/2", "https://b.example/"),
  }),
);
const optional = fc.option(anyConfiguration, { nil: undefined });
const side = fc.record({
  default: optional,
  third_party_clients: optional,
  cimd_clients: optional,
  "client_id:a": optional,
  [documented]: optional,
});

/** What happens to a client: how many requests pass, whether a group shares them, and where the others end. */
function outcome(policies: Policies, levels: readonly Selector[]): { rate: number; isShared: boolean; end: string } {
  const by = levels.find((one) => policies[one] !== undefined);
  const { action, limit = 0, redirect_uri = "" } = (by && policies[by]) ?? { action: "allow" };
  if (action === "allow" || action === "log") return { rate: Infinity, isShared: false, end: "" };
  const isShared = limit > 0 && groups.some((group) => group === by);
  return { rate: limit, isShared, end: action === "block" ? "blocked" : redirect_uri };
}

const compared = (before: Policies, after: Policies, levels: readonly Selector[]) =>
  [outcome(before, levels), outcome(after, levels)] as const;

function objectOf(selector: Selector, before?: Configuration, after?: Configuration): PlannedObject[] {
  const values = (configuration: Configuration): Values => ({
    id: `rlp_${selector}`,
    resource: "oauth_authentication_api",
    consumer: "client",
    consumer_selector: selector,
    configuration,
  });
  if (!before && !after) return [];
  return [
    {
      address: selector,
      type: "tenant_rate_limit_policy",
      actions: [before ? (after ? "update" : "delete") : "create"],
      ...(before && { before: values(before) }),
      ...(after && { after: values(after) }),
    },
  ];
}

function levelOf(selector: Selector, was: ReturnType<typeof outcome>, is: ReturnType<typeof outcome>): string {
  const isDefault = selector === "default";
  if (is.rate === 0 && was.rate > 0) return isDefault ? "critical" : "high";
  const hostOf = (end: string) => (end.startsWith("https:") ? new URL(end).host : undefined);
  const moves = hostOf(was.end) !== undefined && hostOf(is.end) !== undefined && hostOf(was.end) !== hostOf(is.end);
  const isTenth = is.rate * 10 <= was.rate && was.rate < Infinity && is.rate < was.rate;
  if (moves || isTenth) return "high";
  if (is.end.startsWith("https:") && is.end !== was.end) return "medium";
  if (is.rate === was.rate) return "medium";
  const isUsual = isDefault && (is.rate === Infinity || was.rate === Infinity);
  if (is.rate > was.rate || was.rate === Infinity) return isUsual ? "medium" : "low";
  return is.rate <= was.rate / 2 ? "medium" : "low";
}

test("each effect is true, and no client with another limit is left out", () => {
  let changed = 0;
  fc.assert(
    fc.property(side, side, (before, after) => {
      const planned = selectors.flatMap((selector) => objectOf(selector, before[selector], after[selector]));
      const changes = limitChanges(planned, []);
      // What is only logged limits nobody.
      const effects = limitEffects(changes)
        .map(worded)
        .filter(({ code }) => code !== "TNF-LIMIT-LOGGED");
      const isManaged = (selector: Selector) => planned.some(({ address }) => address === selector);
      /** Expects one effect if the outcome changes and the plan has the policy, and else none. */
      const compare = (
        selector: Selector,
        own: typeof effects,
        [was, is]: readonly [ReturnType<typeof outcome>, ReturnType<typeof outcome>],
        isTold = true,
      ) => {
        const isOther =
          was.rate > 0 && is.rate > 0 && was.rate < Infinity && is.rate < Infinity && was.isShared !== is.isShared;
        const isSame = !isOther && was.rate === is.rate && (was.end === is.end || is.rate === Infinity);
        // A client without a policy on either side belongs to the effect of the default.
        expect([selector, own.length]).toEqual([selector, isSame || !isTold || !isManaged(selector) ? 0 : 1]);
        const [effect] = own;
        if (!effect) return;
        changed++;
        // The numbers of a group and of each application say nothing about each other.
        if (!isOther) expect(effect.level).toBe(levelOf(selector, was, is));
        if (isOther && is.isShared) expect(effect.code).not.toBe("TNF-LIMIT-LOOSENED");
        const { was: old, is: now } = effect.facts as LimitFacts;
        expect([rateOf(old), rateOf(now)]).toEqual([was.rate, is.rate]);
      };
      for (const { selector, who, levels, group } of clients) {
        const own = effects.filter((effect) => effect.who === who);
        const isOfGroup = ({ facts }: (typeof own)[number]) =>
          group !== undefined && (facts as LimitFacts).is?.by === group;
        const [, alone] = compared(before, after, levels);
        compare(
          selector,
          own.filter((one) => !isOfGroup(one)),
          compared(before, after, levels),
        );
        if (group === undefined) continue;
        const within = compared(before, after, [selector, group, ...levels.slice(1)]);
        const isTold = after[selector] === undefined && after[group] !== undefined && within[1].rate < alone.rate;
        compare(selector, own.filter(isOfGroup), within, isTold);
      }
    }),
    { numRuns: 2000 },
  );
  expectSeen(changed, 500);
});
