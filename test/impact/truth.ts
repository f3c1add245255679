/**
 * The truth about changes: what is changed, and how bad it is for whom. Rows state facts, so that any judgement can be tested by them:
 * `truth.test.ts` shows each row to the provider, which plans it, and to the review of the same plan.
 */
import type { Level } from "../../src/impact/effect";
import { unknown } from "../../src/cty/value";
import type { Change, Content, Kind } from "./support/changes";

/** One object of a stack. Without `before` it is new, without `after` it is destroyed. */
export interface Subject {
  readonly kind: Kind;
  readonly before?: Content;
  readonly after?: Content;
}

export interface Row {
  /** What changes: the title of the test. */
  readonly what: string;
  readonly objects: readonly Subject[];
  /** Organization -> its members. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Objects of the tenant that the stack does not manage. */
  readonly unmanaged?: Change["unmanaged"];
  /** The provider block. */
  readonly settings?: Content;
  /** How bad the change is. */
  readonly level: Level | "none";
  /** Whether the provider refuses the plan. */
  readonly refuses: boolean;
  /** A effect of the review, without its prefix. */
  readonly code?: string;
  /** Words of the first line of the review: who loses or gains what. */
  readonly who: string;
  /** Words that no line of the summary may have. */
  readonly never?: string;
}

const organization = "org_abcdefghijklmnop";
const other = "org_ponmlkjihgfedcba";
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `auth0|${String(index).padStart(4, "0")}`);

const set = (members: readonly string[], rest: Content = {}): Content => ({
  organization_id: organization,
  members,
  exclusive: true,
  remove_existing: false,
  on_destroy: "remove",
  ...rest,
});
const kind = "organization_member_set";

/** Stands for the client id with which Terraform authenticates. */
export const terraform = "TERRAFORM";
const forty = people(40);
const all = { [organization]: forty, [other]: [] };

/** A deleted block, `terraform destroy`, a move and an empty list are one kind: nobody is left. */
const emptied = {
  level: "critical",
  refuses: true,
  code: "MEMBERS-EMPTIED",
  who: "All 40 members lose access",
} as const;
const permitted = { ...emptied, refuses: false } as const;

export const memberRows: readonly Row[] = [
  { what: "an empty list", objects: [{ kind, before: set(forty), after: set([]) }], members: all, ...emptied },
  { what: "a deleted block", objects: [{ kind, before: set(forty) }], members: all, ...emptied },
  {
    what: "a set that moves to another organization",
    objects: [{ kind, before: set(forty), after: set(forty, { organization_id: other }) }],
    members: all,
    ...emptied,
  },
  {
    what: "a deleted block whose state says allow_empty",
    objects: [{ kind, before: set(forty, { allow_empty: true }) }],
    members: all,
    ...permitted,
  },
  {
    what: "a deleted block whose state permits so many removals",
    objects: [{ kind, before: set(forty, { max_removals: 40 }) }],
    members: all,
    ...permitted,
  },
  {
    what: "a deleted block whose state permits fewer removals",
    objects: [{ kind, before: set(forty, { max_removals: 39, allow_empty: true }) }],
    members: all,
    ...emptied,
  },
  {
    what: "a deleted block that keeps the members",
    objects: [{ kind, before: set(forty, { on_destroy: "keep" }) }],
    members: all,
    level: "low",
    refuses: false,
    code: "DESTROYED",
    who: "is destroyed",
    never: "lose access",
  },
  {
    what: "1 of 3 members",
    objects: [{ kind, before: set(people(3)), after: set(people(2)) }],
    members: { [organization]: people(3) },
    level: "medium",
    refuses: false,
    code: "MEMBERS-MANY",
    who: "1 of 3 members loses access",
  },
  {
    what: "3 of 5 members",
    objects: [{ kind, before: set(people(5)), after: set(people(2)) }],
    members: { [organization]: people(5) },
    level: "high",
    refuses: false,
    code: "MEMBERS-MANY",
    who: "3 of 5 members lose access",
  },
  {
    what: "the only one of a set that lists some of the members",
    objects: [{ kind, before: set(["auth0|0000"], { exclusive: false }) }],
    members: { [organization]: ["auth0|0000"] },
    ...permitted,
    who: "1 of 1 member loses access",
  },
];

const policy = (selector: string, configuration: Content): Content => ({ consumer_selector: selector, configuration });
const limited = (selector: string, limit: number, action = "block"): Content => policy(selector, { action, limit });
const limit = (selector: string, from: number | undefined, to: number | undefined): Subject => ({
  kind: "rate_limit_policy",
  ...(from !== undefined && { before: limited(selector, from) }),
  ...(to !== undefined && { after: limited(selector, to) }),
});
const accepted = { refuses: false } as const;
const lockout = { level: "critical", refuses: true, code: "LIMIT-LOCKOUT" } as const;
const own = `client_id:${terraform}`;

export const limitRows: readonly Row[] = [
  ...(
    [
      ["to a hundredth", 100, 1, "high"],
      ["to a tenth", 100, 10, "high"],
      ["to more than a tenth", 100, 11, "medium"],
      ["to the half", 100, 50, "medium"],
      ["to more than the half", 100, 51, "low"],
    ] as const
  ).flatMap(([how, from, to, level]) =>
    ["default", "third_party_clients", "client_id:abc"].map((selector) => ({
      what: `${selector} falls ${how}`,
      objects: [limit(selector, from, to)],
      level,
      ...accepted,
      code: "LIMIT-TIGHTENED",
      who: `limited to ${to} request`,
    })),
  ),
  ...(
    [
      ["default", "10 requests/s each, from 12"],
      ["third_party_clients", "10 requests/s together, from 12"],
      ["cimd_clients", "10 requests/s together, from 12"],
      ["client_id:abc", "10 requests/s, from 12"],
    ] as const
  ).map(([selector, who]) => ({
    what: `whether the limit of ${selector} is shared`,
    objects: [limit(selector, 12, 10)],
    level: "low" as const,
    ...accepted,
    who,
  })),
  {
    what: "limit 0 blocks in place of redirecting: the same clients are stopped",
    objects: [
      {
        kind: "rate_limit_policy",
        before: policy("client_id:abc", { action: "redirect", limit: 0, redirect_uri: "https://slow.example.com/" }),
        after: limited("client_id:abc", 0),
      },
    ],
    level: "medium",
    ...accepted,
    code: "LIMIT-REDIRECT",
    who: "All requests of client abc are blocked, no longer redirected",
  },
  {
    what: "limit 0 for one client",
    objects: [limit("client_id:abc", 100, 0)],
    level: "high",
    ...accepted,
    code: "LIMIT-BLOCKED",
    who: "Client abc is blocked",
  },
  {
    what: "limit 0 for clients with a metadata document, of which Terraform's own is none",
    objects: [limit("cimd_clients", 100, 0)],
    level: "high",
    ...accepted,
    code: "LIMIT-BLOCKED",
    who: "Clients with a client ID metadata document are blocked",
    never: "Terraform's own client",
  },
  {
    what: "limit 0 for the default, which is Terraform's own too",
    objects: [limit("default", 100, 0)],
    ...lockout,
    who: "All clients without a policy of their own are blocked",
  },
  {
    what: "limit 0 of a redirect for the default",
    objects: [
      {
        kind: "rate_limit_policy",
        before: limited("default", 100),
        after: policy("default", { action: "redirect", limit: 0, redirect_uri: "https://slow.example.com/" }),
      },
    ],
    ...lockout,
    who: "All clients without a policy of their own are redirected",
  },
  {
    what: "limit 0 for the default, with a policy for Terraform's own client in the same plan",
    objects: [limit("default", 100, 0), { kind: "rate_limit_policy", after: policy(own, { action: "allow" }) }],
    level: "critical",
    ...accepted,
    code: "LIMIT-BLOCKED",
    who: "All clients without a policy of their own are blocked",
    never: "locks out",
  },
  {
    what: "limit 0 for Terraform's own client",
    objects: [limit(own, 100, 0)],
    ...lockout,
    who: "leaves no request for a token to Terraform's own client",
  },
  {
    what: "the end of the policy for Terraform's own client, while the default has limit 0",
    objects: [{ kind: "rate_limit_policy", before: policy(own, { action: "allow" }) }],
    unmanaged: [{ kind: "rate_limit_policy", id: "rlp_aaaaaaaaaaaaaaaaaaaazz", before: limited("default", 0) }],
    ...lockout,
    who: "leaves no request for a token to Terraform's own client",
  },
  {
    what: "limit 0 for Terraform's own client, where the guard only warns",
    objects: [limit(own, 100, 0)],
    settings: { lockout_guard: "warn" },
    ...lockout,
    refuses: false,
    who: "leaves no request for a token to Terraform's own client",
  },
  {
    what: "limit 0 for a group that may have Terraform's own client",
    objects: [limit("third_party_clients", 100, 0)],
    level: "high",
    ...accepted,
    code: "LIMIT-LOCKOUT",
    who: "hird-party clients",
  },
  {
    what: "a default below 5 requests/s",
    objects: [limit("default", undefined, 4)],
    level: "medium",
    ...accepted,
    code: "LIMIT-LOCKOUT",
    who: "limited to 4 requests/s",
  },
  {
    what: "a limit of 0 that stays 0 for Terraform's own client",
    objects: [
      { kind: "rate_limit_policy", before: limited("default", 0), after: limited("default", 0) },
      limit("client_id:abc", 100, 60),
    ],
    level: "low",
    ...accepted,
    code: "LIMIT-TIGHTENED",
    who: "Client abc is limited to 60",
  },
];

const acl = (priority: number, rule: Content, more: Content = {}): Content => ({
  description: `acl-${priority}`,
  active: true,
  priority,
  ...more,
  rule: { action: { block: true }, scope: "authentication", ...rule },
});
const countries = (...codes: string[]): Content => ({ geo_country_codes: codes });
const change = (before: Content | undefined, after: Content | undefined): Subject => ({
  kind: "network_acl",
  ...(before && { before }),
  ...(after && { after }),
});

export const codeRows: readonly Row[] = [
  {
    what: "a code that no request has, in match",
    objects: [change(undefined, acl(1, { match: countries("UK") }))],
    level: "medium",
    ...accepted,
    code: "ACL-NO-SUCH-CODE",
    who: "names UK, which no request has: GB (United Kingdom) is meant",
    never: "Blocks",
  },
  {
    what: "its correction",
    objects: [change(acl(1, { match: countries("UK") }), acl(1, { match: countries("GB") }))],
    level: "medium",
    ...accepted,
    code: "ACL-TIGHTENED",
    who: "GB",
    never: "UK",
  },
  {
    what: "a code that no request has beside a real one",
    objects: [change(acl(1, { match: countries("FR") }), acl(1, { match: countries("FR", "UK") }))],
    level: "medium",
    ...accepted,
    code: "ACL-NO-SUCH-CODE",
    who: "names UK, which no request has: GB (United Kingdom) is meant",
    never: "Blocks",
  },
  {
    what: "a code that no request has, in not_match",
    objects: [change(undefined, acl(1, { not_match: countries("UK") }))],
    level: "critical",
    ...accepted,
    code: "ACL-NO-SUCH-CODE",
    who: "everyone",
    never: "outside UK",
  },
  {
    what: "a code that no request has beside a real one in not_match",
    objects: [change(acl(1, { not_match: countries("GB") }), acl(1, { not_match: countries("GB", "UK") }))],
    level: "high",
    ...accepted,
    code: "ACL-NO-SUCH-CODE",
    who: "excludes nobody, and the rule applies to everybody from GB too",
  },
  {
    what: "a region that no request has",
    objects: [change(undefined, acl(1, { match: { geo_subdivision_codes: ["UK-ENG"] } }))],
    level: "medium",
    ...accepted,
    code: "ACL-NO-SUCH-CODE",
    who: "GB-ENG is meant",
  },
];

export const settingRows: readonly Row[] = [
  {
    what: "a description changes while lockout_guard is warn",
    objects: [change(acl(1, { match: countries("KP") }), acl(1, { match: countries("KP") }, { description: "new" }))],
    settings: { lockout_guard: "warn" },
    level: "none",
    ...accepted,
    code: "GUARD-WEAKENED",
    who: "✔ No request, limit or member changes",
    never: "lockout_guard",
  },
];

const everywhere = (...except: string[]): Content => ({
  rule: {
    action: { block: true },
    scope: "management",
    match: { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] },
    not_match: { ipv4_cidrs: except },
  },
});
const closed = (...except: string[]) => ({ ...acl(9, {}), ...everywhere(...except) });

/** A lock-out is news if a statement held before and does not hold after. */
export const lockoutRows: readonly Row[] = [
  {
    what: "an allow-list that did not exist before",
    objects: [change(undefined, closed("203.0.113.7"))],
    level: "critical",
    refuses: true,
    code: "ACL-LOCKOUT",
    who: "Blocks the Management API for all IPv4 addresses and all IPv6 addresses without 203.0.113.7",
  },
  {
    what: "an allow-list loses one of two addresses",
    objects: [change(closed("203.0.113.7", "198.51.100.7"), closed("203.0.113.7"))],
    level: "low",
    ...accepted,
    code: "ACL-LOCKOUT-POSSIBLE",
    who: "198.51.100.7",
    never: "Lock-out",
  },
  {
    what: "an allow-list loses the address of a protected request",
    objects: [change(closed("203.0.113.7", "198.51.100.7"), closed("203.0.113.7"))],
    settings: { protected_request: [{ name: "our CI", ip: "198.51.100.7" }] },
    level: "critical",
    refuses: true,
    code: "ACL-LOCKOUT",
    who: 'Lock-out: After this plan, "acl-9" (priority 9) would block the protected request "our CI"',
  },
  {
    what: "another description of an ACL that blocks a protected request already",
    objects: [change(closed("203.0.113.7"), { ...closed("203.0.113.7"), description: "other" })],
    settings: { protected_request: [{ name: "our CI", ip: "198.51.100.7" }] },
    level: "none",
    ...accepted,
    code: "ACL-LOCKOUT",
    who: "No request, limit or member changes",
  },
  {
    what: "an allow-list that did not exist before, with a description that is known only after the apply",
    objects: [change(undefined, { ...closed("203.0.113.7"), description: unknown })],
    level: "critical",
    refuses: true,
    code: "ACL-LOCKOUT",
    who: "Blocks the Management API",
  },
  {
    what: "a block of everybody, with one more address that is known only after the apply",
    objects: [
      change(undefined, {
        ...closed(),
        rule: {
          action: { block: true },
          scope: "management",
          match: { ipv4_cidrs: ["0.0.0.0/0", unknown], ipv6_cidrs: ["::/0"] },
        },
      }),
    ],
    level: "critical",
    refuses: true,
    code: "ACL-LOCKOUT",
    who: "Blocks the Management API",
  },
  ...(
    [
      ["priority", true],
      ["active", false],
      ["rule", false],
    ] as const
  ).map(([name, refuses]) => ({
    what: `a block of everybody whose ${name} is known only after the apply`,
    objects: [change(undefined, { ...closed(), [name]: unknown })],
    level: refuses ? ("critical" as const) : ("high" as const),
    refuses,
    code: refuses ? "ACL-LOCKOUT" : "ACL-LOCKOUT-POSSIBLE",
    who: name === "rule" ? "for everyone, if the unknown part" : "lock",
  })),
  {
    what: "a block of everybody behind an ACL that may allow the protected request, known only after the apply",
    objects: [
      change(undefined, closed()),
      change(undefined, { ...acl(1, { action: { allow: true } }), rule: unknown }),
    ],
    settings: { protected_request: [{ name: "our CI", ip: "198.51.100.7" }] },
    level: "high",
    ...accepted,
    code: "ACL-LOCKOUT-POSSIBLE",
    who: "for everyone, if the unknown part",
  },
  {
    what: "an ACL of which everything that matches is known only after the apply",
    objects: [
      change(undefined, {
        ...closed(),
        rule: { action: { block: true }, scope: "management", match: { ipv4_cidrs: unknown } },
      }),
    ],
    level: "high",
    ...accepted,
    code: "ACL-LOCKOUT-POSSIBLE",
    who: "lock",
  },
];
