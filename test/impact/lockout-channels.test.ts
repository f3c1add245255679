/** Plans and reviews agree on lock-outs that existed before, on requests that an ACL lets through, and on what is refused. */
import { unknown } from "../../src/cty/value";
import { refusesOf } from "../../src/impact/refusals";
import { openReview, type Reviewing } from "../resources/support/reviewing";
import type { Change, Content, Resource } from "./support/changes";
import { planAndReview } from "./support/channels";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview();
});
afterAll(() => reviewing.close());

const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const acl = (priority: number, action: string, match: Content, scope = "tenant", more: Content = {}): Content => ({
  description: `acl-${priority}`,
  active: true,
  priority,
  rule: { action: { [action]: true }, match, scope, ...more },
});
const wall = acl(50, "block", everywhere);
const signIn = acl(50, "block", everywhere, "authentication");
const other = acl(90, "block", { asns: [1] });
const office = { ipv4_cidrs: ["203.0.113.0/24"] };
const letsIn = acl(1, "allow", office);
const withoutSeven = acl(50, "block", everywhere, "tenant", { not_match: { asns: [7] } });
const runner = { name: "runner", ip: "203.0.113.7", country: "DE" };

const ids = ["b", "c", "d", "e"].map((letter) => `acl_${"a".repeat(21)}${letter}`);

/** The ACLs of the stack, each before and after the plan. */
type Acls = readonly (readonly [before: Content | undefined, after?: Content])[];
/** Terraform runs anywhere: no protected request names the runner. */
const anywhere: readonly Content[] = [];
const kept = (one: Content) => [one, one] as const;
const made = (one: Content) => [undefined, one] as const;

type Row = readonly [
  what: string,
  plan: "refused" | "warned" | "nothing",
  review: "counted" | "already" | "nothing",
  acls: Acls,
  requests?: readonly Content[],
  unmanaged?: Content,
];

const rows: readonly Row[] = [
  ["a new wall", "refused", "counted", [made(wall)]],
  ["a new wall without protected requests", "refused", "counted", [made(wall)], anywhere],
  ["a new wall and an allow before it", "nothing", "nothing", [made(wall), made(letsIn)]],
  ["a new allow before a wall that stays", "nothing", "nothing", [kept(wall), made(letsIn)]],
  ["a new allow of everyone", "nothing", "nothing", [kept(wall), made(acl(1, "allow", everywhere))], anywhere],
  ["a new allow behind a wall that stays", "warned", "already", [kept(wall), made({ ...letsIn, priority: 60 })]],
  ["another ACL behind a wall that stays", "warned", "already", [kept(wall), made(other)], anywhere],
  [
    "an allow whose addresses are known after apply, before a wall that stays",
    "nothing",
    "nothing",
    [kept(wall), made(acl(1, "allow", { ipv4_cidrs: [unknown] }))],
  ],
  ["a wall that an unmanaged allow opens", "nothing", "nothing", [made(wall)], [runner], letsIn],
  ["an unmanaged wall", "warned", "already", [made(other)], [runner], wall],
  ["a second wall before the first", "warned", "counted", [kept(wall), made(acl(40, "block", office))]],
  [
    "a wall that moves to another resource",
    "warned",
    "counted",
    [[wall], made({ ...wall, description: "moved", priority: 49 })],
  ],
  ["a wall that opens for others only", "warned", "counted", [[wall, withoutSeven]], [{ ...runner, asn: 8 }]],
  ["a wall that opens for the runner", "nothing", "nothing", [[wall, withoutSeven]], [{ ...runner, asn: 7 }]],
  ["an allow that goes, before a wall that stays", "refused", "counted", [kept(wall), [letsIn]]],
  ["a wall that goes", "nothing", "nothing", [[wall]]],
  ["a wall in front of sign-in that stays", "warned", "already", [kept(signIn), made(other)], anywhere],
  ["a wall in front of sign-in that covers all APIs now", "refused", "counted", [[signIn, wall]]],
];

test.each(rows.map((row) => [...row.slice(0, 3), row] as [string, string, string, Row]))(
  "%s: the plan is %s, the effect is %s",
  async (_what, plan, review, [, , , acls, requests, unmanaged]) => {
    const change: Change = {
      resources: acls.map(([before, config], number): Resource => {
        const name = `acl_${number}`;
        return { kind: "network_acl", name, ...(before && { id: ids[number]!, before }), ...(config && { config }) };
      }),
      unmanaged: unmanaged ? [{ kind: "network_acl", id: ids[3]!, before: unmanaged }] : [],
      members: new Map(),
      protectedRequest: requests ?? [runner],
    };
    const found = await planAndReview(reviewing, change);
    const own = found.plan.filter(({ code }) => code.startsWith("TNF-ACL-LOCKOUT"));
    const severities = new Set(own.map(({ severity }) => severity));
    const planned = severities.has("error") ? "refused" : severities.has("warning") ? "warned" : "nothing";
    const effects = found.review.effects.filter(({ code }) => code.startsWith("TNF-ACL-LOCKOUT"));
    const reviewed = effects.length === 0 ? "nothing" : effects.every(({ already }) => already) ? "already" : "counted";
    expect([planned, reviewed]).toEqual([plan, review]);
    expect(effects.some((one) => refusesOf(one) === true)).toBe(plan === "refused");
  },
);
