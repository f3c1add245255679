/** Reviews: how long the exact difference of a hundred ACLs with every field takes, and a comment on a plan of a megabyte. */
import { toMarkdown } from "../../review/markdown";
import { parsePlan } from "../../review/plan";
import { reviewPlans } from "../../review/review";
import type { Bench } from "./terraform";

export interface Reviewing {
  /** Of a side. */
  readonly acls: number;
  readonly pairs: number;
  readonly proven: boolean;
  /** Milliseconds of processor time of the slowest of several rounds, each of other ACLs: one in ten changes, or every one. */
  readonly difference: { readonly some: number; readonly all: number };
  /** Characters of a plan, those of the comment on it, and the milliseconds from the one to the other. */
  readonly comment: { readonly plan: number; readonly characters: number; readonly took: number };
}

type Random = (below: number) => number;

/** The same numbers in every run. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const fields = (random: Random): Record<string, unknown> => ({
  asns: [64_500 + random(9), 64_600 + random(9)],
  geo_country_codes: ["DE", "US", "FR", "KP", "IR"].slice(random(3), 3 + random(3)),
  geo_subdivision_codes: [["US-CA", "US-NY", "DE-BE"][random(3)]!],
  ipv4_cidrs: [`10.${random(4)}.0.0/${12 + random(12)}`, `192.0.2.${random(256)}`],
  ipv6_cidrs: [`2001:db8:${random(9)}::/48`],
  connecting_ipv4_cidrs: [`198.51.${random(4)}.0/24`],
  connecting_ipv6_cidrs: [`2001:db8:f${random(9)}::/48`],
  ja3_fingerprints: [`${random(9)}`.repeat(32)],
  ja4_fingerprints: [`t13d${random(9)}`],
  user_agents: [`agent/${random(9)}`],
  hostnames: [`host${random(9)}.example.com`],
  auth0_managed: [["auth0.tor", "auth0.vpn", "auth0.proxy"][random(3)]!],
  http_message_signature: { keys: [{ id: `key_${random(9)}` }] },
});

function versionOf(count: number, random: Random) {
  const actions = [
    { allow: true },
    { block: true },
    { log: true },
    { redirect: true, redirect_uri: "https://a.example/" },
  ];
  return Array.from({ length: count }, (_, index) => ({
    id: `acl_${index}`,
    description: `ACL ${index}`,
    active: true,
    priority: index + 1,
    rule: {
      action: actions[random(4)],
      [random(4) === 0 ? "not_match" : "match"]: fields(random),
      scope: ["tenant", "management", "authentication"][random(3)],
    },
  }));
}

function planOf(count: number, members: number, random: Random, changing = 1): string {
  const before = versionOf(count, random);
  const other = versionOf(count, random);
  const after = before.map((acl, index) => (index % changing === 0 ? other[index]! : acl));
  const staff = Array.from({ length: members }, (_, index) => `auth0|${String(index).padStart(24, "0")}`);
  const changes = before.map((acl, index) => ({
    address: `tenant_network_acl.n${index}`,
    mode: "managed",
    type: "tenant_network_acl",
    change: { actions: ["update"], before: acl, after: after[index] },
  }));
  const set = (ids: readonly string[]) => ({ organization_id: "org_1", members: ids, exclusive: true });
  const sets = {
    address: "tenant_organization_member_set.staff",
    mode: "managed",
    type: "tenant_organization_member_set",
    change: { actions: ["update"], before: set(staff), after: set(staff.slice(1)) },
  };
  return JSON.stringify({
    format_version: "1.2",
    planned_values: {},
    resource_changes: members > 0 ? [...changes, sets] : changes,
  });
}

export function measureReview({ signal, say }: Bench, acls = 100, rounds = 5): Reviewing {
  let most = { pairs: 0, proven: true };
  const times = { some: 0, all: 0 };
  // The first round fills caches.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, changing] of [
      ["some", 10],
      ["all", 1],
    ] as const) {
      signal.throwIfAborted();
      say(`review ${round} of ${rounds}, where ${name} ACLs change`);
      const plan = parsePlan(planOf(acls, 0, randomFrom(round), changing), "plan");
      const began = process.cpuUsage();
      const { changes, proven } = reviewPlans("plan", [plan]).acls;
      const took = millisecondsSince(began);
      if (round === 0 || took <= times[name]) continue;
      times[name] = took;
      if (name === "all") most = { pairs: changes.length, proven };
    }
  }
  const text = planOf(acls, 20_000, randomFrom(0), 10);
  const began = process.cpuUsage();
  const comment = toMarkdown([reviewPlans("plan", [parsePlan(text, "plan")])], { tag: "bench", at: new Date(0) });
  const took = millisecondsSince(began);
  return { acls, ...most, difference: times, comment: { plan: text.length, characters: comment.length, took } };
}

function millisecondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}
