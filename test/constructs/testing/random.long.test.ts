/** Random stacks: the matchers agree with the evaluation of one request. */
import "../../../src/constructs/testing/jest";
import { Testing, TerraformStack } from "cdktf";
import fc from "../../support/random";
import { decide, requestOf, type Acl } from "../../../src/judge/access/access";
import { Action, Match, NetworkAcl } from "../../../src/constructs";
import { newFolder } from "../../support/folder";

const countries = ["KP", "IR", "DE"];
const addresses = ["203.0.113.7", "203.0.113.0/24", "198.51.100.0/25", "2001:db8::/32"];
const asns = [64496, 64497];

const criteria = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...countries), { maxLength: 2 }),
    fc.uniqueArray(fc.constantFrom(...addresses), { maxLength: 2 }),
    fc.uniqueArray(fc.constantFrom(...asns), { maxLength: 1 }),
  )
  .filter((lists) => lists.some((list) => list.length > 0))
  .map(([codes, blocks, networks]) =>
    Match.both(
      ...(codes.length > 0 ? [Match.countries(...codes)] : []),
      ...(blocks.length > 0 ? [Match.addresses(...blocks)] : []),
      ...(networks.length > 0 ? [Match.networks(...networks)] : []),
    ),
  );

const one = fc.record({
  action: fc.constantFrom(Action.block(), Action.allow(), Action.redirect("https://example.com"), Action.log()),
  scope: fc.constantFrom("tenant", "management", "authentication"),
  side: fc.constantFrom("match", "notMatch"),
  criteria,
  active: fc.boolean(),
});

const request = fc.record({
  path: fc.constantFrom("/api/v2/clients", "/authorize"),
  ip: fc.constantFrom("203.0.113.7", "203.0.113.9", "198.51.100.200", "2001:db8::1"),
  country: fc.constantFrom(...countries, "FR"),
  asn: fc.constantFrom(...asns, 1),
});

const passes = (test: () => unknown) => {
  try {
    test();
    return true;
  } catch {
    return false;
  }
};

test("toBlock, toReach and toRedirect agree with the outcome of a request with all facts", () => {
  fc.assert(
    fc.property(fc.array(one, { maxLength: 6 }), request, (rules, facts) => {
      const stack = new TerraformStack(Testing.app({ outdir: newFolder() }), "random");
      rules.forEach(({ action, scope, side, criteria: signals, active }, index) => {
        const rule = { action, scope, [side]: signals };
        new NetworkAcl(stack, `acl-${index}`, { description: "x", active, priority: index + 1, rule });
      });
      const { resource = {} } = JSON.parse(Testing.synth(stack));
      const acls = Object.values<Acl>(resource.tenant_network_acl ?? {});
      const { path, ...others } = facts;
      const { outcome, certain } = decide(acls, requestOf(path, others));
      fc.pre(certain);
      const set = {
        scopes: path === "/authorize" ? "authentication" : "management",
        ipCidrs: facts.ip,
        countries: facts.country,
        asns: facts.asn,
      } as const;
      const found = {
        blocked: passes(() => expect(stack).toBlock(set)),
        allowed: passes(() => expect(stack).toReach(set)),
        redirected: passes(() => expect(stack).toRedirect(set)),
      };
      expect(found).toEqual({ blocked: false, allowed: false, redirected: false, [outcome]: true });
    }),
    { numRuns: 150 },
  );
});
