/** Tainted objects stay with create_before_destroy, and the first object of a stack reports an error that all objects share. */
import { grantForm } from "../../support/token";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { acl, createFirst, key, memberSet, policy } from "../../support/hcl";
import { eachTest } from "../../support/each-test";

/** As from a tenant far away: reads overlap. */
const workspace = eachTest(() => openWorkspace({ latency: 200, flags: ["tenant_acl_hmac_signature"] }));
let organization: string;
beforeEach(() => {
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});

const membersOf = () => Array.from(workspace.emulator.store.members(organization)!, ([user]) => user).toSorted();

const rest = createFirst;

test("with create_before_destroy, each tainted object stays on the tenant", async () => {
  await workspace.apply(
    acl("a", { rest }) + memberSet(organization, ["auth0|a"], rest) + policy("p", "default", 5, rest),
  );
  const replaced = ["tenant_network_acl.a", "tenant_rate_limit_policy.p", "tenant_organization_member_set.staff"];
  for (const address of replaced) await workspace.terraform("taint", address);
  await workspace.apply();
  const { network_acls, rate_limit_policies } = workspace.emulator.snapshot();
  expect([network_acls!.length, rate_limit_policies!.length, membersOf()]).toEqual([1, 1, ["auth0|a"]]);
  await workspace.settled();
});

test.each([
  ["tenant_network_acl.a", () => acl("a", { rest })],
  ["tenant_rate_limit_policy.p", () => policy("p", "default", 5, rest)],
  ["tenant_organization_member_set.staff", () => memberSet(organization, ["auth0|a"], `allow_empty = true\n ${rest}`)],
  ["tenant_network_acl_key.k", () => key("k", `value = "${"A".repeat(43)}"`, rest)],
])("a replacement of %s that fails halfway goes on, and its object stays on the tenant", async (address, text) => {
  const user = (command: string) => `resource "terraform_data" "user" {
    depends_on       = [${address}]
    triggers_replace = "${command}"
    provisioner "local-exec" { command = "${command}" }
  }`;
  await workspace.apply(text());
  const tenant = JSON.stringify(workspace.emulator.snapshot());
  await workspace.write(text() + user("false"));
  await interrupt();

  await workspace.apply(text() + user("true"));
  expect(JSON.stringify(workspace.emulator.snapshot())).toBe(tenant);
  await workspace.settled();

  // The remedy of TNF-DUPLICATE, if Terraform plans the deposed object before it has read the other one.
  await workspace.write(text() + user("false"));
  await interrupt();
  const { id } = await workspace.state(address);
  await workspace.terraform("state", "rm", address);
  await workspace.terraform("import", address, id);
  await workspace.apply(text() + user("true"));
  expect(JSON.stringify(workspace.emulator.snapshot())).toBe(tenant);
  await workspace.settled();

  async function interrupt() {
    expect(await workspace.terraform("apply", "-auto-approve", `-replace=${address}`)).toMatchObject({ code: 1 });
  }
});

test("a set that takes the place of another one with fewer members: refused before anything is destroyed", async () => {
  await workspace.apply(memberSet(organization, ["auth0|a", "auth0|b"], "allow_empty = true"));
  await workspace.write(memberSet(organization, ["auth0|a"], "allow_empty = true"));
  const { code, stderr } = await workspace.terraform(
    "apply",
    "-auto-approve",
    "-replace=tenant_organization_member_set.staff",
  );
  expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("apply the change of its members first")]);
  expect(membersOf()).toEqual(["auth0|a", "auth0|b"]);
  expect(await workspace.state("tenant_organization_member_set.staff")).toMatchObject({ id: organization });
});

const stack = (limit: number) =>
  acl("many", { priority: "count.index + 1", match: `asns = [${limit}]`, rest: "count = 24" }) +
  policy("many", "client_id:${count.index}", limit, "count = 25");

test("reports all missing scopes together when 49 objects need them", async () => {
  const lacking = async () => {
    const { code, stderr } = await workspace.terraform("plan");
    expect(code).toBe(1);
    expect(stderr.match(/Error: /g)!.length).toBeLessThanOrEqual(3);
    expect(stderr.split("\n").length).toBeLessThan(80);
    return unwrapped(stderr);
  };
  const { emulator, environment } = workspace;
  const form = { ...grantForm(emulator, `${environment.TENANT_ENDPOINT}/api/v2/`), scope: "read:users" };
  const answer = await fetch(`${environment.TENANT_ENDPOINT}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const { access_token: narrow } = (await answer.json()) as { access_token: string };
  await workspace.apply(stack(1));
  Object.assign(environment, { TENANT_ACCESS_TOKEN: narrow });
  await workspace.write(stack(2));
  expect(await lacking()).toContain("update:network_acls, update:rate_limit_policies are missing");
});
