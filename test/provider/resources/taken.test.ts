/** A plan refuses a value that an unmanaged object of the tenant has, and adopts an identical object; errors of the tenant in words. */
import type { Titled } from "../../../src/judge/codes/codes";
import { networkAcl } from "../../../src/judge/kinds/network-acl";
import { createOrAdopt, importCommandOf } from "../../../src/provider/resources/claim";
import { explain } from "../../../src/provider/resources/explain";
import { Conflict } from "../../../src/tenant/conflict";
import { TenantError, type TenantErrorCode } from "../../../src/tenant/error";
import { keepSecret } from "../../../src/tenant/secrets";
import { eachTest } from "../../support/each-test";
import { acl as aclBlock } from "../../support/hcl";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { openReview, type Planned, type Said } from "./support/reviewing";

const review = eachTest(() => openReview({ flags: ["tenant_acl_hmac_signature"] }));

const words = (said: Said["errors"]) => said.map(({ summary, detail }) => `${summary}: ${detail}`);

const acl = (priority: number, description = `acl ${priority}`) => ({
  description,
  active: true,
  priority,
  rule: { action: { log: true }, match: { asns: [1] }, scope: "tenant" },
});
const unmanagedAcl = (priority: number, description?: string) =>
  review.put("network_acl", acl(priority, description), "ABCDEFGHJKLMNPQRSTUVWXYZ"[priority]!);
const planned = (config: object, prior?: object): Planned => ({ kind: "network_acl", config, ...(prior && { prior }) });

test("refuses a priority that an unmanaged ACL has for a new ACL, and warns for a changed one", async () => {
  const { id } = unmanagedAcl(10, "legacy");
  const free = unmanagedAcl(9);
  const refusal = (subject: string, later = "") => [
    expect.stringContaining(
      `The priority is taken: \`priority\` is 10 for network ACL ${subject}, but network ACL ${id} ("legacy") already has it, and a tenant ` +
        "can have only one network ACL with the same `priority`. Give the planned one another `priority`. If no configuration manages " +
        `${id}, import it: \`terraform import tenant_network_acl.NAME ${id}\`. ${later}[TNF-ACL-SAME-PRIORITY]`,
    ),
  ];
  const created = await review.planAll([planned(acl(10, "wanted"))]);
  expect(words(created.errors)).toEqual(refusal('"wanted"'));
  // Terraform plans an ACL that depends on this one, and that frees the priority, only later.
  const changed = await review.planAll([planned({ ...acl(10), description: "acl 9" }, free), planned(acl(8))]);
  const later =
    "Unless another change of the apply frees the priority, the apply gives the planned one another free priority, and warns. ";
  expect(changed.errors).toEqual([]);
  expect(words(changed.warnings)).toEqual(expect.arrayContaining(refusal(`"acl 9" (${free.id})`, later)));
});

test("refuses it once too if Terraform plans the new ACL before it has read another one", async () => {
  const early = await openReview({}, { phase: "unknown" });
  try {
    const others = [unmanagedAcl(9), unmanagedAcl(10, "legacy")];
    for (const one of others) early.emulator.store.networkAcls.put(one as never);
    const { errors } = await early.planAll([planned(acl(10, "wanted")), planned(acl(9), others[0])], {}, 1);
    expect(words(errors)).toEqual([
      expect.stringMatching(/This is about the whole plan\. `priority` is 10 for network ACL "wanted"/),
    ]);
  } finally {
    await early.close();
  }
});

test("refuses 13 priorities that are taken with one error", async () => {
  const all = Array.from({ length: 13 }, (_, index) => index + 1);
  for (const priority of all) unmanagedAcl(priority);
  const { errors } = await review.planAll(all.map((priority) => planned(acl(priority, "other"))));
  expect(errors).toMatchObject([
    {
      summary: "The priority is taken",
      detail: expect.stringMatching(/^This is about the whole plan\.(\s+- .*){13}\s/),
    },
  ]);
});

test("announces the adoption of an identical ACL", async () => {
  const { id } = unmanagedAcl(10);
  const { errors, warnings } = await review.planAll([planned(acl(10))]);
  expect(errors).toEqual([]);
  expect(words(warnings)).toEqual([
    expect.stringContaining(
      `The tenant already has an identical network ACL, ${id}. The apply adopts it as network ACL "acl 10"`,
    ),
  ]);
});

test("refuses to update an ACL with a part that this version does not know, and warns if it only reads it", async () => {
  const prior = unmanagedAcl(10);
  const match = { asns: [1], new_signal: ["x"] };
  review.emulator.store.networkAcls.put({ ...prior, rule: { ...prior.rule, match } } as never);
  const title = `network ACL ${prior.id} ("acl 10") has a part that this version does not know`;
  const part = 'does not know: `rule.match.new_signal` = ["x"]. Use a newer version of the provider';
  const kept = await review.planAll([planned(acl(10), prior)]);
  expect([words(kept.errors), words(kept.warnings)]).toEqual([[], [expect.stringContaining(`${title}: Terraform`)]]);
  expect(kept.warnings[0]!.detail).toContain(part);
  const changed = await review.planAll([planned({ ...acl(11), description: "acl 10" }, prior)]);
  expect(words(changed.errors)).toEqual([expect.stringContaining(`${title}: The planned update would remove`)]);
  expect(changed.errors[0]!.detail).toContain(part);
});

const policy = (consumer_selector: string, limit = 1) => ({
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector,
  configuration: { action: "block", limit },
});
const unmanagedPolicy = (selector: string, limit?: number) =>
  review.put("rate_limit_policy", policy(selector, limit), selector.at(-1)!);

test.each<[string, number, string | undefined, RegExp]>([
  [
    "a new policy",
    7,
    undefined,
    /`consumer_selector` is "client_id:b" for rate limit policy of "client_id:b", but .*terraform import tenant_rate_limit_policy\.NAME rlp_b+/s,
  ],
  ["a policy that is replaced", 7, "client_id:a", /destroys the replaced rate limit policy first, it cannot make/],
  [
    "a policy whose replacement was interrupted",
    1,
    "client_id:a",
    /It is identical to the planned one, so an interrupted apply probably made it\. .*terraform import tenant_rate_limit_policy\.NAME rlp_b+/s,
  ],
])("refuses applications that have an unmanaged policy, for %s", async (_what, limit, before, message) => {
  unmanagedPolicy("client_id:b", limit);
  const prior = before === undefined ? {} : { prior: unmanagedPolicy(before) };
  const { errors } = await review.planAll([{ kind: "rate_limit_policy", config: policy("client_id:b"), ...prior }]);
  expect(words(errors)).toEqual([expect.stringMatching(message)]);
});

test("refuses no value that another object of the plan gives up, with more objects than parallel calls", async () => {
  const acls = Array.from({ length: 23 }, (_, index) => unmanagedAcl(index + 1));
  const rotated = acls.map((one, index) =>
    planned({ ...acl(((index + 1) % 23) + 1), description: one.description }, one),
  );
  const [a, b] = ["client_id:a", "client_id:b"].map((selector) => unmanagedPolicy(selector));
  const swapped = [
    { kind: "rate_limit_policy", config: policy("client_id:b"), prior: a! },
    { kind: "rate_limit_policy", config: policy("client_id:a"), prior: b! },
  ];
  for (const objects of [rotated, swapped]) expect((await review.planAll(objects)).errors).toEqual([]);
});

describe("lets no other change wait for the one that gives up a value, because that one may depend on it", () => {
  const log: Planned = planned(acl(60));
  const key = (name: string, letter = "A") => ({ name, value: letter.repeat(43) });
  const keyOf = (index: number) =>
    review.put("network_acl_key", { ...key(`k${index}`, "B"), alg: "hmac-sha256" }, "abcdefghij"[index]!);
  const keyed = (one: Omit<Planned, "kind">): Planned => ({ kind: "network_acl_key", ...one });
  test.each<[string, () => readonly [Planned, Omit<Planned, "dependsOn">]]>([
    ["the priority of an ACL", () => [planned(acl(10, "wanted")), planned(acl(11), unmanagedAcl(10))]],
    [
      "the applications of a policy",
      () => [
        { kind: "rate_limit_policy", config: policy("client_id:b", 7) },
        { kind: "rate_limit_policy", config: policy("client_id:c"), prior: unmanagedPolicy("client_id:b") },
      ],
    ],
    ["the name of a key", () => [keyed({ config: key("k0") }), keyed({ config: key("other"), prior: keyOf(0) })]],
    [
      "the place of a key",
      () => {
        const [prior] = Array.from({ length: 10 }, (_, index) => keyOf(index));
        return [keyed({ config: key("eleventh") }), keyed({ prior: prior! })];
      },
    ],
  ])("%s", async (_what, objects) => {
    const [wanted, leaving] = objects();
    const said = await review.planAll([wanted, log, { ...leaving, dependsOn: 1 }]);
    expect(words(said.errors)).toEqual([]);
    expect((await review.planAll([wanted, log])).errors).toHaveLength(1);
  });
});

const conflict = (identical: boolean) => () =>
  Promise.reject(new Conflict("There is one with priority 7", { id: "acl_1" }, identical, { status: 409 }));

test("adopts an identical object with a warning, unless another resource of the apply made it, and refuses a different one", async () => {
  const said: Titled[] = [];
  const context = { warn: (code: Titled) => said.push(code), madeHere: () => false, adopted: () => {} };
  expect(await createOrAdopt(networkAcl, conflict(true), context)).toEqual({ id: "acl_1" });
  expect(said).toEqual([["TNF-ADOPTED", "network ACL"]]);
  const made = createOrAdopt(networkAcl, conflict(true), { ...context, madeHere: ({ id }) => id === "acl_1" });
  await expect(made).rejects.toThrow("Another resource of this configuration");
  await expect(createOrAdopt(networkAcl, conflict(false), context)).rejects.toThrow(
    "terraform import tenant_network_acl.NAME acl_1",
  );
});

test("quotes an id with shell characters in the import command", () => {
  expect(["acl_8mJ2", "$(touch x); 'y'"].map((id) => importCommandOf(networkAcl, id))).toEqual([
    "terraform import tenant_network_acl.NAME acl_8mJ2",
    "terraform import tenant_network_acl.NAME '$(touch x); '\\''y'\\'",
  ]);
});

test("shows the stack trace of a defect without secrets", () => {
  keepSecret("a-secret-of-the-tenant");
  const { code, detail } = explain(new Error("cannot read a-secret-of-the-tenant"));
  expect(code).toBe("TNF-DEFECT");
  expect(detail).toContain("cannot read (sensitive)\n    at ");
  expect(detail).not.toContain("a-secret-of-the-tenant");
});

test.each<[TenantErrorCode, string, string | undefined]>([
  ["not_found", "/organizations/org_1/members", "organization_id"],
  ["conflict", "/organizations/org_1/members", undefined],
  ["conflict", "/network-acls", "priority"],
  ["priority_taken", "/network-acls/acl_1", "priority"],
  ["not_found", "/network-acls/acl_1", undefined],
  ["conflict", "/keys/network-acls", "name"],
  ["conflict", "/rate-limit-policies", "consumer_selector"],
  ["conflict", "/network-acls-of-others", undefined],
])("the attribute that causes %s at %s is %s", (code, path, attribute) => {
  const { path: place } = explain(new TenantError(code, "No.", { method: "POST", path, status: 400 }));
  expect(place).toEqual(attribute === undefined ? undefined : [{ attribute }]);
});

const stack = [1, 2, 3].map((priority) => aclBlock(`a${priority}`, { priority })).join("");

test.each(["management", "authentication"])(
  "reports once that a network ACL with the scope %s blocks Terraform",
  async (scope) => {
    const workspace = await openWorkspace({ enforce: true });
    await workspace.apply(stack);
    workspace.emulator.store.networkAcls.put({
      id: "acl_1111111111111111111111",
      description: "wall",
      active: true,
      priority: 90,
      rule: { action: { block: true }, match: { ipv4_cidrs: ["127.0.0.0/8"] }, scope },
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    for (const command of [["plan"], ["apply", "-auto-approve", "-refresh=false"]]) {
      await workspace.write(stack.replaceAll('= "a', '= "b'));
      const { code, stderr } = await workspace.terraform(...command);
      expect(code).toBe(1);
      // Without a token, the plan fails already. With one, two more objects are not applied.
      const isPlan = command[0] === "plan" || scope === "authentication";
      expect(stderr.match(/Error: /g)).toHaveLength(isPlan ? 1 : 3);
      expect(stderr.match(/Error: A network ACL of the tenant blocks Terraform/g)).toHaveLength(1);
      const text = unwrapped(stderr);
      expect(text).toMatch(
        /Access denied by a network ACL.* Deactivate the ACL in the dashboard \(Security > Access Control\), or run Terraform from/,
      );
      expect(text).not.toMatch(/entitlement|Check the client id/);
    }
  },
);
