/** A plan or an apply that finds nothing waits for nothing: no timer, and the fewest requests. */
import { openReview, type Planned } from "./support/reviewing";
import { eachTest } from "../../support/each-test";

const review = eachTest(() => openReview({ flags: ["tenant_acl_hmac_signature"] }, { phase: "unknown" }));

const letters = "123456789ABC";

interface Kind {
  /** Of the list of objects. */
  readonly path: string;
  /** The object with the number, in one of two versions. */
  readonly config: (index: number, version: number) => object;
  /** Puts the object with the number on the tenant. Returns it as the state has it. */
  readonly put: (index: number) => object;
}

/** Destroying an active ACL lets requests in or logs fewer, which is told. */
const acl = (index: number, version: number) => ({
  description: `acl ${index} of ${version}`,
  active: version !== 1,
  priority: index + 1,
  rule: { action: { block: true }, match: { ipv4_cidrs: [`198.51.100.${index}/32`] }, scope: "authentication" },
});
const policy = (index: number, version: number) => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: `client_id:other${index}`,
  configuration: { action: "log", limit: version },
});
const secret = "A".repeat(43);
const key = (index: number, version: number) => ({ name: `key ${index} of ${version}`, value: secret });
const organization = (index: number) => `org_${letters[index]!.repeat(16)}`;
const members = (index: number, version: number) => ({
  organization_id: organization(index),
  members: Array.from({ length: version }, (_, member) => `auth0|${member}`),
  on_destroy: "keep",
});

const kinds: Readonly<Record<string, Kind>> = {
  network_acl: {
    path: "/network-acls",
    config: acl,
    put: (index) => review.put("network_acl", acl(index, 1), letters[index]!),
  },
  rate_limit_policy: {
    path: "/rate-limit-policies",
    config: policy,
    put: (index) => review.put("rate_limit_policy", policy(index, 1), letters[index]!),
  },
  network_acl_key: {
    path: "/keys/network-acls",
    config: key,
    put: (index) => review.put("network_acl_key", { ...key(index, 1), alg: "hmac-sha256" }, letters[index]!),
  },
  organization_member_set: {
    path: "/organizations",
    config: members,
    put(index) {
      review.emulator.store.addOrganization({ id: organization(index), name: `org${index}` } as never);
      return { ...members(index, 1), exclusive: true };
    },
  },
};

const token = "POST /oauth/token";
const unchanged = { keep: [token, "GET LIST"], change: [token, "GET LIST"], destroy: [token, "GET LIST"] };
const named = [...unchanged.destroy, "GET /network-acls"];
/** The requests of a plan, of one object and of nine. New objects need only the token, whose scopes are compared. */
const expected: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  network_acl: { create: [token], ...unchanged },
  rate_limit_policy: { create: [token], ...unchanged },
  // A rule may name the key.
  network_acl_key: { create: [token], keep: unchanged.keep, change: named, destroy: named },
  // Here nothing has read the sets.
  organization_member_set: { keep: [], change: [token], destroy: [token, "GET LIST of each"] },
};

function requests(path: string): string[] {
  const sent = review.emulator.requests.splice(0).map((one) => `${one.method} ${one.path.replace("/api/v2", "")}`);
  const [list, ofEach] = [`GET ${path}`, /^GET \/organizations\/\w+\/members$/];
  const all = sent.map((one) => (one === list ? "GET LIST" : ofEach.test(one) ? "GET LIST of each" : one));
  return all.filter((one, index) => !ofEach.test(sent[index]!) || all.indexOf(one) === index).toSorted();
}

describe.each(Object.entries(kinds))("plans of %s", (kind, { path, config, put }) => {
  // A tenant that is full of keys has no place for a new one, which is told.
  test.each([1, 9])("%i objects set no timer, and send the fewest requests", async (count) => {
    const found: Record<string, readonly string[]> = {};
    const measure = async (what: string, objects: readonly Omit<Planned, "kind">[]) => {
      const planned = objects.map((one) => ({ ...one, kind }));
      const { errors } = await review.planAll(planned, { hide_early_access_warning: true });
      expect([what, errors, review.timers()]).toEqual([what, [], 0]);
      found[what] = requests(path);
    };
    const numbers = Array.from({ length: count }, (_, index) => index);
    const configured = (version: number) => numbers.map((index) => ({ config: config(index, version) }));
    if (expected[kind]!.create) await measure("create", configured(2));
    const stored = numbers.map((index) => ({ prior: put(index) }));
    const both = (version: number) => configured(version).map((one, index) => ({ ...one, ...stored[index] }));
    await measure("keep", both(1));
    await measure("change", both(2));
    await measure("destroy", stored);
    const sorted = Object.entries(expected[kind]!).map(([what, all]) => [what, all.toSorted()]);
    expect(found).toEqual(Object.fromEntries(sorted));
  });
});
