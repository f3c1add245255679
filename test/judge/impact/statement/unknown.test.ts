/** Values that are not known yet: what the guard calls certain stays so with any value, and what it does not report cannot become certain. */
import fc from "fast-check";
import { notKnown } from "../../../../src/judge/access/access";
import { apply, stateOf, type ObjectChange } from "../../../../src/judge/impact/state";
import { protectedRequest } from "../../../../src/judge/impact/statement/protected-request";
import { judgeGuard } from "../../../../src/judge/impact/statement/lockout";

const criteria = fc.constantFrom(
  { ipv4_cidrs: ["203.0.113.0/24"] },
  { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] },
  { ipv4_cidrs: ["0.0.0.0/1"] },
  { geo_country_codes: ["DE"] },
  { asns: [1] },
);
const action = fc.constantFrom({ block: true }, { allow: true }, { log: true });
const scope = fc.constantFrom("tenant", "management", "authentication");
const rule = fc.oneof(fc.record({ action, match: criteria, scope }), fc.record({ action, not_match: criteria, scope }));
/** The attributes that the plan does not show. */
const hidden = fc.subarray(["description", "active", "rule", "priority"] as const, { maxLength: 2 });
const drawn = fc.array(fc.record({ active: fc.boolean(), rule, hidden }), { minLength: 1, maxLength: 4 });

const guarded = {
  requests: { own: [protectedRequest({ name: "our CI", ip: "203.0.113.7" })], base: [] },
  terraform: { userAgents: ["A"], asksToken: true },
};

function certain(changes: readonly Omit<ObjectChange, "kind">[]): string[] {
  const before = stateOf({ acls: [] });
  const after = changes.reduce((state, one) => apply(state, { kind: "acls", ...one }), before);
  const found = judgeGuard(guarded, { before: before.acls!, after: after.acls! });
  return found.filter(({ certainty }) => certainty === "certain").map(({ kind, called }) => `${kind} ${called}`);
}

test("a lock-out that is certain while values are not known is certain with the values", () => {
  let counted = 0;
  fc.assert(
    fc.property(drawn, (acls) => {
      const whole = acls.map(({ hidden: _hidden, ...one }, index) => ({
        name: `change ${index + 1}`,
        values: { ...one, description: "d", priority: 10 * (index + 1) },
      }));
      const open = whole.map(({ name, values }, index) => ({
        name,
        values: {
          ...values,
          ...Object.fromEntries(acls[index]!.hidden.map((attribute) => [attribute, notKnown("later")])),
        },
      }));
      const [known, sure] = [certain(whole), certain(open)];
      expect(known).toEqual(expect.arrayContaining(sure.filter((one) => one.startsWith("protected request"))));
      if (sure.length > 0) expect(known).not.toEqual([]);
      counted += Number(sure.length > 0 && acls.some((one) => one.hidden.length > 0));
    }),
    { numRuns: 300, seed: 47 },
  );
  expect(counted).toBeGreaterThan(10);
});
