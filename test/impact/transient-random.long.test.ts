/** Compares what a review finds for the state without one network ACL with the outcomes of single requests. */
import { worded } from "./support/worded";
import fc from "fast-check";
import { decide, type AccessRequest } from "../../src/access/access";
import type { PlannedObject, Values } from "../../src/impact/model";
import { aclVersions } from "../../src/impact/network-acl/acl";
import { transientEffects } from "../../src/impact/transient";

const signal = fc.constantFrom<Values>(
  { geo_country_codes: ["DE"] },
  { geo_country_codes: ["DE", "FR"] },
  { ipv4_cidrs: ["10.0.0.0/8"] },
  { ipv4_cidrs: ["10.1.0.0/16"] },
  { user_agents: ["bot"] },
);
const rule = fc
  .record({
    action: fc.constantFrom<Values>({ block: true }, { block: true }, { allow: true }, { log: true }),
    criteria: fc.oneof(
      fc.constant<Values>({ match_all: true }),
      signal.map((match): Values => ({ match })),
      signal.map((not_match): Values => ({ not_match })),
    ),
    scope: fc.constantFrom("tenant", "management"),
  })
  .map(({ action, criteria, scope }): Values => ({ action, ...criteria, scope }));
const allowed = rule.map((one): Values => ({ ...one, action: { allow: true } }));
const version = fc.record({ rule, active: fc.constantFrom(true, true, true, false) });
const drawn = fc.record({
  others: fc.array(version, { maxLength: 3 }),
  old: fc.oneof(version, fc.record({ rule: allowed, active: fc.constant(true) })),
  now: fc.option(version, { freq: 1 }),
  place: fc.constantFrom(0, 1, 2, 3),
});

const requests: AccessRequest[] = (["authentication", "management"] as const).flatMap((api) =>
  ["10.1.2.3", "10.9.9.9", "192.0.2.1"].flatMap((ip) =>
    ["DE", "FR", "US"].flatMap((country) =>
      ["bot", "person"].map((user_agent) => ({
        api,
        ip,
        connecting_ip: ip,
        country,
        subdivision: `${country}-1`,
        user_agent,
        asn: 64500,
        hostname: "",
        ja3: "",
        ja4: "",
        managed: [],
        signature_key: "",
      })),
    ),
  ),
);

const object = (name: string, more: Partial<PlannedObject>): PlannedObject => ({
  address: `auth0_network_acl.${name}`,
  type: "auth0_network_acl",
  actions: ["no-op"],
  ...more,
});

test("an ACL that is missing for a moment opens or blocks a request exactly if a single request shows it", () => {
  let [opened, closed] = [0, 0];
  fc.assert(
    fc.property(drawn, ({ others, old, now, place }) => {
      const values = (one: object, priority: number, id: string): Values => ({
        description: id,
        priority: 10 * priority,
        id,
        ...one,
      });
      const kept = others.map((one, index) => values(one, index + (index >= place ? 2 : 1), `acl_${index}`));
      const [before, after] = [values(old, place + 1, "acl_old"), values(now ?? old, place + 1, "acl_new")];
      const objects = [
        ...kept.map((one, index) => object(`o${index}`, { before: one, after: one })),
        object("replaced", { before, after, actions: ["delete", "create"] }),
      ];
      const versions = aclVersions([objects]);
      const found = transientEffects({
        objects,
        remote: {},
        versions,
        guarded: {
          requests: { own: [], base: [] },
          terraform: { userAgents: [], asksToken: false, countries: [] },
        },
        isGuarded: false,
      });
      const middle = versions.before.filter(({ id }) => id !== "acl_old");
      const isAllowed = (acls: typeof versions.before, request: AccessRequest) =>
        decide(acls, request).outcome === "allowed";
      const turns = (to: boolean) =>
        requests.some(
          (request) =>
            [versions.before, versions.after].every((acls) => isAllowed(acls, request) !== to) &&
            isAllowed(middle, request) === to,
        );
      const has = (words: string) =>
        found.map(worded).some(({ text }) => text.startsWith(`For a moment during the apply, the plan ${words}`));
      expect([has("opens"), has("blocks")]).toEqual([turns(true), turns(false)]);
      opened += Number(turns(true));
      closed += Number(turns(false));
    }),
    { seed: 45, numRuns: 400 },
  );
  expect(Math.min(opened, closed)).toBeGreaterThan(20);
});
