/** Lock-outs where nothing is protected by name: plans of the provider in process, on an embedded tenant of their own. */
import { networkAcl } from "../../src/resources/network-acl/definition";
import type { Config } from "../../src/sdk/definition";
import { openReview, type Planned, type Reviewing } from "./support/reviewing";

let review: Reviewing;
beforeEach(async () => {
  review = await openReview();
});
afterEach(() => review.close());

type Acl = Config<typeof networkAcl>;
const acl = (priority: number, action: Acl["rule"]["action"], rule: object, scope = "management"): Acl =>
  ({ description: `acl ${priority}`, active: true, priority, rule: { action, scope, ...rule } }) as Acl;
const block = { block: true };
const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const planned = (...configs: Acl[]): Planned[] => configs.map((config) => ({ kind: "network_acl", config }));

function stand(index: number, config: Acl): object {
  const time = "2026-01-01T00:00:00.000Z";
  const standing = { ...config, id: `acl_${"a".repeat(20)}${index}${index}`, created_at: time, updated_at: time };
  review.emulator.store.networkAcls.put(standing as never);
  return standing;
}

const refusal = { summary: "This plan may cut off Terraform itself" };

test.each<[string, Acl[]]>([
  ["everybody", [acl(1, block, { match: everywhere }, "tenant")]],
  ["every request", [acl(1, block, { match_all: true })]],
  ["all but a small network", [acl(1, block, { not_match: { ipv4_cidrs: ["203.0.113.0/24"] } })]],
  [
    "all but who is let in before",
    [acl(1, { allow: true }, { match: { asns: [1] } }), acl(2, block, { match: everywhere })],
  ],
  ["all countries but a few", [acl(1, block, { not_match: { geo_country_codes: ["DE", "FR", "AT"] } })]],
  [
    "halves together",
    [
      acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }),
      acl(2, block, { match: { ipv4_cidrs: ["128.0.0.0/1"] } }),
    ],
  ],
  ["who does not sign", [acl(1, block, { not_match: { http_message_signature: { keys: [{ id: "k" }] } } })]],
  [
    "everybody, elsewhere",
    [acl(1, { redirect: true, redirect_uri: "https://example.com" } as never, { match: everywhere })],
  ],
  ["by the tenant's own name", [acl(1, block, { match: { hostnames: ["127.0.0.1"] } })]],
])("cutting off %s is refused, unless the guard is to warn or is off", async (_who, acls) => {
  expect((await review.planAll(planned(...acls))).errors).toMatchObject([refusal]);
  const warned = await review.planAll(planned(...acls), { lockout_guard: "warn" });
  expect(warned.errors).toEqual([]);
  expect(warned.warnings).toContainEqual(expect.objectContaining(refusal));
  const off = await review.planAll(planned(...acls), { lockout_guard: "off" });
  expect(off.errors).toEqual([]);
  expect(off.warnings.filter(({ summary }) => summary !== "Early Access")).toMatchObject([
    { summary: "The lock-out guard is off", detail: expect.stringContaining("would ") },
  ]);
});

test.each<[string, Acl[]]>([
  ["a few countries", [acl(1, block, { match: { geo_country_codes: ["RU", "KP"] } }, "tenant")]],
  ["some networks", [acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/2"], asns: [1] } })]],
  ["curated lists", [acl(1, block, { match: { auth0_managed: ["auth0.tor"] } }, "tenant")]],
  ["nobody, as it is not in force", [{ ...acl(1, block, { match: everywhere }), active: false }]],
  [
    "nobody, as all are let in before",
    [acl(2, block, { match: everywhere }), acl(1, { allow: true }, { match: everywhere })],
  ],
  ["from the authentication API alone", [acl(1, block, { match: everywhere }, "authentication")]],
])("cutting off %s passes", async (_who, acls) => {
  const { errors, warnings } = await review.planAll(planned(...acls));
  expect(errors).toEqual([]);
  expect(warnings.filter(({ summary }) => summary !== "Early Access")).toEqual([]);
});

test("one family of addresses alone is warned of", async () => {
  const said = await review.planAll(planned(acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/0"] } })));
  expect(said).toMatchObject({ errors: [], warnings: [refusal] });
});

test("together with ACLs of other hands it is refused", async () => {
  stand(1, acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }));
  const { errors } = await review.planAll(planned(acl(2, block, { match: { ipv4_cidrs: ["128.0.0.0/1"] } })));
  expect(errors).toMatchObject([refusal]);
  expect(errors[0]!.detail).toContain('network ACL "acl 1" (priority 1, acl_');
});

test("taking away who lets all in is refused; what was cut off before is only said", async () => {
  stand(2, acl(2, block, { match: everywhere }));
  const open = stand(1, acl(1, { allow: true }, { match: everywhere }));
  const gone = await review.planAll([{ kind: "network_acl", prior: open }]);
  expect(gone.errors).toMatchObject([refusal]);
  stand(1, acl(1, { log: true }, { match: everywhere }));
  const more = await review.planAll(planned(acl(3, block, { match: { asns: [1] } })));
  expect(more).toMatchObject({ errors: [], warnings: [{ summary: "This plan leaves Terraform cut off" }] });
});

test("a request that is protected by name is judged in place of all", async () => {
  const protecting = { protected_requests: [{ ip: "203.0.113.7" }] };
  const acls = [
    acl(1, { allow: true }, { match: { ipv4_cidrs: ["203.0.113.7"] } }),
    acl(2, block, { match: everywhere }),
  ];
  expect(await review.planAll(planned(...acls), protecting)).toMatchObject({ errors: [], warnings: [] });
});
