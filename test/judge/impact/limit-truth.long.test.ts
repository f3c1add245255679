/** Compares the effects of changed limits with the limit of each client, which a second evaluation finds. */
import type { LimitFacts } from "../../../src/judge/impact/rate-limit-policy/facts";
import { rateOf } from "../../../src/judge/impact/rate-limit-policy/policy";
import { worded } from "./support/worded";
import fc from "../../support/random";
import type { PlannedObject, Values } from "../../../src/judge/impact/model";
import { limitChanges } from "../../../src/judge/impact/rate-limit-policy/changes";
import { limitEffects } from "../../../src/judge/impact/rate-limit-policy/effects";
import { expectSeen } from "../../support/seed";

const selectors = ["default", "third_party_clients", "client_id:a"] as const;
type Selector = (typeof selectors)[number];
type Configuration = { action: string; limit?: number; redirect_uri?: string };
type Policies = Partial<Record<Selector, Configuration>>;

/** One client for each selector; the one of the default has no policy of its own. */
const who: Record<Selector, string> = {
  default: "all applications without a policy of their own",
  third_party_clients: "third-party applications",
  "client_id:a": "application a",
};

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
const side = fc.record({ default: optional, third_party_clients: optional, "client_id:a": optional });

/** What happens to a client: how many requests pass, whether a group shares them, and where the others end. */
function outcome(policies: Policies, selector: Selector): { rate: number; isShared: boolean; end: string } {
  const { action, limit = 0, redirect_uri = "" } = policies[selector] ?? policies.default ?? { action: "allow" };
  if (action === "allow" || action === "log") return { rate: Infinity, isShared: false, end: "" };
  const isShared = limit > 0 && selector === "third_party_clients" && policies[selector] !== undefined;
  return { rate: limit, isShared, end: action === "block" ? "blocked" : redirect_uri };
}

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
      for (const selector of selectors) {
        const [was, is] = [outcome(before, selector), outcome(after, selector)];
        const isManaged = planned.some(({ address }) => address === selector);
        const own = effects.filter((effect) => effect.who === who[selector]);
        const isOther =
          was.rate > 0 && is.rate > 0 && was.rate < Infinity && is.rate < Infinity && was.isShared !== is.isShared;
        const isSame = !isOther && was.rate === is.rate && (was.end === is.end || is.rate === Infinity);
        // A client without a policy on either side belongs to the effect of the default.
        expect([selector, own.length]).toEqual([selector, isSame || !isManaged ? 0 : 1]);
        const [effect] = own;
        if (!effect) continue;
        changed++;
        // The numbers of a group and of each application say nothing about each other.
        if (!isOther) expect(effect.level).toBe(levelOf(selector, was, is));
        if (isOther && is.isShared) expect(effect.code).not.toBe("TNF-LIMIT-LOOSENED");
        const { was: old, is: now } = effect.facts as LimitFacts;
        expect([rateOf(old), rateOf(now)]).toEqual([was.rate, is.rate]);
      }
    }),
    { numRuns: 2000 },
  );
  expectSeen(changed, 500);
});
