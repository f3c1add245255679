/** Plans of real Terraform are refused if they break an expectation, and warn if the apply must decide. */
import { openWorkspace, unwrapped, type Workspace } from "../../support/workspace";
import {
  acl,
  expectation,
  expecting,
  members,
  partner,
  policy,
  providing,
  sanctions,
  wall,
} from "./support/configuration";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});
afterEach(() => workspace.close());

async function plan(...args: string[]): Promise<{ code: number; errors: string; output: string }> {
  const { code, stdout, stderr } = await workspace.terraform("plan", ...args);
  return { code: code!, errors: unwrapped(stderr), output: unwrapped(stdout) };
}

const held = expecting("sanctions", sanctions);

test("says nothing about an expectation that holds", async () => {
  await workspace.apply(held + wall());
  await workspace.write(held + wall(30));
  const { code, output } = await plan();
  expect([code, output.includes("Expectation")]).toEqual([0, false]);
});

test("is refused at the ACL that breaks an expectation, with an example, and writes nothing", async () => {
  await workspace.apply(held + wall());
  await workspace.write(held + wall() + partner() + acl("log", { action: "log", priority: 11, match: "asns = [1]" }));
  workspace.served();
  const { code, errors } = await plan();
  expect(code).toBe(1);
  expect(errors).toMatch(/Error: Expectation "sanctions" is broken with tenant_network_acl\.partner, on main\.tf/);
  expect(errors).toMatch(
    /A request to sign-in from 203\.0\.113\.\d+, country (KP|IR), is allowed by ACL "partner" with priority 10\. It should be blocked\./,
  );
  expect(errors).toContain("[TNF-EXPECTATION-BROKEN]");
  expect(errors.match(/Error: /g)).toHaveLength(1);
  expect(workspace.served()).toEqual(["GET /api/v2/network-acls"]);
  const applied = await workspace.terraform("apply", "-auto-approve");
  expect([applied.code, unwrapped(applied.stderr)]).toEqual([1, expect.stringContaining('"sanctions" is broken')]);
  expect(workspace.served().filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("warns once if the tenant breaks a new expectation, and nothing else changes", async () => {
  const organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  const objects = wall() + partner() + policy(60) + members(organization, ["auth0|ada"]);
  await workspace.apply(providing() + objects);
  const third = 'policy {\n consumer = "third_party_clients"\n at_most = 50\n }';
  const staff = `members {\n organization_id = "${organization}"\n at_least = 2\n }`;
  const all = [
    ["sanctions", sanctions],
    ["third", third],
    ["staff", staff],
  ] as const;
  await workspace.write(providing(...all.map(([name, body]) => expectation(name, body))) + objects);
  const { code, output } = await plan();
  expect([code, output]).toEqual([0, expect.stringContaining("No changes.")]);
  for (const [name] of all) {
    expect(output.match(new RegExp(`Warning: Expectation "${name}" was broken before `, "g"))).toHaveLength(1);
  }
  await workspace.write(
    providing(...all.map(([name, body]) => expectation(name, body))) +
      wall(5) +
      partner() +
      policy(50) +
      members(organization, ["auth0|ada", "auth0|bob"]),
  );
  expect(await plan()).toMatchObject({ code: 0, output: expect.not.stringContaining("was broken before") as string });
});

test("is refused if it removes or deactivates the ACL that an expectation needs", async () => {
  await workspace.apply(held + wall());
  await workspace.write(held);
  for (const args of [[], ["-destroy"]]) {
    const { code, errors } = await plan(...args);
    expect([code, errors]).toEqual([1, expect.stringContaining("because no ACL matches")]);
  }
  await workspace.write(held + wall(20, "active = false"));
  expect(await plan()).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/"sanctions" is broken with tenant_network_acl\.wall/) as string,
  });
});

test("warns if the severity is warning", async () => {
  const warned = expecting("sanctions", `${sanctions}\n severity = "warning"`);
  await workspace.apply(warned + wall());
  await workspace.write(warned + wall() + partner());
  const { code, output } = await plan();
  expect(code).toBe(0);
  expect(output).toMatch(/Warning: Expectation "sanctions" is broken .*so this plan is not refused/);
  await workspace.apply();
});

test("warns about an expectation that was broken before and gets no worse", async () => {
  await workspace.apply(partner() + wall());
  await workspace.write(held + partner() + wall(30));
  const { code, output } = await plan();
  expect(code).toBe(0);
  expect(output).toMatch(/Warning: Expectation "sanctions" was broken before .*the plan makes it no worse/);
  await workspace.write(held + partner(10, '"203.0.113.0/24", "192.0.2.0/24"') + wall());
  expect(await plan()).toMatchObject({ code: 1, errors: expect.stringContaining('"sanctions" is broken') as string });
});

test("warns if a value is known only after the apply", async () => {
  const source = 'resource "terraform_data" "net" {\n input = "203.0.113.0/24"\n}\n';
  await workspace.apply(held + wall());
  await workspace.write(source + held + wall() + partner(10, "terraform_data.net.output"));
  const { code, output } = await plan();
  expect(code).toBe(0);
  expect(output).toMatch(/Warning: Expectation "sanctions" is undecided .*cannot be decided before the apply: /);
  expect(output).toContain("[TNF-EXPECTATION-UNDECIDED]");
});

test("takes expectations from variables and dynamic blocks, also with unknown values", async () => {
  const dynamic = (list: string) =>
    providing(`  dynamic "expectation" {
    for_each = ${list}
    content {
      name    = "no \${expectation.value}"
      outcome = "blocked"
      dynamic "request" {
        for_each = [expectation.value]
        content {
          countries = [request.value]
        }
      }
    }
  }`);
  const variable = 'variable "countries" {\n default = ["KP", "IR"]\n}\n';
  await workspace.apply(variable + dynamic("var.countries") + wall());
  const narrow = wall().replace('"IR", ', "");
  await workspace.write(variable + dynamic("var.countries") + narrow);
  expect(await plan()).toMatchObject({ code: 1, errors: expect.stringContaining('"no IR" is broken') as string });
  await workspace.write(
    `resource "terraform_data" "list" {\n input = ["KP"]\n}\n${dynamic("terraform_data.list.output")}${narrow}`,
  );
  const { code, output } = await plan();
  expect([code, output]).toEqual([0, expect.stringContaining("is undecided")]);
});

test("refuses a limit and members that break an expectation, and reads only the lists that matter", async () => {
  const { id } = workspace.emulator.store.addOrganization({ name: "acme" });
  const provider = providing(
    expectation("third parties", 'policy {\n consumer = "third_party_clients"\n at_most = 50\n }'),
    expectation("staff", `members {\n organization_id = "${id}"\n include = ["auth0|ada"]\n at_least = 2\n }`),
  );
  const staff = (...ids: string[]) => members(id, ids);
  await workspace.apply(provider + policy(50) + staff("auth0|ada", "auth0|bob"));
  workspace.served();
  await workspace.write(provider + policy(51) + staff("auth0|ada", "auth0|bob"));
  const limit = await plan();
  expect(limit).toMatchObject({ code: 1 });
  expect(limit.errors).toMatch(
    /"third parties" is broken with tenant_rate_limit_policy\.third.*51 requests per second/,
  );
  expect(workspace.served().toSorted()).toEqual([
    `GET /api/v2/organizations/${id}/members`,
    "GET /api/v2/rate-limit-policies",
  ]);
  await workspace.write(provider + policy(50) + staff("auth0|bob", "auth0|carol"));
  const lost = await plan();
  expect(lost).toMatchObject({ code: 1 });
  expect(lost.errors).toMatch(/"staff" is broken with tenant_organization_member_set\.staff.*auth0\|ada is not in the/);
  await workspace.write(provider + policy(40) + staff("auth0|ada"));
  expect((await plan()).errors).toMatch(/at least 2.*\[TNF-EXPECTATION-BROKEN\]/);
  await workspace.write(provider + policy(40) + staff("auth0|ada", "auth0|carol"));
  expect(await plan()).toMatchObject({ code: 0 });
});

test("shows hostile names as text", async () => {
  const provider = providing(`  expectation {\n name = "a\\"b[31m$\${x}"\n ${sanctions}\n }`);
  await workspace.apply(provider + wall());
  await workspace.write(provider);
  const { code, errors } = await plan();
  expect([code, errors]).toEqual([1, expect.stringContaining('Expectation "a\\"b[31m${x}" is broken')]);
});
