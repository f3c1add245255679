/** Compares the effects of changed limits with the limit of each client, which a second evaluation finds. */
import { worded } from "./support/worded";
import fc from "../support/random";
import type { PlannedObject, Values } from "../../src/impact/model";
import { limitChanges } from "../../src/impact/rate-limit-policy/changes";
import { limitEffects } from "../../src/impact/rate-limit-policy/effects";
import { expectSeen } from "../support/seed";

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

/** What happens to a client: how many requests pass, and where the others end. */
function outcome(policies: Policies, selector: Selector): { rate: number; end: string } {
  const { action, limit = 0, redirect_uri = "" } = policies[selector] ?? policies.default ?? { action: "allow" };
  if (action === "allow" || action === "log") return { rate: Infinity, end: "" };
  return { rate: limit, end: action === "block" ? "blocked" : redirect_uri };
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
        .filter(({ text }) => !text.endsWith("Logging limits nobody.") && !text.endsWith("no longer logged."));
      for (const selector of selectors) {
        const [was, is] = [outcome(before, selector), outcome(after, selector)];
        const isManaged = planned.some(({ address }) => address === selector);
        const own = effects.filter((effect) => effect.who === who[selector]);
        const isSame = was.rate === is.rate && (was.end === is.end || is.rate === Infinity);
        // A client without a policy on either side belongs to the effect of the default.
        expect([selector, own.length]).toEqual([selector, isSame || !isManaged ? 0 : 1]);
        const [effect] = own;
        if (!effect) continue;
        changed++;
        expect(effect.level).toBe(levelOf(selector, was, is));
        if (is.rate === 0 && is.end === "blocked") expect(effect.text).toContain("blocked");
        if (is.rate > 0 && is.rate < was.rate) expect(effect.text).toContain(`limited to ${is.rate} request`);
        if (is.rate > was.rate && is.rate < Infinity) expect(effect.text).toContain(`can send ${is.rate} request`);
        if (is.rate === Infinity) expect(effect.text).toContain("is removed");
        if (was.rate !== is.rate) {
          const old = was.rate === Infinity ? "no limit" : String(was.rate);
          if (is.rate > 0 && is.rate < Infinity) expect(effect.text).toContain(`from ${old}`);
        }
      }
    }),
    { numRuns: 2000 },
  );
  expectSeen(changed, 500);
});
