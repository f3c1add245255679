/**
 * Changes that the provider plans and that the review reads from the same plan, a line for each: the level of the review, whether the plan
 * is accepted, warns of a lock-out or is refused, a code of the review (`!`: one that it must not have; `already`: it was so before), words of
 * the first line of the review, and words that none of its lines may have (`never`).
 */
import { unknown } from "../../src/cty/value";
import { toJson } from "../../src/review/json";
import { openReview, type Reviewing } from "../resources/support/reviewing";
import { planAndReview } from "./support/channels";
import type { Change, Content, Resource } from "./support/changes";
import { rows } from "./support/table";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview({ flags: ["tenant_acl_hmac_signature", "tenant_acl_match_all"] });
});
afterAll(() => reviewing.close());

const prefixes = {
  network_acl: "acl",
  network_acl_key: "key",
  rate_limit_policy: "rlp",
  organization_member_set: "org",
};
const idOf = (kind: Resource["kind"], number: number) => `${prefixes[kind]}_${"a".repeat(21)}${"bcdefghijk"[number]}`;
const resource = (kind: Resource["kind"], number: number, before?: Content, config?: Content): Resource => ({
  kind,
  name: `one_${number}`,
  ...(before && { id: idOf(kind, number), before }),
  ...(config && { config }),
});

async function expectTold(given: Partial<Change>, row: string): Promise<void> {
  const [, level, plan, code, isOld, words, never] = /^(\w+) (\w+) !?([A-Z-]+)( already)?: (.*?)(?: never (.*))?$/.exec(
    row,
  )!;
  const change: Change = { resources: [], unmanaged: [], members: new Map(), protectedRequest: [], ...given };
  const { said, review } = await planAndReview(reviewing, change);
  const { verdict, effects } = toJson(review) as {
    readonly verdict: { readonly level: string; readonly summary: string };
    readonly effects: readonly { readonly code: string; readonly already?: true; readonly refuses?: boolean }[];
  };
  const warns = said.warnings.some(({ summary, detail }) => /\[TNF-\w+-LOCKOUT/.test(`${summary} ${detail}`));
  const own = effects.filter((one) => one.code === `TNF-${code}`);
  expect({
    level: verdict.level,
    plan: said.errors.length > 0 ? "refused" : warns ? "warned" : "accepted",
    has: own.length > 0,
    isOld: own.length > 0 && own.every(({ already }) => already),
    refuses: own.some(({ refuses }) => refuses),
    first: verdict.summary.split("\n")[0],
  }).toEqual({
    level,
    plan,
    has: !row.includes("!"),
    isOld: isOld !== undefined,
    refuses: plan === "refused",
    first: expect.stringContaining(words!),
  });
  if (never !== undefined) expect(verdict.summary).not.toContain(never);
}
const pairs = (text: string) => rows(text).map((line) => line.split(" | ") as [change: string, row: string]);

const organizations = ["org_abcdefghijklmnop", "org_ponmlkjihgfedcba"];
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `auth0|${String(index).padStart(4, "0")}`);

/** `40 allow_empty -> 0`: forty members, of whom nobody is left. `-`: the block is deleted. `elsewhere`: in the other organization. */
function memberChange(text: string): Partial<Change> {
  const [before, after] = text.split(" -> ").map((side): Content | undefined => {
    const [count, ...more] = side.split(" ");
    if (count === "-") return undefined;
    const settings: Record<string, Content> = {
      allow_empty: { allow_empty: true },
      keep: { on_destroy: "keep" },
      shared: { exclusive: false },
      elsewhere: { organization_id: organizations[1]! },
    };
    const given = more.map((name) => settings[name] ?? { max_removals: Number(name.replace("at_most_", "")) });
    const usual = { exclusive: true, remove_existing: false, on_destroy: "remove" };
    return Object.assign({ organization_id: organizations[0], members: people(Number(count)), ...usual }, ...given);
  });
  const present = people(Number(/^\d+/.exec(text)![0]));
  return {
    resources: [resource("organization_member_set", 1, before, after)],
    members: new Map([
      [organizations[0]!, present],
      [organizations[1]!, []],
    ]),
  };
}

// A deleted block, `terraform destroy`, a move and an empty list are one kind: nobody is left.
test.each(
  pairs(`
    40 -> 0 | critical refused MEMBERS-EMPTIED: All 40 members lose access
    40 -> - | critical refused MEMBERS-EMPTIED: All 40 members lose access
    40 -> 40 elsewhere | critical refused MEMBERS-EMPTIED: All 40 members lose access
    40 allow_empty -> - | critical accepted MEMBERS-EMPTIED: All 40 members lose access
    40 at_most_40 -> - | critical refused MEMBERS-EMPTIED: All 40 members lose access
    40 at_most_40 allow_empty -> - | critical accepted MEMBERS-EMPTIED: All 40 members lose access
    40 at_most_39 allow_empty -> - | critical refused MEMBERS-EMPTIED: All 40 members lose access
    40 keep -> - | low accepted DESTROYED: is destroyed never lose access
    3 -> 2 | medium accepted MEMBERS-MANY: 1 of 3 members loses access
    5 -> 2 | high accepted MEMBERS-MANY: 3 of 5 members lose access
    1 shared -> - | critical accepted MEMBERS-EMPTIED: 1 of 1 member loses access
  `),
)("members: %s", (change, row) => expectTold(memberChange(change), row));

/** `default 100 -> 0, own - -> allow`: two policies. `own`: of the application of Terraform. `kept`: Terraform does not manage it. */
function limitChange(text: string): Partial<Change> {
  const parts = text.split(", ").map((part, number) => {
    const [, isKept, name, ...sides] = /^(kept )?(\S+) (.*) -> (.*)$/.exec(part)!;
    const selector = name === "own" ? `client_id:${reviewing.emulator.clientId}` : name;
    const [before, after] = sides.map((side): Content | undefined => {
      const [action, limit] = /^\d+$/.test(side) ? ["block", side] : side.split(" ");
      const redirect = action === "redirect" && { redirect_uri: "https://slow.example.com/" };
      const configuration = { action, ...(limit !== undefined && { limit: Number(limit) }), ...redirect };
      return side === "-" ? undefined : { consumer_selector: selector, configuration };
    });
    return { isKept: isKept !== undefined, ...resource("rate_limit_policy", number, before, after) };
  });
  return { resources: parts.filter(({ isKept }) => !isKept), unmanaged: parts.filter(({ isKept }) => isKept) };
}

test.each(
  pairs(`
    client_id:abc 100 -> 1 | high accepted LIMIT-TIGHTENED: Limit of application abc: block above 100 requests/s -> block above 1 request/s.
    third_party_clients 12 -> 10 | low accepted LIMIT-TIGHTENED: block above 12 requests/s for all together -> block above 10 requests/s for all together
    client_id:abc redirect 0 -> 0 | medium accepted LIMIT-REDIRECT: Limit of application abc: redirect every request to slow.example.com -> block every request.
    client_id:abc 100 -> 0 | high accepted LIMIT-BLOCKED: Limit of application abc: block above 100 requests/s -> block every request.
    default 100 -> 0 | critical refused LIMIT-LOCKOUT: Limit of all applications without a policy of their own: block above 100 requests/s for each application -> block every request
    default 100 -> redirect 0 | critical refused LIMIT-LOCKOUT: Limit of all applications without a policy of their own: block above 100 requests/s for each application -> redirect every request
    default 100 -> 0, own - -> allow | critical accepted LIMIT-BLOCKED: Limit of all applications without a policy of their own: block above 100 requests/s for each application -> block every request never locks out
    own 100 -> 0 | critical refused LIMIT-LOCKOUT: leaves no request for a token to Terraform's own application
    own allow -> -, kept default 0 -> 0 | critical refused LIMIT-LOCKOUT: leaves no request for a token to Terraform's own application
    third_party_clients 100 -> 0 | high warned LIMIT-LOCKOUT: hird-party applications
    cimd_clients 100 -> 0 | high accepted LIMIT-BLOCKED: with a client ID metadata document: block above 100 requests/s for all together -> block every request never Terraform's own
    default - -> 4 | medium warned LIMIT-LOCKOUT: no limit -> block above 4 requests/s for each application
    default 0 -> 0, client_id:abc 100 -> 60 | low accepted LIMIT-TIGHTENED: Limit of application abc: block above 100 requests/s -> block above 60 requests/s
  `),
)("limits: %s", (change, row) => expectTold(limitChange(change), row));

test("a limit of 0 for Terraform's own application is no refusal where the guard only warns", () =>
  expectTold(
    { ...limitChange("own 100 -> 0"), settings: { lockout_guard: "warn" } },
    "critical warned LIMIT-LOCKOUT: leaves no request for a token to Terraform's own application",
  ));

const everyone = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const acl = (priority: number, rule: Content, more: Content = {}): Content => ({
  description: `acl-${priority}`,
  active: true,
  priority,
  ...more,
  rule: { action: { block: true }, scope: "authentication", ...rule },
});
const closed = (except: string[], more: Content = {}) =>
  acl(
    9,
    { scope: "management", match: everyone, ...(except.length > 0 && { not_match: { ipv4_cidrs: except } }) },
    more,
  );
const partly = (match: Content) => acl(9, { scope: "management", match });
const wall = acl(50, { scope: "tenant", match: everyone });
const letsIn = (priority: number, ipv4_cidrs: unknown[] = ["203.0.113.0/24"]) =>
  acl(priority, { action: { allow: true }, scope: "tenant", match: { ipv4_cidrs } });
const country = (...codes: string[]) => acl(1, { match: { geo_country_codes: codes } });
const signedWith = (id: unknown) => acl(1, { not_match: { http_message_signature: { keys: [{ id }] } } });
const mapped = (ipv6_cidrs: string) => acl(1, { match: { ipv6_cidrs: [ipv6_cidrs] } });
const ci = [{ name: "our CI", ip: "203.0.113.7", country: "DE" }];
const [two, one] = [closed(["203.0.113.7", "198.51.100.7"]), closed(["198.51.100.7"])];

type Pair = readonly [before: Content | undefined, after?: Content];
test.each<[string, string, readonly Pair[], Partial<Change>?]>([
  [
    "a code that no request has",
    "medium accepted ACL-NO-SUCH-CODE: names UK, which no request has: GB (United Kingdom) is meant never Blocks",
    [[undefined, country("UK")]],
  ],
  ["its correction", "high accepted ACL-TIGHTENED: GB never UK", [[country("UK"), country("GB")]]],
  [
    "a new description where the guard only warns",
    "info accepted GUARD-WEAKENED: ✔ Nothing changes for people never lockout_guard",
    [[country("KP"), { ...country("KP"), description: "new" }]],
    { settings: { lockout_guard: "warn" } },
  ],
  [
    "another description of an ACL that blocks a protected request already",
    "none warned ACL-LOCKOUT already: Nothing changes for people",
    [[closed(["203.0.113.7"]), { ...closed(["203.0.113.7"]), description: "other" }]],
    { protectedRequest: [{ name: "our CI", ip: "198.51.100.7" }] },
  ],
  [
    "a new allow-list",
    "critical refused ACL-LOCKOUT: Blocks the Management API for almost everyone: everyone outside 203.0.113.7",
    [[undefined, closed(["203.0.113.7"])]],
  ],
  [
    "an allow-list loses one of two addresses",
    "low warned ACL-LOCKOUT-POSSIBLE already: 203.0.113.7 never Lock-out",
    [[two, one]],
  ],
  [
    "an allow-list loses the address of a protected request",
    'critical refused ACL-LOCKOUT: Lock-out: After this plan, "acl-9" (priority 9) would block the protected request "our CI"',
    [[two, one]],
    { protectedRequest: ci },
  ],
  [
    "an unknown description",
    "critical refused ACL-LOCKOUT: Blocks the Management API",
    [[undefined, closed([], { description: unknown })]],
  ],
  [
    "a block of everybody and an unknown address",
    "critical refused ACL-LOCKOUT: Blocks the Management API",
    [[undefined, partly({ ...everyone, ipv4_cidrs: ["0.0.0.0/0", unknown] })]],
  ],
  ["an unknown priority", "critical refused ACL-LOCKOUT: lock", [[undefined, closed([], { priority: unknown })]]],
  ["an unknown active", "high warned ACL-LOCKOUT-POSSIBLE: lock", [[undefined, closed([], { active: unknown })]]],
  [
    "an unknown rule",
    "high warned ACL-LOCKOUT-POSSIBLE: for everyone. Not certain: match of tenant_network_acl.one_0 is known only",
    [[undefined, { ...closed([]), rule: unknown }]],
  ],
  ["unknown addresses", "high warned ACL-LOCKOUT-POSSIBLE: lock", [[undefined, partly({ ipv4_cidrs: unknown })]]],
  [
    "a block behind an unknown rule that may allow",
    "high warned ACL-LOCKOUT-POSSIBLE: for everyone. Not certain: match of tenant_network_acl.one_1 is known only",
    [
      [undefined, closed([])],
      [undefined, { ...acl(1, {}), rule: unknown }],
    ],
    { protectedRequest: ci },
  ],
  [
    "a wall behind an allow",
    "critical accepted !ACL-LOCKOUT: Blocks",
    [
      [undefined, wall],
      [undefined, letsIn(1)],
    ],
    { protectedRequest: ci },
  ],
  [
    "a new allow behind a wall that stays",
    "medium warned ACL-LOCKOUT already: shadowed by",
    [
      [wall, wall],
      [undefined, letsIn(60)],
    ],
    { protectedRequest: ci },
  ],
  [
    "an allow with unknown addresses before a wall that stays",
    "high accepted !ACL-LOCKOUT: May allow",
    [
      [wall, wall],
      [undefined, letsIn(1, [unknown])],
    ],
    { protectedRequest: ci },
  ],
  [
    "an allow that gets an unknown address before a wall that stays",
    "high accepted !ACL-LOCKOUT: May allow",
    [
      [wall, wall],
      [letsIn(1), letsIn(1, ["203.0.113.0/24", unknown])],
    ],
    { protectedRequest: ci },
  ],
  [
    "a block of one known and one unknown network",
    "high warned ACL-LOCKOUT-POSSIBLE: May block the Management API for almost everyone: everyone outside 10.0.0.0/8",
    [[undefined, partly({ ipv4_cidrs: ["10.0.0.0/8", unknown] })]],
  ],
  [
    "a block of everyone but one network of connecting addresses",
    "critical accepted ACL-TIGHTENED: almost everyone: everyone outside connecting address 203.0.113.0/24",
    [[undefined, acl(1, { not_match: { connecting_ipv4_cidrs: ["203.0.113.0/24"] } })]],
  ],
  [
    "a block of one connecting host",
    "low accepted ACL-TIGHTENED: for connecting address 203.0.113.7 (1 address)",
    [[undefined, acl(1, { match: { connecting_ipv4_cidrs: ["203.0.113.7"] } })]],
  ],
  [
    "a block of one connecting host beside a list of addresses",
    "low accepted ACL-TIGHTENED: 203.0.113.7",
    [
      [undefined, acl(1, { match: { connecting_ipv4_cidrs: ["203.0.113.7"] } })],
      [letsIn(2, ["198.51.100.0/24"]), letsIn(2, ["198.51.100.0/24"])],
    ],
  ],
  [
    "a block of half of the connecting addresses",
    "high accepted ACL-TIGHTENED: for about 50 % of IPv4: connecting address 128.0.0.0/1",
    [[undefined, acl(1, { match: { connecting_ipv4_cidrs: ["128.0.0.0/1"] } })]],
  ],
  [
    "a replaced key of requests that are not blocked",
    "medium warned ACL-OPENED: for requests signed with another key never everyone",
    [[signedWith("key_old"), signedWith(unknown)]],
  ],
  [
    "a respelled mapped network",
    "none accepted !ACL-OPENED: Nothing changes for people",
    [[mapped("::ffff:10.0.0.0/104"), mapped("::FFFF:a00:0/104")]],
  ],
  [
    "an unknown priority that does not matter",
    "none accepted !ACL-OPENED: Nothing changes for people",
    [
      [country("DE"), { ...country("DE"), priority: unknown }],
      [
        { ...country("FR"), priority: 2 },
        { ...country("FR"), priority: 2 },
      ],
    ],
  ],
  [
    "one of both lists of connecting addresses widens",
    "low accepted ACL-TIGHTENED: May block never allow",
    [
      [
        acl(1, { match: { connecting_ipv4_cidrs: ["10.0.0.0/8"], connecting_ipv6_cidrs: ["2001:db8::/32"] } }),
        acl(1, { match: { connecting_ipv4_cidrs: ["10.0.0.0/7"], connecting_ipv6_cidrs: ["2001:db8::/32"] } }),
      ],
    ],
  ],
  [
    "a wall that an unmanaged allow opens",
    "critical accepted !ACL-LOCKOUT: Blocks",
    [[undefined, wall]],
    { protectedRequest: ci, unmanaged: [{ kind: "network_acl", id: idOf("network_acl", 9), before: letsIn(1) }] },
  ],
  [
    "another ACL behind an unmanaged wall",
    "medium warned ACL-LOCKOUT already: shadowed by",
    [[undefined, letsIn(90)]],
    { protectedRequest: ci, unmanaged: [{ kind: "network_acl", id: idOf("network_acl", 9), before: wall }] },
  ],
  [
    "a wall that moves to another resource",
    "low warned ACL-LOCKOUT already: is destroyed",
    [[wall], [undefined, { ...wall, description: "moved", priority: 49 }]],
    { protectedRequest: ci },
  ],
  [
    "an allow goes before a wall that stays",
    "critical refused ACL-LOCKOUT: Lock-out",
    [[wall, wall], [letsIn(1)]],
    { protectedRequest: ci },
  ],
])("requests: %s", (_what, row, changes, more = {}) => {
  const resources = changes.map(([before, after], number) => resource("network_acl", number, before, after));
  return expectTold({ resources, ...more }, row);
});
