/** Checks the statements of effects on requests: who is affected, at which APIs, and what was before. */
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import { aclEffects } from "../../src/impact/network-acl/effects";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { acl, allow, block, everywhere } from "./support/acls";

const effects = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
  aclEffects(analyseAcls({ before, after }));
const texts = (...sides: Parameters<typeof effects>) => effects(...sides).map(({ text }) => text);
const tenant = { scope: "tenant" };
const redirect = (uri: string) => ({ redirect: true, redirect_uri: uri });

test("joins entries with or, and signals with and", () => {
  const [text] = texts([], [acl(1, { ...tenant, match: { user_agents: ["a", "b", "c", "d"], asns: [64500] } })]);
  expect(text).toMatch(/^Blocks sign-in, the Management API and client registration for requests with /);
  expect(text).toContain("user agent a, b, c or 1 more");
  expect(text).toContain("AS number 64500");
  expect(text).toContain(" and ");
});

test("names all APIs of a change that depends on an assumption", () => {
  const found = effects(
    [],
    [
      acl(5, { ...tenant, action: allow, not_match: { geo_country_codes: ["DE"] } }),
      acl(10, { ...tenant, action: redirect("https://r.example/"), match: { geo_country_codes: ["de"] } }),
      acl(20, { ...tenant, action: block, match: { geo_country_codes: ["DE"] } }),
    ],
  );
  const possible = found.filter(({ kind }) => kind === "redirects");
  expect(possible).toMatchObject([{ certainty: "possible", apis: ["sign-in", "management", "registration"] }]);
});

test("says that requests are no longer redirected", () => {
  const before = acl(1, { ...tenant, action: redirect("https://r.example/"), match: everywhere });
  const after = acl(1, { ...tenant, action: block, match: everywhere });
  expect(texts([before], [after])).toEqual([
    "Blocks sign-in, the Management API and client registration for everyone, no longer redirected.",
  ]);
});

test("rates a redirect to another host as high if the host is not known", () => {
  const rule = (uri: unknown) => ({ ...tenant, action: { redirect: true, redirect_uri: uri }, match: everywhere });
  const before = acl(1, rule("https://a.example/"));
  const levelTo = (uri: unknown) => effects([before], [acl(1, rule(uri))]).map(({ level }) => level);
  expect(levelTo("not a URL")).toEqual(["high"]);
  expect(levelTo(Symbol("the unknown part of x"))).toContain("high");
  expect(levelTo("https://a.example/other")).toEqual(["medium"]);
});

test("gives examples that connect directly unless a rule looks at the connecting address", () => {
  const example = (match: object) => effects([], [acl(1, { ...tenant, match })])[0]!.examples[0]!;
  const direct = example({ ipv6_cidrs: ["2001:db8::/64"] });
  expect(direct.connecting_ip).toBe(direct.ip);
  const through = example({ connecting_ipv4_cidrs: ["198.51.100.0/24"] });
  expect(through).toMatchObject({ ip: "203.0.113.7", connecting_ip: "198.51.100.7" });
});
