/** Reviews plans of real Terraform with deposed, forgotten and drifted objects. */
import { parsePlan } from "../../src/review/input/plan";
import { reviewPlans } from "../../src/review/review";
import { openWorkspace, type Workspace } from "../support/workspace";
import { acl, block, change, plan } from "./support/plan";

const told = (plans: Parameters<typeof reviewPlans>[1]) =>
  reviewPlans("plan", plans)
    .effects.filter(({ code }) => /^TNF-(REPLACED|DESTROYED|FORGOTTEN|DRIFT)$/.test(code))
    .map(({ code, text }) => `${code} ${text}`);

describe("plans of real Terraform", () => {
  let workspace: Workspace;
  beforeAll(async () => void (workspace = await openWorkspace({ flags: ["tenant_acl_hmac_signature"] })));
  afterAll(() => workspace.close());

  const planned = async (hcl: string) => {
    await workspace.write(hcl);
    await workspace.plan();
    return told([parsePlan((await workspace.terraform("show", "-json", "plan")).stdout, "plan")]);
  };

  test("distinguish a deposed key from the key that replaced it", async () => {
    const edge = "tenant_network_acl_key.edge";
    const key = (value: string) => `
      resource "tenant_network_acl_key" "edge" {
        name_prefix = "edge-"
        value       = "${Buffer.alloc(32, value).toString("base64")}"
        lifecycle {
          create_before_destroy = true
        }
      }`;
    await workspace.apply(key("a"));
    const { name: first } = await workspace.state(edge);
    const lift = workspace.emulator.faults.add({ method: "DELETE", path: "/api/v2/keys/network-acls/*", status: 400 });
    await workspace.write(key("b"));
    expect((await workspace.terraform("apply", "-auto-approve")).code).toBe(1);
    lift();
    const { name: second } = await workspace.state(edge);
    const left = expect.stringMatching(
      `^TNF-DESTROYED ${edge} \\(deposed \\w{8}\\) \\(key "${first}"\\) is destroyed: an earlier apply replaced it`,
    );
    expect(await planned(key("b"))).toEqual([left]);
    const replaced = expect.stringMatching(`^TNF-REPLACED ${edge} \\(key "${second}"\\) is rotated`);
    expect(await planned(key("c"))).toEqual([replaced, left]);
    await workspace.destroy();
  });
});

const at = "tenant_network_acl.x";
const mine = acl(1, { action: block, match: { asns: [1] } });
const theirs = { ...mine, description: "by hand" };

test("keeps drift apart from forgotten and deposed objects", () => {
  const resource_drift = [change(at, mine, theirs)];
  const forgotten = plan([change(at, theirs, null, { actions: ["forget"] })], { resource_drift });
  expect(told([forgotten])).toEqual([
    expect.stringMatching(/^TNF-DRIFT .*the plan keeps that change\.$/),
    expect.stringMatching(/^TNF-FORGOTTEN/),
  ]);
  const deposed = { ...change(at, mine, null), deposed: "0123abcd" };
  expect(told([plan([change(at, theirs, mine), deposed], { resource_drift })])).toEqual([
    expect.stringMatching(/^TNF-DRIFT tenant_network_acl\.x was .*the apply undoes that change\.$/),
    expect.stringMatching(/^TNF-DESTROYED tenant_network_acl\.x \(deposed 0123abcd\) is destroyed/),
  ]);
});

test("names Early Access features for each plan that creates or changes such an object", () => {
  const early = (...plans: Parameters<typeof plan>[0][]) =>
    reviewPlans(
      "plans",
      plans.map((changes, index) => ({ ...plan(changes), name: `plan ${index}` })),
    )
      .effects.filter(({ code }) => code === "TNF-EARLY-ACCESS")
      .map(({ plan: name, text }) => `${name}: ${text.replace(/^.*: /, "")}`);
  const listed = (more: object, id: string) => acl(2, { action: block, ...more }, { id });
  const curated = listed({ match: { auth0_managed: ["auth0.tor"] } }, "a");
  const signed = listed({ not_match: { http_message_signature: [{ keys: [{ id: "k" }] }] } }, "b");
  const all = change("tenant_network_acl.c", null, listed({ match_all: true }, "c"));
  expect(
    early([change("tenant_network_acl.a", null, curated), change("auth0_network_acl.b", curated, signed)], [all]),
  ).toEqual(["plan 0: curated lists, HTTP message signatures.", "plan 1: match_all."]);
  const words = listed({ match: { asns: [1], auth0_managed: [], user_agents: ['"auth0_managed":["x"]'] } }, "d");
  expect(early([change("tenant_network_acl.d", null, words)])).toEqual([]);
  expect(early([change("tenant_network_acl.a", curated, curated)])).toEqual([]);
});

test("does not mention Early Access if each provider block confirms it", () => {
  const policy = change("tenant_network_acl.all", null, acl(2, { action: block, match_all: true }));
  const codes = (...values: unknown[]) => {
    const blocks = values.map((value, index) => [
      `tenant.${index}`,
      {
        name: "tenant",
        expressions: value === undefined ? {} : { acknowledge_early_access: { constant_value: value } },
      },
    ]);
    const configuration = { provider_config: Object.fromEntries(blocks), root_module: {} };
    return reviewPlans("plan", [{ ...plan([policy]), configuration }]).effects.map(({ code }) => code);
  };
  expect(codes(true)).not.toContain("TNF-EARLY-ACCESS");
  for (const values of [[], [undefined], [false], [true, undefined]])
    expect(codes(...values)).toContain("TNF-EARLY-ACCESS");
});
