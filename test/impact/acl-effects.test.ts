/** Effects of changed network ACLs on requests: to which API, and for whom. */
import type { Values } from "../../src/impact/model";
import { aclFrom, type PlannedAcl } from "../../src/impact/network-acl/acl";
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import { aclEffects } from "../../src/impact/network-acl/effects";
import { acl, allow, block, values } from "./support/acls";

const effects = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
  aclEffects(analyseAcls({ before, after }));
const texts = (...versions: Parameters<typeof effects>) => effects(...versions).map(({ text }) => text);
const redirect = { redirect: true, redirect_uri: "https://status.example" };
const tenant = { scope: "tenant" };

test("name every API that a fact concerns, although another ACL names another fact", () => {
  const host = acl(1, { ...tenant, match: { hostnames: ["old.example"] } });
  const agent = acl(2, { ...tenant, match: { user_agents: ["curl/8.5.0"] } });
  expect(texts([host, agent], [host])).toEqual([
    "Opens sign-in, the Management API and client registration to requests with user agent curl/8.5.0.",
  ]);
});

test("name the facts of both rules that decide", () => {
  const maintenance = acl(1, { ...tenant, action: redirect, match: { geo_country_codes: ["US"] } });
  const tor = acl(2, { ...tenant, match: { auth0_managed: ["auth0.tor"] } });
  expect(texts([maintenance, tor], [tor])).toContain(
    "Blocks sign-in, the Management API and client registration for requests with country US and curated list auth0.tor, no longer redirected.",
  );
  const partner = acl(1, { ...tenant, action: allow, match: { asns: [64500] } });
  const wall = acl(2, { ...tenant, action: block, match: { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] } });
  expect(texts([partner, wall], [wall])).toEqual([
    "Blocks sign-in, the Management API and client registration for requests with AS number 64500.",
  ]);
});

test("name a family of addresses only if the shown shares differ", () => {
  const countries = ["IR", "SY"];
  const office = { ipv4_cidrs: ["198.51.100.0/24"] };
  const [both] = effects([], [acl(1, { match: { geo_country_codes: countries }, not_match: office })]);
  expect(both!.text).toBe(
    "Blocks sign-in and client registration for about 1.6 % of the world: everyone in Iran (IR) and Syria (SY), but not" +
      " 198.51.100.0/24.",
  );
  const [four] = effects([], [acl(1, { match: { ipv4_cidrs: ["0.0.0.0/1"] } })]);
  expect(four!.text).toContain("about 50 % of requests over IPv4");
});

test("give examples of the APIs that the effect concerns", () => {
  const office = { ipv4_cidrs: ["192.0.2.0/24"] };
  const closed = acl(1, { scope: "management", match: { ipv4_cidrs: ["0.0.0.0/0"] }, not_match: office });
  const wall = acl(9, { ...tenant, match: { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] } });
  const found = effects([closed, wall], [closed]);
  expect(found.map(({ apis, examples }) => [apis, examples.map(({ path, ip }) => `${path} ${ip}`)])).toEqual([
    [["sign-in", "registration"], ["/authorize 203.0.113.7"]],
    [["management"], [expect.stringMatching(/^\/api\/v2\/ (192\.0\.2\.7|2001:db8::7)$/)]],
  ]);
});

test("tell requests that are certainly affected from those that depend on an assumption", () => {
  const named = (address: string, rule: Values) => aclFrom(values(5, rule, { id: address }), undefined, address)[0]!;
  const us = named("acl.us", { ...tenant, action: allow, match: { geo_country_codes: ["US"] } });
  const wall = named("acl.wall", { ...tenant, match_all: true });
  expect(effects([us], [us, wall]).map(({ certainty, text }) => [certainty, text])).toEqual([
    [
      "certain",
      expect.stringMatching(/^Blocks .* for about 94 % of the world: everyone outside the United States \(US\)\.$/),
    ],
    [
      "possible",
      expect.stringMatching(/^May block .* about 6\.4 % of the world: everyone in the United States \(US\), if /),
    ],
  ]);
});

test("name every API if the effect depends on an assumption", () => {
  const allowing = acl(5, { ...tenant, action: allow, not_match: { geo_country_codes: ["DE"] } });
  const redirecting = acl(10, { ...tenant, action: redirect, match: { geo_country_codes: ["de"] } });
  const blocking = acl(20, { ...tenant, match: { geo_country_codes: ["DE"] } });
  expect(texts([], [allowing, redirecting, blocking])).toEqual([
    expect.stringMatching(
      /^May redirect sign-in, the Management API and client registration to status\.example .*, if codes and fingerprints are not case-sensitive/,
    ),
    expect.stringMatching(/^May block sign-in, the Management API and client registration .* in Germany/),
  ]);
});
