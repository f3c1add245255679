/** Effects of changed network ACLs on requests: to which API, for whom, how sure, and with which example. */
import { worded } from "./support/worded";
import type { Values } from "../../../src/judge/impact/model";
import type { PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
import { analyseAcls } from "../../../src/judge/impact/network-acl/analysis";
import { aclEffects } from "../../../src/judge/impact/network-acl/effects";
import { acl, allow, everywhere } from "./support/acls";
import { table } from "./support/table";

const effects = (before: readonly PlannedAcl[], after: readonly PlannedAcl[]) =>
  aclEffects(analyseAcls({ before, after }));
const redirect = (redirect_uri: unknown) => ({ redirect: true, redirect_uri });
const tenant = (priority: number, rule: Values) => acl(priority, { scope: "tenant", ...rule });
const unknown = Symbol("the unknown part of x");
const away = redirect("https://status.example/?secret");

test("effects", () => {
  const iran = { geo_country_codes: ["IR", "SY"] };
  const office = { ipv4_cidrs: ["198.51.100.0/24"] };
  const germany = { geo_country_codes: ["DE"] };
  const tor = { auth0_managed: ["auth0.tor"] };
  const host = tenant(1, { match: { hostnames: ["old.example"] } });
  const curl = tenant(2, { match: { user_agents: ["curl/8.5.0"] } });
  const partner = tenant(1, { action: allow, match: { asns: [64500] } });
  const maintenance = tenant(1, { action: away, match: { geo_country_codes: ["US"] } });
  const us = { ...tenant(5, { action: allow, match: { geo_country_codes: ["US"] } }), key: "acl.us" };
  const every = { ...tenant(5, { match_all: true }), key: "acl.wall" };
  const geo = (...geo_country_codes: string[]) => acl(2, { match: { geo_country_codes }, not_match: office });
  const assumed = [
    tenant(5, { action: allow, not_match: germany }),
    tenant(10, { action: away, match: { geo_country_codes: ["de"] } }),
    tenant(20, { match: germany }),
  ];
  const toA = (redirect_uri: unknown) => [tenant(1, { action: redirect(redirect_uri), match: everywhere })];
  const closed = acl(1, { scope: "management", match: { ipv4_cidrs: ["0.0.0.0/0"] }, not_match: office });
  const cases: [string, PlannedAcl[], PlannedAcl[]][] = [
    ["everyone", [], [acl(1, { match: everywhere })]],
    ["one family of addresses", [], [acl(1, { match: { ipv4_cidrs: ["0.0.0.0/0"] } })]],
    ["everyone outside one network", [], [acl(1, { not_match: { ipv4_cidrs: ["192.0.2.0/24"] } })]],
    ["a part and the other family", [], [acl(1, { match: { ipv4_cidrs: ["0.0.0.0/1"], ipv6_cidrs: ["::/0"] } })]],
    ["countries without an office", [], [acl(1, { match: iran, not_match: office })]],
    ["named facts", [], [acl(1, { match: { user_agents: ["curl"] } })]],
    [
      "several entries, and two signals",
      [],
      [tenant(1, { match: { user_agents: ["a", "b", "c", "d"], asns: [64500] } })],
    ],
    ["everyone but named facts", [], [acl(1, { match: everywhere, not_match: { user_agents: ["curl"] } })]],
    ["one of two named facts opens", [host, curl], [host]],
    ["facts of both rules that decide", [maintenance, tenant(2, { match: tor })], [tenant(2, { match: tor })]],
    ["an allow goes before a wall", [partner, tenant(2, { match: everywhere })], [tenant(2, { match: everywhere })]],
    ["a redirect to an unreadable address", toA("https://a.example/"), toA("not a URL")],
    ["a redirect to an unknown address", toA("https://a.example/"), toA(unknown)],
    ["two APIs, one of them in part", [closed, tenant(9, { match: everywhere })], [closed]],
    ["a wall of the same priority", [us], [us, every]],
    ["an assumption of several APIs", [], assumed],
    ["an assumption about one example", [geo("AT", "de")], [geo("AT")]],
    ["an IPv6 network", [], [tenant(1, { match: { ipv6_cidrs: ["2001:db8::/64"] } })]],
    ["a connecting network", [], [tenant(1, { match: { connecting_ipv4_cidrs: ["198.51.100.0/24"] } })]],
  ];
  const found = table(cases, (before, after) =>
    effects(before, after)
      .map(worded)
      .map(({ certainty, level, code, apis, text, brief, examples }) => {
        const shown = examples.map(({ path, ip, connecting_ip: connecting }) =>
          [path, ip, ...(connecting === ip ? [] : ["through", connecting])].join(" "),
        );
        return `${certainty} ${level} ${code} ${apis.join("+")}: ${text} ${brief} ${shown.join(", ")}`;
      }),
  );
  expect(found).toMatchInlineSnapshot(`
    "
    everyone: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for everyone. Blocks sign-in, tokens and client registration for everyone. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    one family of addresses: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for all IPv4 addresses. Blocks sign-in, tokens and client registration for all IPv4 addresses. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    everyone outside one network: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for almost everyone: everyone outside 192.0.2.0/24. Blocks sign-in, tokens and client registration for almost everyone. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    a part and the other family: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for everyone outside 128.0.0.0/1. Blocks sign-in, tokens and client registration for about 50 % of IPv4 and all IPv6 addresses. /authorize 2001:db8::7, /oidc/register 2001:db8::7
    countries without an office: certain high TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for about 1.6 % of the world: everyone in Iran (IR) and Syria (SY), but not 198.51.100.0/24. Blocks sign-in, tokens and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    named facts: certain medium TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for requests with user agent curl. Blocks sign-in, tokens and client registration for requests that rules name by user agent. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    several entries, and two signals: certain medium TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for requests with AS number 64500 and with user agent a, b, c or 1 more. Blocks sign-in, tokens, the Management API and client registration for requests that rules name by AS number or user agent. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    everyone but named facts: certain critical TNF-ACL-TIGHTENED authentication+dynamic_client_registration: Blocks sign-in, tokens and client registration for everyone, except requests with user agent curl. Blocks sign-in, tokens and client registration for everyone, except requests with certain user agents. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    one of two named facts opens: certain high TNF-ACL-OPENED authentication+management+dynamic_client_registration: Allows sign-in, tokens, the Management API and client registration for requests with user agent curl/8.5.0 and with host name other than old.example. Allows sign-in, tokens, the Management API and client registration for requests that rules name by user agent or host name. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    facts of both rules that decide: certain high TNF-ACL-OPENED authentication+management+dynamic_client_registration: Allows sign-in, tokens, the Management API and client registration for about 6.4 % of the world: everyone in United States (US), except requests on curated list auth0.tor. Allows sign-in, tokens, the Management API and client registration for about 6.4 % of the world, except requests with certain curated lists. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | certain low TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for requests on curated list auth0.tor from everyone in United States (US), no longer redirected. Blocks sign-in, tokens, the Management API and client registration for requests that rules name by curated list, no longer redirected. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    an allow goes before a wall: certain medium TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for requests with AS number 64500. Blocks sign-in, tokens, the Management API and client registration for requests that rules name by AS number. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    a redirect to an unreadable address: certain high TNF-ACL-REDIRECT authentication+management+dynamic_client_registration: Redirects sign-in, tokens, the Management API and client registration to not a URL instead of a.example for everyone. Redirects sign-in, tokens, the Management API and client registration for everyone. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    a redirect to an unknown address: possible high TNF-ACL-REDIRECT authentication+management+dynamic_client_registration: May redirect sign-in, tokens, the Management API and client registration for everyone. Not certain: action.redirect_uri of acl.1 is known only after the apply. May redirect sign-in, tokens, the Management API and client registration for everyone. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    two APIs, one of them in part: certain critical TNF-ACL-OPENED authentication+dynamic_client_registration: Allows sign-in, tokens and client registration for everyone. Allows sign-in, tokens and client registration for everyone. /authorize 203.0.113.7, /oidc/register 203.0.113.7 | certain critical TNF-ACL-OPENED management: Allows the Management API for 198.51.100.0/24 and all IPv6 addresses. Allows the Management API for all IPv6 addresses. /api/v2/ 198.51.100.7
    a wall of the same priority: certain critical TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for about 94 % of the world: everyone outside United States (US). Blocks sign-in, tokens, the Management API and client registration for about 94 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | possible high TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: May block sign-in, tokens, the Management API and client registration for about 6.4 % of the world: everyone in United States (US). Not certain: priority of acl.5 is that of another ACL. May block sign-in, tokens, the Management API and client registration for about 6.4 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    an assumption of several APIs: possible high TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: May redirect sign-in, tokens, the Management API and client registration to status.example for about 1.6 % of the world: everyone in Germany (DE). Not certain: match.geo_country_codes of acl.10 has a code in another letter case, which Auth0 may compare exactly or not. May redirect sign-in, tokens, the Management API and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7 | possible high TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: May block sign-in, tokens, the Management API and client registration for about 1.6 % of the world: everyone in Germany (DE). Not certain: match.geo_country_codes of acl.10 has a code in another letter case, which Auth0 may compare exactly or not. May block sign-in, tokens, the Management API and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /api/v2/ 203.0.113.7, /oidc/register 203.0.113.7
    an assumption about one example: possible high TNF-ACL-OPENED authentication+dynamic_client_registration: May allow sign-in, tokens and client registration for about 1.6 % of the world: everyone in Germany (DE), but not 198.51.100.0/24. Not certain: match.geo_country_codes of acl.2 has a code in another letter case, which Auth0 may compare exactly or not. May allow sign-in, tokens and client registration for about 1.6 % of the world. /authorize 203.0.113.7, /oidc/register 203.0.113.7
    an IPv6 network: certain low TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for 2001:db8::/64 (2^64 IPv6 addresses). Blocks sign-in, tokens, the Management API and client registration for some addresses. /authorize 2001:db8::7, /api/v2/ 2001:db8::7, /oidc/register 2001:db8::7
    a connecting network: certain low TNF-ACL-TIGHTENED authentication+management+dynamic_client_registration: Blocks sign-in, tokens, the Management API and client registration for connecting address 198.51.100.0/24 (256 addresses). Blocks sign-in, tokens, the Management API and client registration for some addresses. /authorize 198.51.100.7, /api/v2/ 198.51.100.7, /oidc/register 198.51.100.7
    "
  `);
});
