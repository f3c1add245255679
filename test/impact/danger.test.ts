/** Checks which changes of one ACL count as dangerous. */
import { isDangerous } from "../../src/impact/network-acl/danger";
import { acl, allow, log } from "./support/acls";

const asn = { match: { asns: [1] } };
const both = { match: { asns: [1], geo_country_codes: ["DE"] } };
const redirect = { action: { redirect: true, redirect_uri: "https://a.example" } };

test.each([
  ["a block becomes an allow", acl(1, asn), acl(1, { ...asn, action: allow })],
  ["a block becomes a log", acl(1, asn), acl(1, { ...asn, action: log })],
  ["an allow becomes a redirect", acl(1, { ...asn, action: allow }), acl(1, { ...asn, ...redirect })],
  ["a block loses a signal", acl(1, both), acl(1, asn)],
  ["a block gets another scope", acl(1, asn), acl(1, { ...asn, scope: "tenant" })],
  ["a block matches all requests", acl(1, asn), acl(1, { match_all: true })],
  ["a block no longer matches all requests", acl(1, { match_all: true }), acl(1, asn)],
  ["a block is switched off", acl(1, asn), acl(1, asn, { active: false })],
  ["a block matches fewer requests", acl(1, { match: { asns: [1, 2] } }), acl(1, asn)],
  ["a block gets an exception", acl(1, asn), acl(1, { ...asn, not_match: { geo_country_codes: ["DE"] } })],
  [
    "an allow matches more requests",
    acl(1, { ...asn, action: allow }),
    acl(1, { action: allow, match: { asns: [1, 2] } }),
  ],
  ["an allow is switched on", acl(1, { ...asn, action: allow }, { active: false }), acl(1, { ...asn, action: allow })],
])("dangerous: %s", (_what, before, after) => {
  expect(isDangerous(before, after)).toBe(true);
});

test.each([
  ["another description", acl(1, asn), acl(1, asn, { description: "other" })],
  ["nothing", acl(1, asn), acl(1, asn)],
  ["another priority", acl(1, asn), acl(2, asn)],
  ["a block matches more requests", acl(1, asn), acl(1, { match: { asns: [1, 2] } })],
  ["a block becomes a redirect", acl(1, asn), acl(1, { ...asn, ...redirect })],
  [
    "an allow matches fewer requests",
    acl(1, { action: allow, match: { asns: [1, 2] } }),
    acl(1, { ...asn, action: allow }),
  ],
  ["an allow gets a signal", acl(1, { ...asn, action: allow }), acl(1, { ...both, action: allow })],
  ["an allow is switched off", acl(1, { ...asn, action: allow }), acl(1, { ...asn, action: allow }, { active: false })],
  ["an inactive ACL", acl(1, asn, { active: false }), acl(1, { ...asn, action: allow }, { active: false })],
  ["an exception that matches no request", acl(1, asn), acl(1, { ...asn, not_match: { asns: [9] } })],
])("harmless: %s", (_what, before, after) => {
  expect(isDangerous(before, after)).toBe(false);
});
