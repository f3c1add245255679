/** Tainted objects stay with create_before_destroy, and the first object of a stack reports an error that all objects share. */
import { grantForm } from "../../support/token";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { acl, memberSet, policy } from "../../support/hcl";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(openWorkspace);
let organization: string;
beforeEach(() => {
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});

const membersOf = () => Array.from(workspace.emulator.store.members(organization)!, ([user]) => user).toSorted();

test("with create_before_destroy, each tainted object stays on the tenant", async () => {
  const rest = "lifecycle {\n create_before_destroy = true\n }";
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

test("reports a wrong secret once for 49 objects, new or existing", async () => {
  await workspace.apply(stack(1));
  workspace.environment.TENANT_CLIENT_SECRET = "wrong";
  await workspace.write(stack(2));
  for (const flags of [[], ["-destroy"]]) {
    const { code, stderr } = await workspace.terraform("plan", ...flags);
    expect([code, stderr.match(/Error: /g)]).toEqual([1, ["Error: "]]);
    expect(stderr).toContain("No token for these credentials");
  }
});
