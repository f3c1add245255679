/** The words for a request that breaks an expectation, the ACL that decides it, and the outcome that it should have. */
import { notKnown } from "../../../../src/formats/cty/value";
import type { WholeRequest } from "../../../../src/judge/access/access";
import { shownWitness } from "../../../../src/judge/impact/network-acl/witness";
import type { Assumption } from "../../../../src/judge/impact/words/assumption";
import { judgementWords, outcomeWords, requestWords } from "../../../../src/judge/impact/words/reason";
import type { PlannedAcl } from "../../../../src/judge/impact/network-acl/acl";
import { acl, block } from "../support/acls";
import { aclWords } from "../../../../src/judge/impact/network-acl/words";
import { table } from "../support/table";

const none: ReadonlySet<string> = new Set();
const secrets = (...names: string[]): ReadonlySet<string> => new Set(names);
const wall = acl(90, { action: block });

const request = (more: Partial<WholeRequest> = {}): WholeRequest => ({
  api: "authentication",
  path: "/authorize",
  ip: "198.51.100.9",
  connecting_ip: "198.51.100.9",
  ...more,
});

test("an ACL", () => {
  const { address: _address, ...unmanaged } = { ...wall, description: "" };
  const { id: _id, ...unnamed } = unmanaged;
  const cases: [string, PlannedAcl][] = [
    ["with a description", { ...wall, description: "Wall", id: "acl_1" }],
    ["with a long description", { ...wall, description: "d".repeat(120) }],
    ["without a description", { ...wall, description: "", address: "acl.a", id: "acl_1" }],
    ["without an address", unmanaged],
    ["without an id", unnamed],
    ["with a sensitive priority", { ...wall, secret: secrets("priority") }],
    ["with a sensitive rule", { ...wall, secret: secrets("ja3") }],
    ["with an unknown priority", { ...wall, priority: notKnown("priority") }],
    ["that may be another tenant's", { ...wall, tenantUnknown: true }],
  ];
  const found = table(cases, (one) => [aclWords(one)]);
  expect(found).toMatchInlineSnapshot(`
    "
    with a description: ACL "Wall" (priority 90)
    with a long description: ACL "ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd…" (priority 90)
    without a description: ACL acl.a (priority 90)
    without an address: ACL acl_90 (priority 90)
    without an id: an ACL (priority 90)
    with a sensitive priority: ACL "ACL 90" (priority (sensitive))
    with a sensitive rule: ACL "ACL 90" (priority 90)
    with an unknown priority: ACL "ACL 90" (priority not known yet)
    that may be another tenant's: ACL "ACL 90" (priority 90, perhaps another tenant's)
    "
  `);
});

test("a request", () => {
  const facts = {
    country: "US",
    subdivision: "US-CA",
    asn: 64_500,
    user_agent: "curl",
    hostname: "a.example",
    ja3: "3",
    ja4: "4",
    signature_key: "k",
  };
  const cases: [string, Partial<WholeRequest>, ReadonlySet<string>?][] = [
    ["sign-in", {}],
    ["the Management API", { path: "/api/v2/" }],
    ["client registration", { path: "/oidc/register" }],
    ["a proxy", { connecting_ip: "192.0.2.1" }],
    ["one fact", { country: "KP" }],
    ["every fact", facts],
    ["curated lists", { managed: ["auth0.tor", "auth0.vpn"] }],
    ["a sensitive fact", { asn: 64_500 }, secrets("asns")],
  ];
  const found = table(cases, (more, hidden = none) => [requestWords(shownWitness(request(more), hidden))]);
  expect(found).toMatchInlineSnapshot(`
    "
    sign-in: A request to sign-in from 198.51.100.9
    the Management API: A request to the Management API from 198.51.100.9
    client registration: A request to client registration from 198.51.100.9
    a proxy: A request to sign-in from 198.51.100.9 through 192.0.2.1
    one fact: A request to sign-in from 198.51.100.9, country KP,
    every fact: A request to sign-in from 198.51.100.9, country US, region US-CA, AS number 64500, user agent curl, host name a.example, JA3 fingerprint 3, JA4 fingerprint 4, signed with key k,
    curated lists: A request to sign-in from 198.51.100.9, on the list auth0.tor, on the list auth0.vpn,
    a sensitive fact: A request to sign-in from 198.51.100.9, AS number (sensitive),
    "
  `);
});

test("a request that breaks an expectation, or may break it", () => {
  const blocked = { outcome: "blocked" };
  const away = { outcome: "redirected", redirect_uri: "https://a.example" };
  const two: Assumption[] = ["one", "two"].map((text) => ({ is: "clause", text }));
  const cases: [string, { outcome: string; redirect_uri?: string }, Assumption[]?, "no ACL"?][] = [
    ["blocked", blocked],
    ["allowed", { outcome: "allowed" }, [], "no ACL"],
    ["redirected", away],
    ["redirected without a target", { outcome: "redirected" }],
    ["with assumptions", blocked, two],
  ];
  const found = table(cases, (end, assumptions = [], decider) => {
    const by = decider ? {} : { by: aclWords(wall) };
    const example = { ...end, ...by, request: shownWitness(request(), none), demanded: ["reached"] };
    const reason = { kind: "counterexample", ...example } as const;
    return (["broken", "undecided"] as const).map((verdict) => judgementWords({ verdict, reason, assumptions }));
  });
  expect(found).toMatchInlineSnapshot(`
    "
    blocked: A request to sign-in from 198.51.100.9 is blocked by ACL "ACL 90" (priority 90). It should be allowed. | A request to sign-in from 198.51.100.9 may be blocked by ACL "ACL 90" (priority 90). It should be allowed.
    allowed: A request to sign-in from 198.51.100.9 is allowed, because no ACL matches. It should be allowed. | A request to sign-in from 198.51.100.9 may be allowed, because no ACL matches. It should be allowed.
    redirected: A request to sign-in from 198.51.100.9 is redirected to https://a.example by ACL "ACL 90" (priority 90). It should be allowed. | A request to sign-in from 198.51.100.9 may be redirected to https://a.example by ACL "ACL 90" (priority 90). It should be allowed.
    redirected without a target: A request to sign-in from 198.51.100.9 is redirected by ACL "ACL 90" (priority 90). It should be allowed. | A request to sign-in from 198.51.100.9 may be redirected by ACL "ACL 90" (priority 90). It should be allowed.
    with assumptions: A request to sign-in from 198.51.100.9 is blocked by ACL "ACL 90" (priority 90). It should be allowed. Not certain, because one and two. | A request to sign-in from 198.51.100.9 may be blocked by ACL "ACL 90" (priority 90). It should be allowed. Not certain, because one and two.
    "
  `);
});

test.each<[string[], string]>([
  [["reached"], "allowed"],
  [["blocked"], "blocked"],
  [["redirected"], "redirected"],
  [["blocked", "redirected", "logged"], "blocked, redirected or logged"],
])("the outcomes %j are %s", (outcomes, words) => expect(outcomeWords(outcomes)).toBe(words));
