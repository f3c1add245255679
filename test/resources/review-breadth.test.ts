/** Plans refuse ACLs that lock out Terraform when no protected request is configured. */
import { networkAcl } from "../../src/resources/network-acl/definition";
import type { Config } from "../../src/sdk/definition";
import { requestToken } from "../emulator/client";
import { openReview, type Planned } from "./support/reviewing";
import { eachTest } from "../support/each-test";

const review = eachTest(openReview);

type Acl = Config<typeof networkAcl>;
const acl = (priority: number, action: Acl["rule"]["action"], rule: object, scope = "management"): Acl =>
  ({ description: `acl ${priority}`, active: true, priority, rule: { action, scope, ...rule } }) as Acl;
const block = { block: true };
const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const planned = (...configs: Acl[]): Planned[] => configs.map((config) => ({ kind: "network_acl", config }));

const refusal = { summary: expect.stringMatching(/ (may block|blocks) Terraform itself$/) as string };

test("refuses to block every address, unless lockout_guard is warn or off", async () => {
  const acls = [acl(1, block, { match: everywhere }, "tenant")];
  expect((await review.planAll(planned(...acls))).errors).toMatchObject([refusal]);
  const warned = await review.planAll(planned(...acls), { lockout_guard: "warn" });
  expect(warned.errors).toEqual([]);
  expect(warned.warnings).toContainEqual(expect.objectContaining(refusal));
  const off = await review.planAll(planned(...acls), { lockout_guard: "off", plan_warnings: "off" });
  expect(off.errors).toEqual([]);
  const others = /^(Early Access$|✖ Blocks )/;
  expect(off.warnings.filter(({ summary }) => !others.test(summary!))).toEqual([]);
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

test("refuses an ACL that blocks Terraform's request for a token, unless access_token is set", async () => {
  const signIn = planned(acl(1, block, { match: everywhere }, "authentication"));
  const said = await review.planAll(signIn, { plan_warnings: "off" });
  expect(said).toMatchObject({ errors: [refusal], warnings: [] });
  expect(said.errors[0]!.detail).toContain("would block Terraform's request for a token");
  const { access_token } = (await requestToken(review.emulator)).body;
  expect(await review.planAll(signIn, { access_token, plan_warnings: "off" })).toMatchObject({
    errors: [],
    warnings: [],
  });
});
