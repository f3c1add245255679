/** Plans refuse ACLs that lock out Terraform when no protected request is configured. */
import { networkAcl } from "../../src/resources/network-acl/definition";
import type { Config } from "../../src/sdk/definition";
import { requestToken } from "../emulator/client";
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

const refusal = { summary: "This plan may lock out Terraform itself" };

test("refuses to block every address, unless lockout_guard is warn or off", async () => {
  const acls = [acl(1, block, { match: everywhere }, "tenant")];
  expect((await review.planAll(planned(...acls))).errors).toMatchObject([refusal]);
  const warned = await review.planAll(planned(...acls), { lockout_guard: "warn" });
  expect(warned.errors).toEqual([]);
  expect(warned.warnings).toContainEqual(expect.objectContaining(refusal));
  const off = await review.planAll(planned(...acls), { lockout_guard: "off" });
  expect(off.errors).toEqual([]);
  const others = /^(Early Access$|✖ Blocks )/;
  expect(off.warnings.filter(({ summary }) => !others.test(summary))).toEqual([]);
});

test("accepts to block some countries, and sees the host name of the tenant", async () => {
  const hosts = (side: string, name: string) => planned(acl(1, block, { [side]: { hostnames: [name] } }));
  const some = planned(acl(1, block, { match: { geo_country_codes: ["RU", "KP"] } }, "tenant"));
  for (const acls of [some, hosts("not_match", "127.0.0.1")]) {
    const { errors, warnings } = await review.planAll(acls, { plan_warnings: "off" });
    expect([errors, warnings.filter(({ summary }) => summary !== "Early Access")]).toEqual([[], []]);
  }
  expect((await review.planAll(hosts("match", "127.0.0.1"))).errors).toMatchObject([refusal]);
});

test("warns when an ACL blocks Terraform's request for a token, unless access_token is set", async () => {
  const signIn = planned(acl(1, block, { match: everywhere }, "authentication"));
  const said = await review.planAll(signIn, { plan_warnings: "off" });
  expect(said).toMatchObject({ errors: [], warnings: [refusal] });
  expect(said.warnings[0]!.detail).toContain("would block Terraform's request for a token");
  const { access_token } = (await requestToken(review.emulator)).body;
  expect(await review.planAll(signIn, { access_token, plan_warnings: "off" })).toMatchObject({
    errors: [],
    warnings: [],
  });
});

test("refuses a plan whose ACL blocks most addresses together with an unmanaged ACL", async () => {
  stand(1, acl(1, block, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } }));
  const acls = planned(acl(2, block, { match: { ipv4_cidrs: ["128.0.0.0/1"] } }));
  const { errors } = await review.planAll(acls);
  expect(errors).toMatchObject([refusal]);
  expect(errors[0]!.detail).toContain('"acl 1" (priority 1)');
  expect(review.emulator.store.networkAcls.size).toBe(1);
});

test("refuses to destroy the ACL that allows every address, and only reports addresses that were blocked before", async () => {
  stand(2, acl(2, block, { match: everywhere }));
  const open = stand(1, acl(1, { allow: true }, { match: everywhere }));
  const destroyed = [{ kind: "network_acl", prior: open }];
  expect((await review.planAll(destroyed)).errors).toMatchObject([refusal]);
  stand(1, acl(1, { log: true }, { match: everywhere }));
  const more = await review.planAll(planned(acl(3, block, { match: { asns: [1] } })));
  expect(more).toMatchObject({ errors: [], warnings: [{ summary: "This plan leaves Terraform locked out" }] });
});
