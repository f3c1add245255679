/** Compares the states on the way of an apply with all orders of its writes, one request at a time. */
import fc from "fast-check";
import { decide, transients, transientShares, type AccessRequest, type Direction } from "../../src/access/access";
import type { PlannedObject, Values } from "../../src/impact/model";
import { aclVersions } from "../../src/impact/network-acl/versions";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { aclChanges } from "../../src/impact/transient/acl-change";
import { aclTransition } from "../../src/impact/transient/acl-transition";
import { openFindings } from "../../src/impact/transient/open";
import { requestFindings } from "../../src/impact/transient/lockout";

const signal = fc.constantFrom<Values>(
  { geo_country_codes: ["DE"] },
  { geo_country_codes: ["DE", "FR"] },
  { ipv4_cidrs: ["10.0.0.0/8"] },
  { ipv4_cidrs: ["10.1.0.0/16"] },
  { user_agents: ["bot"] },
  { geo_country_codes: ["FR"], ipv4_cidrs: ["10.0.0.0/8"] },
);
/** Whether several signals of not_match exclude together is not documented. */
const single = signal.filter((criteria) => Object.keys(criteria).length === 1);
const rule = fc
  .record({
    action: fc.constantFrom<Values>({ block: true }, { block: true }, { allow: true }, { log: true }),
    criteria: fc.oneof(
      fc.constant<Values>({ match_all: true }),
      signal.map((match): Values => ({ match })),
      single.map((not_match): Values => ({ not_match })),
    ),
    scope: fc.constantFrom("tenant", "management"),
  })
  .map(({ action, criteria, scope }): Values => ({ action, ...criteria, scope }));
const version = fc.record({
  priority: fc.integer({ min: 1, max: 8 }),
  rule,
  active: fc.constantFrom(true, true, true, false),
});
const how = fc.constantFrom(
  "create",
  "update",
  "update",
  "delete",
  "keep",
  "delete, then create",
  "create, then delete",
);
/** Whether the resource depends on the one before it. */
const object = fc.record({
  before: version,
  after: fc.option(version),
  how,
  depends: fc.integer({ max: 3 }).map((n) => n === 0),
});
type Drawn = typeof object extends fc.Arbitrary<infer One> ? One : never;

const objects = fc.array(object, { minLength: 2, maxLength: 4 });

const actions: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  update: ["update"],
  delete: ["delete"],
  keep: ["no-op"],
  "delete, then create": ["delete", "create"],
  "create, then delete": ["create", "delete"],
};

function plannedFrom({ before, after, how: does }: Drawn, index: number, type: string): PlannedObject {
  const values = (one: object): Values => ({ description: `ACL ${index}`, ...one });
  const now = does === "keep" ? before : (after ?? before);
  return {
    address: `${type}.a${index}`,
    type,
    actions: actions[does]!,
    ...(does !== "create" && { before: { ...values(before), id: `acl_${index}` } }),
    ...(does !== "delete" && { after: { ...values(now), ...(!does.includes("create") && { id: `acl_${index}` }) } }),
  };
}

interface Write {
  readonly index: number;
  readonly kind: "make" | "remove";
  /** The ACL before and after the write. */
  readonly old?: PlannedAcl;
  readonly now?: PlannedAcl;
}

const isUnique = (acls: readonly PlannedAcl[]) => new Set(acls.map(({ priority }) => priority)).size === acls.length;

/** All states that the writes reach, in every order that Terraform may choose. A write to a taken priority fails. */
function statesOf(
  drawn: readonly Drawn[],
  before: readonly PlannedAcl[],
  after: readonly PlannedAcl[],
): PlannedAcl[][] {
  const at = (acls: readonly PlannedAcl[], index: number) =>
    acls.find(({ description }) => description === `ACL ${index}`);
  const writes = drawn.flatMap((one, index): Write[][] => {
    const [old, now] = [at(before, index), at(after, index)];
    const make = { index, kind: "make", ...(now && { now }) } as const;
    const remove = { index, kind: "remove", ...(old && { old }) } as const;
    if (one.how === "keep") return [];
    if (one.how === "update") return [[{ ...make, ...(old && { old }) }]];
    if (one.how === "create") return [[make]];
    if (one.how === "delete") return [[remove]];
    return [one.how === "delete, then create" ? [remove, make] : [make, remove]];
  });
  const states = new Map<string, PlannedAcl[]>();
  const seen = new Set<string>();
  const isDependent = (one: number, other: number) => one === other + 1 && drawn[one]!.depends;
  const visit = (acls: PlannedAcl[], left: readonly (readonly Write[])[]) => {
    const numbers = (some: readonly PlannedAcl[]) => some.map((acl) => [...before, ...after].indexOf(acl)).toSorted();
    const key = JSON.stringify([numbers(acls), left.map((one) => one.length)]);
    if (seen.has(key)) return;
    seen.add(key);
    states.set(numbers(acls).join(), acls);
    left.forEach((own, position) => {
      const [write, ...rest] = own;
      if (!write || !mayCome(write, left.flat())) return;
      const then = [...acls.filter((acl) => acl !== write.old), ...(write.now ? [write.now] : [])];
      if (isUnique(then)) visit(then, left.with(position, rest));
    });
  };
  const reaches = (one: number, other: number): boolean =>
    isDependent(one, other) || (one > other && isDependent(one, one - 1) && reaches(one - 1, other));
  const mayCome = (write: Write, left: readonly Write[]) =>
    left.every(({ index, kind }) => {
      if (write.kind === "make") return kind !== "make" || !reaches(write.index, index);
      if (!reaches(index, write.index)) return true;
      return kind === "make" && drawn[write.index]!.how === "delete, then create" ? !hasRemoval(index, left) : false;
    });
  const hasRemoval = (index: number, left: readonly Write[]) =>
    left.some((write) => write.index === index && write.kind === "remove");
  visit([...before], writes);
  return [...states.values()];
}

const facts = ["10.1.2.3", "10.2.0.1", "192.0.2.1", "2001:db8::1"].flatMap((ip) =>
  ["DE", "FR", "US"].flatMap((country) =>
    ["bot", undefined].map((user_agent) => ({ ip, connecting_ip: ip, country, user_agent })),
  ),
);
const requests = (["management", "authentication"] as const).flatMap((api) =>
  facts.map(({ user_agent, ...rest }): AccessRequest => ({
    api,
    ...rest,
    ...(user_agent !== undefined && { user_agent }),
  })),
);

const given = new Map<string, string>();
const isDenied = (acls: readonly PlannedAcl[], request: AccessRequest) => decide(acls, request, given).denied === "yes";

/** Priorities are unique before and after, and no ACLs wait for each other in a circle. */
function isUsual(
  before: readonly PlannedAcl[],
  after: readonly PlannedAcl[],
  states: readonly PlannedAcl[][],
): boolean {
  const isEnd = (acls: readonly PlannedAcl[]) =>
    acls.length === after.length && after.every((acl) => acls.includes(acl));
  return isUnique(before) && isUnique(after) && states.some(isEnd);
}

test.each(["tenant_network_acl", "auth0_network_acl"])(
  "finds what any order of the writes of %s does for a moment",
  (type) => {
    const counts = { usual: 0, opens: 0, closes: 0 };
    fc.assert(
      fc.property(objects, (drawn) => {
        const all = drawn.map((one, index) => plannedFrom(one, index, type));
        const versions = aclVersions([all]);
        const states = statesOf(drawn, versions.before, versions.after);
        if (!isUsual(versions.before, versions.after, states)) return;
        counts.usual++;
        const numberOf = (change: { before?: PlannedAcl; after?: PlannedAcl }) =>
          Number((change.after ?? change.before)!.description.slice(4));
        const chain = (one: number, other: number): boolean =>
          one > other && drawn[one]!.depends && (one - 1 === other || chain(one - 1, other));
        const transition = aclTransition(versions, aclChanges(versions, all), (one, other) =>
          chain(numberOf(one), numberOf(other)),
        )!;
        for (const direction of ["opens", "closes"] as const) {
          const isWanted = (acls: readonly PlannedAcl[], request: AccessRequest) =>
            isDenied(acls, request) === (direction === "closes");
          const isBase = (request: AccessRequest) =>
            !isWanted(versions.before, request) && !isWanted(versions.after, request);
          const expected = requests.filter(
            (request) => isBase(request) && states.some((acls) => isWanted(acls, request)),
          );
          if (expected.length > 0) counts[direction]++;
          const { found, complete } = transients(transition, direction);
          expect(complete).toBe(true);
          expect(found.length > 0).toBe(expected.length > 0);
          for (const { request, stages } of found) {
            const acls = [...transition.unchanged, ...stages.flatMap((stage) => stage.acls)];
            expect([isBase(request), isWanted(acls, request)]).toEqual([true, true]);
          }
          expectShares(
            transition,
            direction,
            expected.filter(({ user_agent }) => user_agent === undefined),
          );
          expectFindings(transition, direction, expected, isBase);
        }
      }),
      { numRuns: Number(process.env["TRANSIENT_RUNS"] ?? 700), seed: 1 },
    );
    expect(counts.usual).toBeGreaterThan(80);
    expect(counts.opens).toBeGreaterThan(5);
    expect(counts.closes).toBeGreaterThan(5);
  },
);

type Transition = NonNullable<ReturnType<typeof aclTransition>>;

/** The counted countries are those of the requests without a user agent. */
function expectShares(transition: Transition, direction: Direction, expected: readonly AccessRequest[]): void {
  const shares = transientShares(transition, direction, ["management", "authentication"]);
  for (const api of ["management", "authentication"] as const) {
    const own = shares.find((share) => share.api === api);
    const counted = ["DE", "FR", "US"].filter((country) => own?.found?.extent.countries.includes(country));
    const countries = new Set(expected.filter((request) => request.api === api).map(({ country }) => country!));
    expect(counted).toEqual([...countries].toSorted());
  }
}

function expectFindings(
  transition: Transition,
  direction: Direction,
  expected: readonly AccessRequest[],
  isBase: (request: AccessRequest) => boolean,
): void {
  if (direction === "opens") {
    expect(openFindings(transition, new Set()).length).toBe(expected.length > 0 ? 1 : 0);
    return;
  }
  const none = { managed: [], signature_key: "", asn: 1, subdivision: "", ja3: "", ja4: "", hostname: "x.example" };
  for (const request of requests.filter(isBase)) {
    const { api, user_agent = "", ...rest } = request;
    const path = api === "management" ? "/api/v2/" : "/authorize";
    const named = { called: "CI", path, facts: { ...none, ...rest, user_agent } };
    const found = requestFindings([named], transition, {
      countries: ["DE", "FR", "US"],
      userAgents: [],
      asksToken: false,
    });
    expect(found.length > 0).toBe(expected.includes(request));
  }
}
