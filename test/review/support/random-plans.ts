/** Random plans as Terraform and OpenTofu write them: all kinds of both providers, and everything that a valid plan can have. */
import type { Marks, Values } from "../../../src/judge/impact/model";
import fc from "../../support/random";

const nothing = fc.constant(null);
const orNull = <T>(one: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: one }, { weight: 1, arbitrary: nothing });
const flag = fc.boolean();

const some = <T>(...all: T[]) => fc.subarray(all, { minLength: 1 });
const criteria = fc.record(
  {
    ipv4_cidrs: some("198.51.100.0/24", "203.0.113.7/32", "0.0.0.0/0"),
    ipv6_cidrs: some("2001:db8::/32", "::/0"),
    connecting_ipv4_cidrs: some("192.0.2.0/24"),
    geo_country_codes: some("DE", "KP", "UK"),
    geo_subdivision_codes: some("DE-BY"),
    asns: some(7, 64500),
    user_agents: some("curl/8.0", ""),
    hostnames: some("acme.eu.auth0.com"),
    ja3_fingerprints: some("cd08e31494f9531f560d64c695473da9"),
    auth0_managed: some("auth0.icloud_relay_proxy"),
    http_message_signatures: some({ key: "partner" }),
  },
  { requiredKeys: [] },
);

const away = { redirect: true, redirect_uri: "https://example.com/" };
const action = fc.constantFrom<Values>({ block: true }, { allow: true }, { log: true }, away);
const scope = fc.constantFrom("tenant", "authentication", "management", "dynamic_client_registration");
const rule = fc.record(
  { action, match: orNull(criteria), not_match: orNull(criteria), match_all: orNull(flag), scope },
  { requiredKeys: ["action", "scope"] },
);

/** The Go provider has blocks as lists. */
const listed = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const inList = (part: unknown) => (part === null ? [] : [listed(part)]);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, /^action$|match$/.test(name) ? inList(part) : part]),
  );
};

const id = (prefix: string) => fc.constantFrom("1", "2").map((end) => `${prefix}_${end}`);
const user = fc.constantFrom("auth0|ada", "auth0|bob", "samlp|corp|eve");

const acl = fc.record({
  id: id("acl"),
  description: fc.constantFrom("Office", "::error::x\n", ""),
  active: flag,
  priority: fc.integer({ min: 1, max: 5 }),
  rule,
});
const rate = fc.record(
  { action: fc.constantFrom("block", "allow", "log", "redirect"), limit: orNull(fc.integer({ min: 0, max: 100 })) },
  { requiredKeys: ["action"] },
);
const policy = fc.record({
  id: id("rlp"),
  resource: fc.constant("oauth_authentication_api"),
  consumer: fc.constant("client"),
  consumer_selector: fc.constantFrom("default", "client_id:abc", "third_party_clients"),
  configuration: rate,
});
const key = fc.record({
  id: id("key"),
  name: fc.constantFrom("partner", "other"),
  alg: fc.constantFrom("ed25519", "hmac-sha256"),
  fingerprint: fc.constantFrom("a", "b"),
});
const users = fc.uniqueArray(user);

const values: Readonly<Record<string, fc.Arbitrary<Values>>> = {
  tenant_network_acl: acl,
  auth0_network_acl: acl.map((one) => ({ ...one, rule: [listed(one.rule)] })),
  tenant_rate_limit_policy: policy,
  auth0_rate_limit_policy: policy.map((one) => ({ ...one, configuration: [one.configuration] })),
  tenant_network_acl_key: key,
  auth0_network_acl_key: key,
  tenant_organization_member_set: fc.record(
    {
      organization_id: id("org"),
      members: orNull(users),
      members_with_notes: orNull(fc.constant({ "auth0|ada": "on call" })),
      exclusive: flag,
      on_destroy: fc.constantFrom("remove", "keep"),
    },
    { requiredKeys: ["organization_id"] },
  ),
  auth0_organization_members: fc.record({ id: id("org"), organization_id: id("org"), members: users }),
  auth0_organization_member: fc.record({ id: id("org"), organization_id: id("org"), user_id: user }),
  tenant_expectations: fc.constant({ id: "x" }),
  terraform_data: fc.constant({ input: 1 }),
};

/** Marks of some parts of a value, and the value without them, as Terraform shows unknown parts. `dice`: 0 marks a part. */
function split(value: unknown, dice: () => number): { readonly marks: Marks; readonly rest: unknown } {
  if (typeof value !== "object" || value === null) return { marks: false, rest: value };
  const parts = Object.entries(value).map(([name, part]) => {
    const isMarked = dice() === 0;
    return { name, isMarked, ...(isMarked ? { marks: true, rest: null } : split(part, dice)) };
  });
  if (Array.isArray(value)) return { marks: parts.map(({ marks }) => marks), rest: parts.map(({ rest }) => rest) };
  return {
    marks: Object.fromEntries(parts.filter(({ marks }) => marks !== false).map(({ name, marks }) => [name, marks])),
    rest: Object.fromEntries(parts.filter(({ isMarked }) => !isMarked).map(({ name, rest }) => [name, rest])),
  };
}

const rarely = <T>(one: fc.Arbitrary<T>) => fc.option(one, { freq: 4, nil: undefined });

const actions = "no-op create update delete delete,create create,delete forget create,forget".split(" ");

const change = (index: number): fc.Arbitrary<Values> =>
  fc.constantFrom(...Object.keys(values)).chain((type) =>
    fc
      .record({
        did: fc.constantFrom(...actions),
        before: values[type]!,
        changed: values[type]!,
        isMerged: flag,
        dice: fc.infiniteStream(fc.nat({ max: 5 })),
        hasUnknown: flag,
        hasSecrets: flag,
        at: rarely(fc.constantFrom("[0]", '["a.b"]')),
        module: rarely(fc.constantFrom("module.edge.", 'module.edge["x"].')),
        deposed: rarely(fc.constant("abcd1234")),
        importing: rarely(fc.constantFrom<Values>({ id: "acl_1" }, { identity: { id: "acl_1" } }, {})),
        moved: rarely(fc.constant(`${type}.once${index}`)),
      })
      .map(({ did, before, changed, isMerged, dice, hasUnknown, hasSecrets, at = "", module = "", ...marked }) => {
        const hasBefore = did !== "create";
        const hasAfter = /create|update|no-op/.test(did);
        const own = isMerged ? { ...before, ...changed, id: before["id"] } : changed;
        const planned = did === "no-op" ? before : own;
        const parts = () => split(planned, () => dice.next().value ?? 1);
        const whole = { marks: {}, rest: planned };
        const unknown = hasUnknown && hasAfter && did !== "no-op" ? parts() : whole;
        const secrets = hasSecrets ? parts().marks : {};
        const { deposed, moved, importing } = marked;
        return {
          address: `${module}${type}.n${index}${at}`,
          mode: "managed",
          type,
          name: `n${index}`,
          provider_name: `registry.terraform.io/x/${type.split("_")[0]}`,
          ...(!hasAfter && deposed && { deposed }),
          ...(hasBefore && hasAfter && moved && { previous_address: moved }),
          change: {
            actions: did.split(","),
            before: hasBefore ? before : null,
            after: hasAfter ? unknown.rest : null,
            after_unknown: hasAfter ? unknown.marks : false,
            before_sensitive: hasBefore ? secrets : false,
            after_sensitive: hasAfter ? secrets : false,
            ...(hasBefore && hasAfter && importing && { importing }),
          },
        };
      }),
  );

const text = (constant_value: unknown) => ({ constant_value });
const provider = fc.record(
  {
    domain: fc.constantFrom<Values>(text("acme.eu.auth0.com"), { references: ["var.domain"] }, text("${local.x}")),
    endpoint: fc.constantFrom<Values>(text(null), text("https://other.example")),
    environment_prefix: fc.constantFrom<Values>(text("ACME"), { references: ["each.key"] }, text(null)),
    lockout_guard: fc.constantFrom<Values>(text("off"), { references: ["var.x"] }),
    protected_request: fc.constantFrom<unknown>([{ ip: text("203.0.113.7") }], {
      path: text("/authorize"),
      country: { references: ["var.domain", "local.y"] },
    }),
    expectation: fc.constantFrom<unknown>([
      { name: text("a"), request: [{ country: text("KP"), outcome: text("blocked") }] },
    ]),
  },
  { requiredKeys: [] },
);

const keys = ["tenant", "tenant.b", "auth0", "module.edge:tenant"];

/** The text of a plan. */
export const randomPlan: fc.Arbitrary<string> = fc
  .record({
    changes: fc.nat({ max: 5 }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => change(at)))),
    drift: fc.array(fc.nat({ max: 9 }).chain(change), { maxLength: 2 }),
    gone: fc.array(fc.integer({ min: 10, max: 19 }).chain(change), { maxLength: 2 }),
    providers: fc.dictionary(fc.constantFrom(...keys), provider, { maxKeys: 3 }),
    homes: fc.array(fc.constantFrom("tenant", "tenant.b", "auth0"), { minLength: 6, maxLength: 6 }),
    data: fc.array(acl, { maxLength: 2 }),
    variables: fc.constantFrom<Values>({}, { domain: { value: "acme.eu.auth0.com" } }),
    outcome: fc.constantFrom<Values>({ complete: true }, { complete: false }, { errored: true, complete: false }, {}),
    outputs: rarely(fc.constant({ x: { sensitive: true } })),
  })
  .map(({ changes, drift, gone, providers, homes, data, variables, outcome, outputs }) => {
    const inState = [...changes, ...gone].filter((one) => (one["change"] as Values)["before"] !== null);
    const resources = inState.map(({ address, type, deposed, change: own }) => ({
      address,
      mode: "managed",
      type,
      values: (own as Values)["before"],
      sensitive_values: {},
      ...(deposed !== undefined && { deposed_key: deposed }),
    }));
    const read = { address: "data.tenant_network_acls.all", mode: "data", type: "tenant_network_acls" };
    const declared = changes.map(({ type, name }, index) => ({
      address: `${String(type)}.${String(name)}`,
      provider_config_key: homes[index],
    }));
    return JSON.stringify({
      format_version: "1.2",
      terraform_version: "1.14.0",
      ...outcome,
      planned_values: {},
      ...(outputs && { output_changes: outputs }),
      variables,
      resource_changes: changes,
      resource_drift: drift.filter((one) => (one["change"] as Values)["before"] !== null),
      prior_state: {
        format_version: "1.0",
        values: { root_module: { resources: [...resources, { ...read, values: { network_acls: data } }] } },
      },
      configuration: {
        provider_config: Object.fromEntries(
          Object.entries(providers).map(([name, expressions]) => {
            const [local] = name.split(":").at(-1)!.split(".");
            const module = name.includes(":") ? { module_address: "module.edge" } : {};
            return [name, { name: local, full_name: `registry.terraform.io/x/${local}`, ...module, expressions }];
          }),
        ),
        root_module: { resources: declared },
      },
    });
  });
