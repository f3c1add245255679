/** Words effects on requests without the entries of rules. */
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import { aclEffects } from "../../src/impact/network-acl/effects";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { acl, allow, block, everywhere } from "./support/acls";

const briefs = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
  aclEffects(analyseAcls({ before, after })).map(({ brief }) => brief?.replace(" and client registration", ""));

const redirect = { redirect: true, redirect_uri: "https://login.evil.example/?secret" };

test.each<[string, object, string | RegExp]>([
  ["everyone", { match: everywhere }, "Blocks sign-in for everyone."],
  ["one family of addresses", { match: { ipv4_cidrs: ["0.0.0.0/0"] } }, "Blocks sign-in for all IPv4 addresses."],
  [
    "half a family",
    { match: { ipv4_cidrs: ["0.0.0.0/1"] } },
    /^Blocks sign-in for about 5\d % of requests over IPv4\.$/,
  ],
  [
    "everyone outside one network",
    { not_match: { ipv4_cidrs: ["192.0.2.0/24"] } },
    "Blocks sign-in for almost everyone.",
  ],
  [
    "all of one family and a part of the other",
    { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } },
    /^Blocks sign-in for about 5\d % of requests over IPv4 and all IPv6 addresses\.$/,
  ],
  ["some countries", { not_match: { geo_country_codes: ["US"] } }, /^Blocks sign-in for about 9\d % of the world\.$/],
  ["few addresses", { match: { ipv4_cidrs: ["198.51.100.0/24"] } }, "Blocks sign-in for less than 0.1 % of the world."],
  ["named facts", { match: { user_agents: ["curl"] } }, "Blocks sign-in for requests that rules name by user agent."],
  [
    "everyone but named facts",
    { match: everywhere, not_match: { user_agents: ["curl"] } },
    "Blocks sign-in for everyone, except requests with certain user agents.",
  ],
  ["a redirect", { action: redirect, match: everywhere }, "Redirects sign-in for everyone."],
])("words the share of %s without entries", (_what, rule, words) => {
  expect(briefs([], [acl(1, { action: block, ...rule })])).toEqual([
    typeof words === "string" ? words : expect.stringMatching(words),
  ]);
});

test("words an opening, and an effect that is only possible, without entries and assumptions", () => {
  const wall = acl(9, { match: everywhere });
  expect(briefs([wall], [acl(1, { action: allow, match: { asns: [64500] } }), wall])).toEqual([
    "Opens sign-in to requests that rules name by AS number.",
  ]);
  const [words] = briefs([], [acl(1, { match: { geo_country_codes: [Symbol("the unknown part of x")] } })]);
  expect(words).toMatch(/^May block sign-in for (?!.*unknown part)/);
});
