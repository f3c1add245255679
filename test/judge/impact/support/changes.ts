/** Generates changes of a stack and of the tenant that it manages, the same ones in each run. */
import fc from "../../../support/random";
import { neverMatches, type Rule } from "../../../../src/judge/access/access";
import { unknown } from "../../../../src/formats/cty/value";
import { fingerprintOf } from "../../../../src/provider/resources/network-acl-key/definition";

export type Content = { readonly [name: string]: unknown };
export type Kind = "network_acl" | "network_acl_key" | "rate_limit_policy" | "organization_member_set";

/** One resource of the stack. Without `config` the plan destroys it. */
export interface Resource {
  readonly kind: Kind;
  readonly name: string;
  readonly config?: Content;
  /** The object on the tenant. */
  readonly id?: string;
  readonly before?: Content;
  /** The plan imports the object, so the state does not have it yet. */
  readonly isImported?: boolean;
  /** `-replace` names it. */
  readonly isTainted?: true;
}

export interface Change {
  readonly resources: readonly Resource[];
  /** Objects that the stack does not manage. */
  readonly unmanaged: readonly Pick<Resource, "kind" | "id" | "before">[];
  /** Organization -> its members. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  readonly protectedRequest: readonly Content[];
  /** More of the provider block. */
  readonly settings?: Content;
}

const nothing: Change = { resources: [], unmanaged: [], members: new Map(), protectedRequest: [] };
const idOf = (prefix: string, number: number) => `${prefix}_${"a".repeat(21)}${"bcdefghijkl"[number]}`;

const some = (...values: unknown[]) => fc.subarray(values, { minLength: 1 });
const keyIds = [0, 1].map((number) => idOf("key", number));
const signedBy = (...ids: string[]) => ({ http_message_signature: { keys: ids.map((id) => ({ id })) } });
const countries = some("DE", "FR", "US").map((codes) => ({ geo_country_codes: codes }));
const blocks = some("10.0.0.0/8", "203.0.113.0/24", "198.51.100.7").map((cidrs) => ({ ipv4_cidrs: cidrs }));
const everywhere = fc.constant({ ipv4_cidrs: ["0.0.0.0/0"], ipv6_cidrs: ["::/0"] });
const early = fc.constantFrom<Content>({ auth0_managed: ["auth0.tor"] }, signedBy(keyIds[0]!));
const criteria = fc.oneof(countries, blocks, everywhere, early);
const sides = fc.oneof(
  { weight: 4, arbitrary: criteria.map((match): Content => ({ match })) },
  { weight: 2, arbitrary: criteria.map((not_match): Content => ({ not_match })) },
  { weight: 2, arbitrary: fc.tuple(countries, blocks).map(([match, not_match]): Content => ({ match, not_match })) },
  { weight: 1, arbitrary: fc.constant<Content>({ match_all: true }) },
);
const redirect = { redirect: true, redirect_uri: "https://blocked.example.com/" };
const action = fc.constantFrom<Content>({ block: true }, { block: true }, { allow: true }, { log: true }, redirect);
const scope = fc.constantFrom("tenant", "management", "authentication", "dynamic_client_registration");
/** The definition refuses rules whose own criteria contradict each other. */
const rule = fc
  .tuple(action, sides, scope)
  .map(([does, criterion, on]) => ({ action: does, ...criterion, scope: on }))
  .filter((one) => !neverMatches(one as unknown as Rule));
const activity = fc.constantFrom(true, true, true, false);

const acl = (number: number, priority: number, content: Content): Content => {
  return { description: `acl-${number}`, priority, active: true, ...content };
};
const aclResource = (number: number, rest: Pick<Resource, "before" | "config">): Resource => ({
  kind: "network_acl",
  name: `acl_${number}`,
  ...(rest.before && { id: idOf("acl", number) }),
  ...rest,
});
const unmanagedAcl = (at: number, before: Content) => ({ kind: "network_acl" as const, id: idOf("acl", at), before });

const ci = { name: "ci", ip: "203.0.113.7", country: "DE" };
const requests = fc.constantFrom<readonly Content[]>(
  [],
  [],
  [ci],
  [{ name: "somewhere", ip: "203.0.113.7" }],
  [ci, { name: "login", path: "/login", ip: "198.51.100.7", country: "US" }],
);

const content = fc.record({ rule, active: activity });
const fate = fc.constantFrom("create", "keep", "edit", "edit", "move", "switch", "destroy");

/** Any network ACLs: a priority of 1 to 5 is its own before the change, but perhaps not after. */
const anyAcls = fc
  .tuple(
    fc.array(fc.tuple(fate, content, content, fc.integer({ min: 1, max: 7 })), { minLength: 1, maxLength: 5 }),
    fc.option(fc.tuple(content, fc.integer({ min: 5, max: 7 })), { nil: undefined }),
    requests,
  )
  .map(([acls, other, protectedRequest]): Change => {
    const resources = acls.map(([happens, was, is, priority], index) => {
      const number = index + 1;
      const before = acl(number, number, was);
      const after = {
        create: acl(number, priority, is),
        keep: before,
        edit: acl(number, number, is),
        move: acl(number, priority, was),
        switch: { ...before, active: !was.active },
        destroy: undefined,
      }[happens];
      return aclResource(number, { ...(happens !== "create" && { before }), ...(after && { config: after }) });
    });
    const unmanaged = other ? [unmanagedAcl(9, acl(9, other[1] <= acls.length ? 8 : other[1], other[0]))] : [];
    return { ...nothing, resources, unmanaged, protectedRequest };
  });

const limit = fc.constantFrom<Content>(
  { action: "block", limit: 0 },
  { action: "block", limit: 10 },
  { action: "block", limit: 50 },
  { action: "log", limit: 10 },
  { action: "allow" },
  { action: "redirect", limit: 10, redirect_uri: "https://slow.example.com/a" },
  { action: "redirect", limit: 50, redirect_uri: "https://slow.example.com/b" },
);
const selectors = ["default", "third_party_clients", "client_id:abc"];

const limits = fc
  .array(fc.tuple(fc.constantFrom("create", "edit", "edit", "edit", "edit", "destroy", "reassign"), limit, limit), {
    minLength: 1,
    maxLength: 3,
  })
  .map((policies): Change => {
    const resources = policies.map(([happens, was, is], index): Resource => {
      const policy = (configuration: Content, selector = selectors[index]) => ({
        consumer_selector: selector,
        configuration,
      });
      const config = {
        create: policy(is),
        edit: policy(is),
        destroy: undefined,
        reassign: policy(is, `client_id:other-${index}`),
      }[happens];
      return {
        kind: "rate_limit_policy",
        name: `policy_${index}`,
        ...(happens !== "create" && { id: idOf("rlp", index), before: policy(was) }),
        ...(config && { config }),
      };
    });
    return { ...nothing, resources };
  });

const organization = (number: number) => idOf("org", number);
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `auth0|${String(index + from).padStart(4, "0")}`);

const memberSets = fc
  .record({
    happens: fc.constantFrom("create", "edit", "edit", "edit", "become exclusive", "destroy", "move"),
    of: fc.constantFrom(1, 4, 12, 60),
    others: fc.constantFrom(0, 3),
    leaving: fc.constantFrom(0, 1, 3, 11, 11, 60),
    joining: fc.constantFrom(0, 2),
    settings: fc.constantFrom<Content>({}, {}, { exclusive: false }, { allow_empty: true }, { max_removals: 2 }),
    adopts: fc.boolean(),
    ends: fc.constantFrom("remove", "remove", "keep"),
    isOpen: fc.constantFrom(false, false, false, true),
  })
  .map(({ happens, of, others, leaving, joining, settings, adopts, ends, isOpen }): Change => {
    const isShared = settings["exclusive"] === false || happens === "become exclusive" || happens === "create";
    const listed = people(of);
    const members = [...listed.slice(leaving), ...people(joining, 500)];
    const set = (ids: unknown, rest: Content = settings) => ({
      organization_id: organization(0),
      members: ids,
      exclusive: true,
      remove_existing: adopts,
      on_destroy: ends,
      ...rest,
    });
    const after = set(isOpen ? unknown : members);
    const changes: Record<typeof happens, Pick<Resource, "before" | "config">> = {
      create: { config: after },
      edit: { before: set(listed), config: after },
      "become exclusive": { before: set(listed, { ...settings, exclusive: false }), config: after },
      destroy: { before: set(listed) },
      move: { before: set(listed), config: { ...after, organization_id: organization(1) } },
    };
    const resource: Resource = {
      kind: "organization_member_set",
      name: "staff",
      ...changes[happens],
      ...(happens !== "create" && { id: organization(0) }),
    };
    return {
      ...nothing,
      resources: [resource],
      members: new Map([
        [organization(0), [...listed, ...(isShared ? people(others, 900) : [])]],
        [organization(1), []],
      ]),
    };
  });

const key = (number: number): Content => ({ name: `edge-${number}`, alg: "hmac-sha256", value: materials[number]! });
const materials = ["MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=", "dnV0c3JxcG9ubWxramloZ2ZlZGNiYTk4NzY1NDMyMTA="];

/** Destroys or replaces keys that rules name. */
const keys = fc
  .record({
    going: fc.subarray([0, 1], { minLength: 1 }),
    named: fc.subarray([0, 1], { minLength: 1 }),
    after: fc.constantFrom("kept", "freed", "destroyed", "created"),
    active: activity,
    isManaged: activity,
  })
  .map(({ going, named, after, active, isManaged }): Change => {
    const ruled = (match: Content) =>
      acl(1, 1, { active, rule: { action: { block: true }, match, scope: "authentication" } });
    const before = ruled(signedBy(...named.map((number) => keyIds[number]!)));
    const byCase = {
      kept: { before, config: before },
      freed: { before, config: ruled({ geo_country_codes: ["FR"] }) },
      destroyed: { before },
      created: { config: before },
    };
    return {
      ...nothing,
      resources: [
        ...[0, 1].map((number): Resource => ({
          kind: "network_acl_key",
          name: `key_${number}`,
          id: keyIds[number]!,
          before: key(number),
          ...(!going.includes(number) && { config: key(number) }),
        })),
        ...(isManaged ? [aclResource(1, byCase[after])] : []),
      ],
      unmanaged: isManaged ? [] : [unmanagedAcl(1, before)],
    };
  });

/** Two resources for one object. */
const duplicates = fc
  .record({
    kind: fc.constantFrom<Kind>("network_acl", "network_acl", "rate_limit_policy", "organization_member_set"),
    imports: fc.constantFrom(0, 1, 2, 2),
    was: content,
    is: content,
    ends: fc.constantFrom("kept", "kept", "destroyed", "both destroyed"),
    isShared: fc.boolean(),
  })
  .map(({ kind, imports, was, is, ends, isShared }): Change => {
    const contents = {
      network_acl: { id: idOf("acl", 1), before: acl(1, 1, was), other: acl(2, 2, is) },
      network_acl_key: { id: keyIds[0]!, before: key(0), other: key(0) },
      rate_limit_policy: {
        id: idOf("rlp", 1),
        before: { consumer_selector: "default", configuration: { action: "block", limit: 10 } },
        other: { consumer_selector: "default", configuration: { action: "block", limit: 5 } },
      },
      organization_member_set: {
        id: organization(0),
        before: { organization_id: organization(0), members: people(4), exclusive: !isShared, ...setDefaults },
        other: { organization_id: organization(0), members: people(3), exclusive: !isShared, ...setDefaults },
      },
    }[kind];
    const { id, before, other } = contents;
    const resource = (number: number, config: Content): Resource => {
      const goes = imports === 0 && (ends === "both destroyed" || (ends === "destroyed" && number === 2));
      return { kind, name: `one_${number}`, id, before, isImported: number > 2 - imports, ...(!goes && { config }) };
    };
    return {
      ...nothing,
      resources: [resource(1, before), resource(2, other)],
      members: new Map([[organization(0), people(4)]]),
    };
  });
const setDefaults = { remove_existing: false, on_destroy: "remove" };

const shapes: readonly [number, fc.Arbitrary<Change>][] = [
  [106, anyAcls],
  [24, limits],
  [34, memberSets],
  [18, keys],
  [18, duplicates],
];

/** 200 changes. */
export function generatedChanges(): Change[] {
  return shapes.flatMap(([numRuns, shape]) => fc.sample(shape, { seed: 200, numRuns }));
}

/** The object as the tenant has it. */
export function storedIn({ kind, id, before }: Pick<Resource, "kind" | "id" | "before">): Content {
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const own = kind === "network_acl_key" ? { fingerprint: fingerprintOf(before!["value"] as string) } : {};
  const defaults = kind === "rate_limit_policy" ? { resource: "oauth_authentication_api", consumer: "client" } : {};
  return { id, ...defaults, ...before, ...own, ...times };
}
