/** Findings about effects for a moment: who is affected, when, how certain it is, and what to do. */
import type { PlannedObject, Values } from "../../../src/impact/model";
import { aclVersions } from "../../../src/impact/network-acl/versions";
import { transientFindings, type TransientInput } from "../../../src/impact/transient/findings";
import { lower, subjectOf, undecidedFinding } from "../../../src/impact/transient/open";
import { acl as version, allow, block, planned, values } from "../support/acls";

const everyone = { match_all: true };
const redirect = { redirect: true, redirect_uri: "https://blocked.example" };
const acl = (priority: number, rule: Values, more: Values = {}) => values(priority, { scope: "tenant", ...rule }, more);
const object = (
  name: string,
  before: Values | undefined,
  after: Values | undefined,
  more: Partial<PlannedObject> = {},
): PlannedObject =>
  planned(before, after, {
    address: `auth0_network_acl.${name}`,
    type: "auth0_network_acl",
    actions: !before ? ["create"] : !after ? ["delete"] : before === after ? ["no-op"] : ["update"],
    ...more,
  });
const replaced = { actions: ["delete", "create"] };
const without = (one: Values): Values => {
  const { id: _, ...rest } = one;
  return rest;
};

const find = (objects: readonly PlannedObject[], more: Partial<TransientInput> = {}) =>
  transientFindings({
    versions: aclVersions([objects]),
    objects,
    dependsOn: () => false,
    own: { requests: [], areGuarded: true },
    base: [],
    terraform: { userAgents: [], asksToken: true, countries: ["DE", "FR", "US"] },
    secrets: new Set(),
    ...more,
  });
const textsOf = (...args: Parameters<typeof find>) => find(...args).map(({ text }) => text);

const office = acl(10, { action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } });
const wall = acl(99, { action: block, ...everyone });
const kept = object("wall", wall, wall);
const lost = object("office", office, without(office), replaced);
const moved = (one: Values, priority: number) => ({ ...one, priority });
const moves = [object("office", office, moved(office, 95)), object("wall", moved(wall, 90), wall)];
const ci = { called: "CI", facts: { ip: "198.51.100.10" } };

const request = (more: object = {}) => ({ requests: [{ ...ci, ...more }], areGuarded: false });

const remedy =
  "Write `lifecycle { create_before_destroy = true }`, and give the new ACL another priority. If you do not want to replace the " +
  "object, remove its taint or `-replace`.";
const away = (name: string) => `This happens while auth0_network_acl.${name} is destroyed and not created again yet.`;
const onTheWay =
  "This happens while auth0_network_acl.office is changed already and auth0_network_acl.wall is not changed yet.";
const alone = "First apply the change of auth0_network_acl.wall alone, with `-target`, and then the rest.";
const isOut = "Terraform is then locked out, and can neither finish the apply nor undo it.";
const mayBeOut = "Terraform may then be locked out, and can neither finish the apply nor undo it.";
const moment = "For a moment during the apply,";
const all = "sign-in, the Management API and client registration";

describe("a lockout for a moment", () => {
  test("is critical if only one object changes", () => {
    expect(find([lost, kept])).toMatchObject([
      {
        code: "TF-TRANSIENT-LOCKOUT",
        level: "critical",
        address: "auth0_network_acl.office",
        text: `${moment} the plan blocks the Management API for 198.51.100.0/24 (256 addresses). ${away("office")} ${isOut} ${remedy}`,
      },
    ]);
  });

  test("is possible if it depends on the order of several changes", () => {
    expect(find(moves)).toMatchObject([
      {
        level: "high",
        text: `${moment} the plan may block the Management API for 198.51.100.0/24 (256 addresses). ${onTheWay} ${mayBeOut} ${alone}`,
      },
    ]);
  });

  test("names a protected request in place of the counted requests", () => {
    expect(find(moves, { own: request() })).toMatchObject([
      {
        code: "TF-TRANSIENT-LOCKOUT",
        level: "high",
        text: `${moment} "ACL 99" (priority 90) may block the request "CI" of protected_requests. ${onTheWay} ${mayBeOut} ${alone}`,
      },
    ]);
    expect(find([lost, kept], { own: request() })).toMatchObject([
      {
        level: "critical",
        text: `${moment} "ACL 99" (priority 99) blocks the request "CI" of protected_requests. ${away("office")} ${isOut} ${remedy}`,
      },
    ]);
  });

  test("locks out no Terraform if the protected request is for another API", () => {
    const [first, second] = find([lost, kept], { own: request({ path: "/authorize" }) });
    expect(first).toMatchObject({
      level: "high",
      text: `${moment} "ACL 99" (priority 99) blocks the request "CI" of protected_requests. ${away("office")} ${remedy}`,
    });
    // Where Terraform runs is then still not known.
    expect(second!.text).toContain("the plan blocks the Management API for 198.51.100.0/24");
  });

  test("may be a redirect", () => {
    const gate = acl(99, { action: redirect, ...everyone });
    const verbOf = (...objects: readonly PlannedObject[]) =>
      /(\S+|may \S+) the request "CI"/.exec(textsOf(objects, { own: request() })[0]!)![0];
    expect(verbOf(lost, object("gate", gate, gate))).toBe('redirects the request "CI"');
    expect(textsOf([moves[0]!, object("gate", moved(gate, 90), gate)], { own: request() })[0]).toContain(
      '"ACL 99" (priority 90) may redirect the request "CI"',
    );
  });

  test("shortens the long description of an ACL", () => {
    const long = { ...wall, description: "x".repeat(60) };
    expect(textsOf([lost, object("wall", long, long)], { own: request() })[0]).toContain(
      `"${"x".repeat(47)}…" (priority 99) blocks`,
    );
  });

  test("concerns no request that is blocked before or after, or whose facts are not known", () => {
    const elsewhere = { called: "CI", facts: { ip: "203.0.113.9" } };
    expect(find([lost, kept], { own: { requests: [elsewhere], areGuarded: false } })).toEqual([]);
    const unknown = { called: "CI", facts: { ip: Symbol("not known yet") } };
    expect(textsOf([lost, kept], { own: { requests: [unknown], areGuarded: false } })).toEqual([
      expect.stringContaining("the plan blocks the Management API for 198.51.100.0/24"),
    ]);
  });

  test("concerns no request that is blocked only before or only after the plan, or that stays allowed", () => {
    const deleted = object("office", office, undefined);
    const created = object("office", undefined, without(office));
    const other = object(
      "other",
      acl(50, { match: { asns: [1] } }),
      acl(51, { match: { asns: [1] } }, { id: "acl_50" }),
    );
    expect(find([deleted, other, kept], { own: request() })).toEqual([]);
    expect(find([created, other, kept], { own: request() })).toEqual([]);
    const inFront = acl(1, { action: allow, match: { ipv4_cidrs: ["198.51.100.10/32"] } });
    expect(find([lost, kept, object("front", inFront, inFront)], { own: request() })).toEqual([]);
  });

  test("of Terraform is reported if the only protected request has an unknown fact", () => {
    const unknown = { called: "CI", facts: { ip: Symbol("not known yet"), country: "DE" } };
    expect(textsOf([lost, kept], { own: { requests: [unknown], areGuarded: false } })).toEqual([
      expect.stringContaining("the plan blocks the Management API for 198.51.100.0/24"),
    ]);
  });

  test("names only the changes that matter", () => {
    const signIn = { scope: "authentication", match: { asns: [1] } };
    const other = object("other", acl(50, signIn), acl(51, signIn, { id: "acl_50" }));
    expect(textsOf([...moves, other])).toEqual([expect.stringContaining(onTheWay)]);
  });

  test("is reported if it concerns most allowed IPv6 addresses", () => {
    const [most, few] = ["2001:db8::/33", "2001:db8:8000::/34"].map((cidr, index) =>
      acl(10 + index, { action: allow, match: { ipv6_cidrs: [cidr] } }),
    );
    const always = acl(5, { action: allow, match: { ipv4_cidrs: ["192.0.2.0/24"] } });
    const stays = (name: string, one: Values) => object(name, one, one);
    const going = (one: Values) => object("going", one, without(one), replaced);
    const around = [kept, stays("always", always)];
    expect(textsOf([going(most!), stays("few", few!), ...around])).toEqual([
      expect.stringContaining("the plan blocks the Management API for 2001:db8::/33"),
    ]);
    expect(find([going(few!), stays("most", most!), ...around])).toEqual([]);
  });

  test("is not reported if it concerns half of the allowed addresses", () => {
    const [one, other] = ["198.51.100.0/25", "198.51.100.128/25"].map((cidr, index) =>
      acl(10 + index, { action: allow, match: { ipv4_cidrs: [cidr] } }),
    );
    expect(find([object("going", one, without(one!), replaced), object("other", other, other), kept])).toEqual([]);
  });

  test("names the facts that rules name, if no address is allowed before and after", () => {
    const agent = acl(10, { action: allow, match: { user_agents: ["terraform"] } });
    const named = [object("t", agent, without(agent), replaced), kept];
    expect(textsOf(named)).toEqual([
      `${moment} the plan blocks the Management API for requests with user agent terraform. ${away("t")} ${isOut} ${remedy}`,
    ]);
    expect(textsOf(named, { secrets: new Set(["match"]) })[0]).toContain(
      "the plan blocks the Management API for (sensitive). This",
    );
  });

  test("concerns the Management API only", () => {
    const only = (rule: Values) => acl(10, { scope: "authentication", ...rule });
    const inside = only({ action: allow, match: { ipv4_cidrs: ["198.51.100.0/24"] } });
    const front = acl(99, { scope: "authentication", action: block, ...everyone });
    expect(find([object("office", inside, without(inside), replaced), object("wall", front, front)])).toEqual([]);
  });

  test("concerns no sign-in with a user agent", () => {
    const named = acl(10, { scope: "authentication", action: allow, match: { user_agents: ["curl"] } });
    const front = acl(99, { scope: "authentication", action: block, ...everyone });
    expect(find([object("t", named, without(named), replaced), object("wall", front, front)])).toEqual([]);
  });

  test("concerns most of the allowed requests", () => {
    const countries = (codes: readonly string[], more: Values = {}) =>
      acl(10, { action: allow, match: { geo_country_codes: codes } }, more);
    const [large, small] = [countries(["US"]), countries(["FR"], { id: "acl_fr", priority: 20 })];
    const gone = (one: Values) => object("going", one, without(one), replaced);
    expect(textsOf([gone(large), object("fr", small, small), kept])[0]).toContain("everyone in the United States (US)");
    expect(find([gone(small), object("us", large, large), kept])).toEqual([]);
  });
});

describe("the guard of the provider", () => {
  const ownMoves = moves.map((one) => ({ ...one, type: "tenant_network_acl" }));

  test("prevents lockouts if it writes all changes", () => {
    const guarded = { own: { requests: [ci], areGuarded: true } };
    expect(find(ownMoves, guarded)).toEqual([]);
    expect(find(ownMoves)).toEqual([]);
    expect(find([ownMoves[0]!, moves[1]!], guarded)).toHaveLength(1);
    expect(find(ownMoves, { own: { requests: [ci], areGuarded: false } })).toHaveLength(1);
  });

  test("does not know the requests that only the base branch protects", () => {
    expect(textsOf(ownMoves, { base: [ci] })[0]).toContain('may block the request "CI" of protected_requests.');
    expect(find(ownMoves, { base: [ci], own: { requests: [ci], areGuarded: true } })).toEqual([]);
    expect(find(moves, { base: [ci], own: request() })).toHaveLength(1);
  });
});

describe("requests that are open for a moment", () => {
  const france = { match: { geo_country_codes: ["FR"] } };
  const again = (one: Values, more: Partial<PlannedObject> = {}) =>
    object("s", one, without(one), { ...replaced, ...more });
  const part = "about 1.1 % of the world: everyone in France (FR)";

  test("are named with their APIs, their share and the plan", () => {
    expect(find([again(acl(10, france), { plan: "eu" })])).toMatchObject([
      {
        code: "TF-TRANSIENT-OPEN",
        level: "medium",
        address: "auth0_network_acl.s",
        plan: "eu",
        text: `${moment} the plan opens ${all} to ${part}. ${away("s")} ${remedy}`,
      },
    ]);
    expect(find([again(acl(10, france))])[0]).not.toHaveProperty("plan");
  });

  test.each([
    ["management", "the Management API"],
    ["authentication", "sign-in and client registration"],
    ["dynamic_client_registration", "client registration"],
  ])("concern the API of the scope %s", (scope, api) => {
    expect(textsOf([again(acl(10, { ...france, scope }))])[0]).toContain(`the plan opens ${api} to ${part}.`);
    expect(textsOf([again(acl(10, { match: { user_agents: ["curl"] }, scope }))])[0]).toContain(
      `the plan opens ${api} to requests with user agent curl.`,
    );
  });

  test("are of a lower level if only the owner of a key can send them", () => {
    const levelOf = (match: Values) => find([again(acl(10, { match }))]).map(({ level }) => level);
    expect(levelOf({ user_agents: ["curl"] })).toEqual(["medium"]);
    expect(levelOf({ http_message_signature: { keys: [{ id: "key_1" }] } })).toEqual(["low"]);
  });

  test("are of a high level if they are all requests", () => {
    expect(find([again(wall)])).toMatchObject([
      { level: "high", text: expect.stringContaining(`opens ${all} to everyone. `) },
    ]);
  });

  test("are those of the API with the largest share", () => {
    const narrow = acl(10, { ...france, scope: "management" });
    const wide = acl(20, { ...everyone, scope: "authentication" });
    const [text] = textsOf([
      object("m", narrow, without(narrow), replaced),
      object("a", wide, without(wide), replaced),
    ]);
    expect(text).toContain("the plan may open sign-in and client registration to everyone.");
    expect(text).toContain("auth0_network_acl.a is destroyed and not created again yet");
    expect(text).not.toContain("auth0_network_acl.m");
  });

  test("have no share and no facts if a rule is sensitive", () => {
    for (const criteria of [france, { match: { user_agents: ["curl"] } }]) {
      const [text] = textsOf([again(acl(10, criteria))], { secrets: new Set(["match"]) });
      expect(text).toContain(`the plan opens ${all} to (sensitive). This`);
    }
    expect(textsOf([again(acl(10, france))], { secrets: new Set(["description", "priority"]) })[0]).toContain(part);
  });

  test("are not reported if they stay blocked", () => {
    const front = acl(1, everyone, { id: "acl_front" });
    expect(find([again(acl(10, france)), object("front", front, front)])).toEqual([]);
  });
});

test("a finding names the object that is away, or else the first one, with its plan", () => {
  const change = (priority: number, more: object = {}) => ({
    after: { ...version(priority, everyone), ...more },
    how: "update" as const,
    isOwn: false,
  });
  const changed = { change: change(1), status: "new" as const };
  const { after: gone, ...rest } = change(2, { plan: "eu" });
  expect(subjectOf([changed, { change: { ...rest, before: gone }, status: "gone" }])).toEqual({
    address: "acl.2",
    plan: "eu",
  });
  expect(subjectOf([changed, { change: change(2), status: "old" }])).toStrictEqual({ address: "acl.1" });
  expect(undecidedFinding([change(1)])).not.toHaveProperty("plan");
});

describe("too many changes that depend on each other", () => {
  const many = Array.from({ length: 10 }, (_, index) =>
    object(`n${index}`, undefined, without(acl(index + 1, { match: { asns: [index + 1] } })), { plan: "eu" }),
  );
  const dependsOn: TransientInput["dependsOn"] = (one, other, plan) =>
    plan === "eu" && other === "auth0_network_acl.n0" && one !== other;

  test("are named as not evaluated", () => {
    expect(find(many, { dependsOn })).toEqual([
      expect.objectContaining({
        code: "TF-TRANSIENT-OPEN",
        level: "info",
        plan: "eu",
        text:
          "The plan changes so many network ACLs together that the review did not evaluate every intermediate state. For a moment during " +
          "the apply, requests that are blocked before and after may be allowed, and allowed requests may be blocked. Apply fewer changes " +
          "at a time.",
      }),
    ]);
    expect(find(many)).toEqual([]);
  });

  test("depend on each other only within a plan", () => {
    const apart = many.map((one, index) => ({ ...one, plan: index === 0 ? "us" : "eu" }));
    expect(find(apart, { dependsOn: (_one, other) => other === "auth0_network_acl.n0" })).toEqual([]);
  });
});

test("reports nothing for ACLs that the plan does not write", () => {
  expect(find([kept, object("office", office, office)])).toEqual([]);
  expect(find([object("office", office, undefined, { actions: ["forget"] }), kept])).toEqual([]);
});

test("reports nothing for objects of another kind", () => {
  const policy = { consumer_selector: "partners", configuration: { action: "block", limit: 5 } };
  const other = (before: Values) =>
    object("other", before, without(before), { address: "auth0_client.other", type: "auth0_client", ...replaced });
  expect(find([kept, other(office)])).toEqual([]);
  expect(find([other(policy)])).toEqual([]);
});

test("says that it did not evaluate every state among very many ACLs, unless the apply is one write", () => {
  const remote = Array.from({ length: 400 }, (_, at) => {
    const match = { asns: [at % 50], user_agents: [`a${at % 40}`], ja3_fingerprints: [`b${at % 30}`] };
    const action = at % 2 === 0 ? allow : block;
    return acl(2 + (at % 90), { action, match, not_match: { hostnames: [`h${at % 20}`] } }, { id: `acl_remote_${at}` });
  });
  const codesOf = (objects: readonly PlannedObject[]) =>
    find(objects, { versions: aclVersions([objects], remote) }).map(({ code, level }) => [code, level]);
  expect(codesOf(moves).filter(([, level]) => level === "info")).toEqual([["TF-TRANSIENT-OPEN", "info"]]);
  expect(codesOf([moves[0]!])).toEqual([]);
});

test("finds a request to the Management API that one of many ACLs allows", () => {
  const named = (priority: number, scope: string) => {
    const one = acl(priority, { action: allow, scope, match: { user_agents: [`agent ${priority}`] } });
    return object(`named${priority}`, one, without(one), replaced);
  };
  const signIns = Array.from({ length: 21 }, (_, index) => named(index + 1, "authentication"));
  expect(find([...signIns, named(50, "management"), kept]).map(({ text }) => text)).toContainEqual(
    expect.stringContaining("may block the Management API for requests with user agent agent 50."),
  );
});

test("reports limits and members beside ACLs", () => {
  const policy = {
    consumer_selector: "partners",
    configuration: { action: "block", limit: 5 },
  };
  const set = { organization_id: "org_1", members: ["auth0|1"] };
  const codes = find([
    lost,
    kept,
    { address: "p", type: "auth0_rate_limit_policy", before: policy, after: policy, ...replaced },
    { address: "m", type: "auth0_organization_members", before: set, after: set, ...replaced },
  ]).map(({ code, address }) => [code, address]);
  expect(codes).toEqual([
    ["TF-TRANSIENT-LOCKOUT", "auth0_network_acl.office"],
    ["TF-TRANSIENT-OPEN", "p"],
    ["TF-TRANSIENT-LOCKOUT", "m"],
  ]);
});

test.each([
  ["critical", "high"],
  ["high", "medium"],
  ["medium", "low"],
  ["low", "low"],
  ["info", "low"],
] as const)("an effect of level %s is of level %s for a moment", (level, expected) => {
  expect(lower(level)).toBe(expected);
});
