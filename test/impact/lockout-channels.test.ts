/** Plans and reviews agree on lock-outs that existed before, and on requests that an ACL lets through. */
import { unknown } from "../../src/cty/value";
import { openReview, type Reviewing } from "../resources/support/reviewing";
import type { Change, Content, Resource } from "./support/changes";
import { planAndReview } from "./support/channels";

let reviewing: Reviewing;
beforeAll(async () => {
  reviewing = await openReview();
});
afterAll(() => reviewing.close());

const everywhere = { ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] };
const runner = { name: "runner", ip: "203.0.113.7", country: "DE" };
const acl = (priority: number, action: string, match: Content, scope = "tenant"): Content => ({
  description: `acl-${priority}`,
  active: true,
  priority,
  rule: { action: { [action]: true }, match, scope },
});
const wall = acl(50, "block", everywhere);
const other = acl(90, "block", { asns: [1] });
const letsIn = acl(1, "allow", { ipv4_cidrs: ["203.0.113.0/24"] });

const ids = ["b", "c", "d", "e"].map((letter) => `acl_${"a".repeat(21)}${letter}`);
const resource = (number: number, before: Content | undefined, config?: Content): Resource => ({
  kind: "network_acl",
  name: `acl_${number}`,
  ...(before && { id: ids[number]!, before }),
  ...(config && { config }),
});

type Result = "refused" | "warned" | "nothing";

interface Scenario {
  readonly acls: readonly [before: Content | undefined, after?: Content][];
  readonly requests?: readonly Content[];
  readonly unmanaged?: readonly Content[];
  /** The reports of plan and review. `counted`: whether the effect counts. */
  readonly plan: Result;
  readonly review: "counted" | "already" | "nothing";
}

const scenarios: Record<string, Scenario> = {
  "a new wall": { acls: [[undefined, wall]], requests: [runner], plan: "refused", review: "counted" },
  "a new wall without protected requests": { acls: [[undefined, wall]], plan: "refused", review: "counted" },
  "a new wall and an allow before it": {
    acls: [
      [undefined, wall],
      [undefined, letsIn],
    ],
    requests: [runner],
    plan: "nothing",
    review: "nothing",
  },
  "a new allow before a wall that stays": {
    acls: [
      [wall, wall],
      [undefined, letsIn],
    ],
    requests: [runner],
    plan: "nothing",
    review: "nothing",
  },
  "a new allow of everyone before a wall that stays": {
    acls: [
      [wall, wall],
      [undefined, acl(1, "allow", everywhere)],
    ],
    plan: "nothing",
    review: "nothing",
  },
  "a new allow behind a wall that stays": {
    acls: [
      [wall, wall],
      [undefined, { ...letsIn, priority: 60 }],
    ],
    requests: [runner],
    plan: "warned",
    review: "already",
  },
  "another ACL behind a wall that stays": {
    acls: [
      [wall, wall],
      [undefined, other],
    ],
    plan: "warned",
    review: "already",
  },
  "an allow whose addresses are known after apply, before a wall that stays": {
    acls: [
      [wall, wall],
      [undefined, acl(1, "allow", { ipv4_cidrs: [unknown] })],
    ],
    requests: [runner],
    plan: "nothing",
    review: "nothing",
  },
  "a wall that an unmanaged allow opens": {
    acls: [[undefined, wall]],
    unmanaged: [letsIn],
    requests: [runner],
    plan: "nothing",
    review: "nothing",
  },
  "an unmanaged wall": {
    acls: [[undefined, other]],
    unmanaged: [wall],
    requests: [runner],
    plan: "warned",
    review: "already",
  },
  "a second wall before the first": {
    acls: [
      [wall, wall],
      [undefined, acl(40, "block", { ipv4_cidrs: ["203.0.113.0/24"] })],
    ],
    requests: [runner],
    plan: "warned",
    review: "already",
  },
  "a wall that moves to another resource": {
    acls: [[wall], [undefined, { ...wall, description: "moved", priority: 49 }]],
    requests: [runner],
    plan: "warned",
    review: "already",
  },
  "a wall that opens for others only": {
    acls: [[wall, { ...wall, rule: { ...(wall["rule"] as Content), not_match: { asns: [7] } } }]],
    requests: [{ ...runner, asn: 8 }],
    plan: "warned",
    review: "already",
  },
  "a wall that opens for the runner": {
    acls: [[wall, { ...wall, rule: { ...(wall["rule"] as Content), not_match: { asns: [7] } } }]],
    requests: [{ ...runner, asn: 7 }],
    plan: "nothing",
    review: "nothing",
  },
  "an allow that goes, before a wall that stays": {
    acls: [[wall, wall], [letsIn]],
    requests: [runner],
    plan: "refused",
    review: "counted",
  },
  "a wall that goes": { acls: [[wall]], requests: [runner], plan: "nothing", review: "nothing" },
  "a wall in front of sign-in that stays": {
    acls: [
      [acl(50, "block", everywhere, "authentication"), acl(50, "block", everywhere, "authentication")],
      [undefined, other],
    ],
    plan: "warned",
    review: "already",
  },
};

test.each(Object.entries(scenarios))("%s", async (_what, { acls, requests = [], unmanaged = [], plan, review }) => {
  const change: Change = {
    resources: acls.map(([before, after], number) => resource(number, before, after)),
    unmanaged: unmanaged.map((before) => ({ kind: "network_acl", id: ids[3]!, before })),
    members: new Map(),
    protectedRequest: requests,
  };
  const found = await planAndReview(reviewing, change);
  const own = found.plan.filter(({ code }) => code.startsWith("TNF-ACL-LOCKOUT"));
  const severities = new Set(own.map(({ severity }) => severity));
  const planned: Result = severities.has("error") ? "refused" : severities.has("warning") ? "warned" : "nothing";
  const effects = found.review.effects.filter(({ code }) => code.startsWith("TNF-ACL-LOCKOUT"));
  const reviewed = effects.length === 0 ? "nothing" : effects.every(({ already }) => already) ? "already" : "counted";
  expect({ plan: planned, review: reviewed }).toEqual({ plan, review });
});
