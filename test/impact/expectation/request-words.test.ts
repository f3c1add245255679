/** The words for a request that breaks an expectation, the ACL that decides it, and the outcome that it should have. */
import type { Counterexample } from "../../../src/access/access";
import type { JudgedExpectation } from "../../../src/impact/expectation/judged";
import {
  aclWords,
  brokenWords,
  judgementWords,
  outcomeWords,
  requestWordsOf,
  undecidedWords,
} from "../../../src/impact/expectation/words";
import type { PlannedAcl } from "../../../src/impact/network-acl/acl";
import { acl, block } from "../support/acls";

const none: ReadonlySet<string> = new Set();
const secrets = (...names: string[]): ReadonlySet<string> => new Set(names);
const wall = acl(90, { action: block });

type Request = Counterexample<PlannedAcl>["request"];
const request = (more: Partial<Request> = {}): Request => ({
  api: "authentication",
  path: "/authorize",
  ip: "198.51.100.9",
  connecting_ip: "198.51.100.9",
  ...more,
});
const wordsOf = (more: Partial<Request>, hidden = none) => requestWordsOf({ request: request(more) }, hidden);

describe("an ACL", () => {
  test.each<[string, Partial<PlannedAcl>, string]>([
    ["its description", { description: "Wall", id: "acl_1" }, 'ACL "Wall" with priority 90'],
    ["a part of a long description", { description: "d".repeat(120) }, `ACL "${"d".repeat(99)}…" with priority 90`],
    [
      "its address without a description",
      { description: "", address: "acl.a", id: "acl_1" },
      "ACL acl.a with priority 90",
    ],
  ])("is named by %s", (_name, more, words) => {
    expect(aclWords({ ...wall, ...more })).toBe(words);
  });

  test("without an address, is named by its id", () => {
    const { address: _address, ...unmanaged } = { ...wall, description: "" };
    expect(aclWords(unmanaged)).toBe("ACL acl_90 with priority 90");
    const { id: _id, ...unnamed } = unmanaged;
    expect(aclWords(unnamed)).toBe("ACL without a name with priority 90");
  });

  test.each<[string, Partial<PlannedAcl>, string]>([
    ["its priority", {}, 'ACL "ACL 90" with priority 90'],
    ["no sensitive priority", { secret: secrets("priority") }, 'ACL "ACL 90" with priority (sensitive)'],
    ["its priority next to a sensitive rule", { secret: secrets("ja3") }, 'ACL "ACL 90" with priority 90'],
    ["a priority that is not known", { priority: NaN }, 'ACL "ACL 90" with a priority that is not known yet'],
    ["whose it may be", { unplaced: true }, 'ACL "ACL 90" with priority 90, perhaps another tenant\'s'],
  ])("is shown with %s", (_name, more, words) => {
    expect(aclWords({ ...wall, ...more })).toBe(words);
  });
});

describe("a request", () => {
  test.each<[string, Partial<Request>, string]>([
    ["sign-in", {}, "A request to sign-in from 198.51.100.9"],
    ["the Management API", { path: "/api/v2/" }, "A request to the Management API from 198.51.100.9"],
    ["client registration", { path: "/oidc/register" }, "A request to client registration from 198.51.100.9"],
    ["a proxy", { connecting_ip: "192.0.2.1" }, "A request to sign-in from 198.51.100.9 through 192.0.2.1"],
    ["one fact", { country: "KP" }, "A request to sign-in from 198.51.100.9, country KP,"],
    [
      "curated lists",
      { managed: ["auth0.tor", "auth0.vpn"] },
      "A request to sign-in from 198.51.100.9, on the list auth0.tor, on the list auth0.vpn,",
    ],
  ])("shows %s", (_name, more, words) => {
    expect(wordsOf(more)).toBe(words);
  });

  test("shows every fact with its name", () => {
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
    for (const words of [
      "country US",
      "region US-CA",
      "AS number 64500",
      "user agent curl",
      "host name a.example",
      "JA3 fingerprint 3",
      "JA4 fingerprint 4",
      "signed with key k",
    ]) {
      expect(wordsOf(facts)).toContain(`, ${words},`);
    }
  });

  test("shows no sensitive fact", () => {
    expect(wordsOf({ asn: 64_500 }, secrets("asns"))).toBe(
      "A request to sign-in from 198.51.100.9, AS number (sensitive),",
    );
  });
});

test.each<[string[], string]>([
  [["reached"], "allowed"],
  [["blocked"], "blocked"],
  [["redirected"], "redirected"],
  [["blocked", "redirected", "logged"], "blocked, redirected or logged"],
])("the outcomes %j are %s", (outcomes, words) => {
  expect(outcomeWords(outcomes)).toBe(words);
});

describe("a counterexample", () => {
  const example = (end: object, decider?: PlannedAcl) =>
    ({ request: request(), end, ...(decider && { acl: decider }) }) as Counterexample<PlannedAcl>;
  const blocked = { outcome: "blocked" };
  const away = { outcome: "redirected", redirect_uri: "https://a.example" };
  const from = "A request to sign-in from 198.51.100.9";

  test.each<[string, Counterexample<PlannedAcl>, string[], ReadonlySet<string>, string]>([
    [
      "the ACL that decides",
      example(blocked, wall),
      [],
      none,
      `${from} is blocked by ACL "ACL 90" with priority 90. It should be allowed.`,
    ],
    [
      "that no ACL matches",
      example({ outcome: "allowed" }),
      [],
      none,
      `${from} is allowed, because no ACL matches. It should be allowed.`,
    ],
    [
      "the target of a redirect",
      example(away, wall),
      [],
      none,
      `${from} is redirected to https://a.example by ACL "ACL 90" with priority 90. It should be allowed.`,
    ],
    [
      "no sensitive target",
      example(away, wall),
      [],
      secrets("redirect_uri"),
      `${from} is redirected to (sensitive) by ACL "ACL 90" with priority 90. It should be allowed.`,
    ],
    [
      "a redirect without a target",
      example({ outcome: "redirected" }, wall),
      [],
      none,
      `${from} is redirected by ACL "ACL 90" with priority 90. It should be allowed.`,
    ],
    [
      "no target for a request that is not redirected",
      example({ ...blocked, redirect_uri: "https://a.example" }, wall),
      [],
      none,
      `${from} is blocked by ACL "ACL 90" with priority 90. It should be allowed.`,
    ],
    [
      "what is not certain",
      example(blocked, wall),
      ["one", "two"],
      none,
      `${from} is blocked by ACL "ACL 90" with priority 90. It should be allowed. This is not certain: one and two.`,
    ],
  ])("that breaks an expectation shows %s", (_name, counterexample, assumptions, hidden, words) => {
    expect(brokenWords(counterexample, ["reached"], assumptions, hidden)).toBe(words);
  });

  test.each<[string[], string]>([
    [[], ""],
    [["one", "two"], " if one and two"],
  ])("that may break an expectation shows the assumptions %j", (assumptions, when) => {
    expect(undecidedWords(example(blocked, wall), ["reached"], assumptions, none)).toBe(
      `${from} may be blocked by ACL "ACL 90" with priority 90${when}. It should be allowed.`,
    );
  });
});

test.each<[Partial<JudgedExpectation>, string]>([
  [{ verdict: "broken", text: "A request to sign-in is blocked." }, "Broken: a request to sign-in is blocked."],
  [{ verdict: "held", text: "It holds after the change." }, "Held: It holds after the change."],
  [{ verdict: "undecided", text: "A member is missing." }, "Undecided: A member is missing."],
  [
    { verdict: "broken", text: 'The policy for "A request filter" limits nothing.' },
    'Broken: The policy for "A request filter" limits nothing.',
  ],
])("a judgement begins with its verdict", (judged, words) => {
  expect(judgementWords({ cause: [], assumptions: [], ...judged } as unknown as JudgedExpectation)).toBe(words);
});
