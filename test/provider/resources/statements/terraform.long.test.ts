/** Plans and applies of real Terraform with expectations: what `protocol.test` cannot show, because Terraform decides order, places and values. */
import { openWorkspace, unwrapped, type Workspace } from "../../../support/workspace";
import { acl, memberSet as members } from "../../../support/hcl";
import { expectation, expecting, partner, policy, providing, sanctions, wall } from "./support/configuration";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await openWorkspace();
});

async function run(command: "plan" | "apply", hcl: string, ...args: string[]) {
  await workspace.write(hcl);
  workspace.served();
  const flags = command === "apply" ? ["-auto-approve", ...args] : args;
  const { code, stdout, stderr } = await workspace.terraform(command, ...flags);
  const served = workspace.served();
  const writes = served.filter((line) => !line.startsWith("GET "));
  const methods = writes.map((line) => line.split(" ")[0]);
  return { code, output: unwrapped(stdout), errors: unwrapped(stderr), served, methods };
}

const held = expecting("sanctions", sanctions);
const third = expectation("third", 'policy {\n consumer = "third_party_clients"\n at_most = 50\n }');
const source = (value: string) => `resource "terraform_data" "net" {\n input = ${value}\n}\n`;
const unknown = "terraform_data.net.output";

test("refuses a plan at the ACL that breaks an expectation, with an example, and writes nothing", async () => {
  await workspace.apply(held + wall());
  const log = acl("log", { action: "log", priority: 11, match: "asns = [1]" });
  const { code, errors, served } = await run("plan", held + wall() + partner() + log);
  expect(code).toBe(1);
  expect(errors).toMatch(/Error: Expectation "sanctions" is broken with tenant_network_acl\.partner, on main\.tf/);
  expect(errors).toMatch(
    /A request to sign-in from 203\.0\.113\.\d+, country (KP|IR), is allowed by ACL "partner" \(priority 10\)\. It should be blocked\..*\[TNF-EXPECTATION-BROKEN\]/,
  );
  expect(errors.match(/Error: /g)).toHaveLength(1);
  expect(served).toEqual(["GET /api/v2/network-acls"]);
  for (const args of [[], ["-parallelism=1"]])
    expect(await run("apply", held + wall() + partner(), ...args)).toMatchObject({ code: 1, methods: [] });
  for (const args of [[], ["-destroy"]]) {
    expect(await run("plan", held, ...args)).toMatchObject({
      code: 1,
      errors: expect.stringContaining("because no ACL matches") as string,
    });
  }
});

test("refuses a plan that only creates an ACL whose priority is taken, and applies it once the holder goes", async () => {
  await workspace.apply(acl("legacy", { priority: 20 }));
  const { id } = await workspace.state("tenant_network_acl.legacy");
  await workspace.terraform("state", "rm", "tenant_network_acl.legacy");
  for (const args of [[], ["-parallelism=1"]])
    expect(await run("plan", held + wall(), ...args)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`import it: \`terraform import tenant_network_acl.NAME ${id}\``) as string,
    });
  await workspace.write(acl("legacy", { priority: 20 }));
  await workspace.terraform("import", "tenant_network_acl.legacy", id);
  expect(await run("apply", held + wall(), "-refresh=false")).toMatchObject({ code: 0, methods: ["DELETE", "POST"] });
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
  const known = await run("plan", variable + dynamic("var.countries") + narrow);
  expect(known).toMatchObject({ code: 1, errors: expect.stringContaining('"no IR" is broken') as string });
  const later = await run("plan", source('["KP"]') + dynamic(unknown) + narrow);
  expect(later).toMatchObject({ code: 0, output: expect.stringContaining("is undecided") as string });
});

test("reads only the lists that matter, and the network ACLs once in an apply", async () => {
  const { id } = workspace.emulator.store.addOrganization({ name: "acme" });
  const provider = providing(
    expectation("sanctions", sanctions),
    third,
    expectation("staff", `members {\n organization_id = "${id}"\n at_least = 2\n }`),
  );
  const others = policy(50) + members(id, ["auth0|ada", "auth0|bob"]);
  await workspace.apply(provider + wall() + others);
  const { served, errors } = await run("plan", provider + wall() + others.replace("= 50", "= 51"));
  expect(errors).toMatch(/"third" is broken with tenant_rate_limit_policy\.third.*51 requests per second/);
  expect(served).toContain("GET /api/v2/rate-limit-policies");
  expect(served.filter((line) => line.includes("/members"))).toHaveLength(1);
  const more = wall(30).replaceAll("wall", "more") + wall(31).replaceAll("wall", "most");
  const applied = await run("apply", provider + wall() + others + more);
  expect(applied.code).toBe(0);
  expect(applied.served.filter((line) => line === "GET /api/v2/network-acls").length).toBeLessThanOrEqual(2);
});

test("sends no write that breaks an expectation if only the apply knows the values", async () => {
  const { id } = workspace.emulator.store.addOrganization({ name: "acme" });
  const provider = (countries: string) =>
    providing(
      expectation("sanctions", sanctions.replace('"IR"', countries)),
      third,
      expectation("staff", `members {\n organization_id = "${id}"\n include = ["auth0|ada"]\n }`),
    );
  const before = wall() + policy(50) + members(id, ["auth0|ada", "auth0|bob"]);
  await workspace.apply(provider('"IR"') + before);
  const objects =
    source('{\n net = "203.0.113.0/24"\n limit = 60\n people = ["auth0|bob"]\n asns = [64500]\n }') +
    wall() +
    partner(10, `${unknown}.net`) +
    acl("log", { action: "log", priority: 30, match: `asns = ${unknown}.asns` }) +
    policy(50).replace("= 50", `= ${unknown}.limit`) +
    members(id, []).replace("[]", `${unknown}.people`);
  const planned = await run("plan", provider('"IR"') + objects);
  expect(planned).toMatchObject({
    code: 0,
    output: expect.stringContaining("Before each write, it checks again what the plan does not show."),
  });
  const { code, errors, methods } = await run("apply", provider('"IR"') + objects);
  // The ACL that only logs is written.
  expect([code, methods]).toEqual([1, ["POST"]]);
  for (const name of ["sanctions", "third", "staff"]) {
    expect(errors).toMatch(new RegExp(`xpectation "${name}" (would be|is) broken`));
  }
});

test("refuses the write if the expectation itself was not known in the plan", async () => {
  await workspace.apply(wall());
  const later = expecting("later", `outcome = "blocked"\n request {\n countries = [${unknown}]\n }`);
  const { code, errors, methods } = await run("apply", source('"KP"') + later + wall().replace(', "KP"', ""));
  expect([code, methods]).toEqual([1, []]);
  expect(errors).toMatch(/xpectation "later" (would be|is) broken/);
});

describe("a block that Terraform replaces", () => {
  const early = "lifecycle {\n create_before_destroy = true\n }";
  const replace = "-replace=tenant_network_acl.wall";
  const shield = acl("other", { action: "block", priority: 50, match: 'geo_country_codes = ["KP", "IR"]' });
  test.each<[string, string, string, (string | undefined)[] | undefined]>([
    ["stays, because Terraform deletes it first", held + wall(), held + wall(), undefined],
    ["goes if another block keeps it", held + wall() + shield, held + wall() + shield, ["DELETE", "POST"]],
    ["comes first with create_before_destroy", held + wall(20, early), held + wall(21, early), ["POST", "DELETE"]],
  ])("%s", async (_what, before, after, wanted) => {
    await workspace.apply(before);
    const { code, errors, methods } = await run("apply", after, replace);
    expect([code, methods]).toEqual(wanted ? [0, wanted] : [1, []]);
    if (!wanted) expect(errors).toMatch(/A step of this plan would break .* "sanctions" would be broken/);
  });
});

describe("an object that Terraform deletes and creates again", () => {
  /** The configuration, as its value becomes another one. `sources`: the value before and after. */
  const rows = {
    ACL: () => ({
      of: (value: string) => held + wall().replace('["IR", "KP"]', value),
      sources: ['["IR", "KP"]', '["AQ"]'],
      replace: ["-replace=tenant_network_acl.wall"],
    }),
    policy: () => ({
      of: (value: string) => providing(third) + policy(50).replace('"third_party_clients"', value),
      sources: ['"third_party_clients"', '"client_id:a"'],
      replace: [],
    }),
    "member set": () => {
      const [acme, other] = ["acme", "other"].map((name) => workspace.emulator.store.addOrganization({ name }).id);
      const staff = expecting("staff", `members {\n organization_id = "${acme}"\n include = ["auth0|ada"]\n }`);
      return {
        of: (value: string) => staff + members("o", ["auth0|ada"], "allow_empty = true").replace('"o"', value),
        sources: [`"${acme}"`, `"${other}"`],
        replace: [],
      };
    },
  };

  const names = Object.keys(rows) as (keyof typeof rows)[];
  test.each(names)("stays if an expectation needs it, and only the apply knows the new value: %s", async (name) => {
    const { of, sources, replace } = rows[name]();
    const [before, after] = sources.map((value) => source(value) + of(unknown));
    await workspace.apply(before!);
    const { code, errors, methods } = await run("apply", after!, ...replace);
    expect([code, methods]).toEqual([1, []]);
    expect(errors).toMatch(/step (of this plan )?would break an expectation|An organization would lose all members/);
  });

  test("goes if no expectation needs it", async () => {
    const block = acl("bots", { action: "block", priority: 30, match: `asns = ${unknown}` });
    await workspace.apply(source("[64500]") + held + wall() + block);
    const after = source("[64501]") + held + wall() + block;
    expect(await run("apply", after, "-replace=tenant_network_acl.bots")).toMatchObject({ code: 0 });
  });
});

test("hands over from one block to another one, and destroys nothing that an expectation needs", async () => {
  const shield = (name: string, priority: number) =>
    acl(name, { action: "block", priority, match: 'geo_country_codes = ["KP", "IR"]' });
  await workspace.apply(held + shield("a_old", 20));
  expect(await run("apply", held + shield("b_new", 30))).toMatchObject({ code: 0, methods: ["POST", "DELETE"] });
  await workspace.terraform("destroy", "-auto-approve");
  expect([...workspace.emulator.store.networkAcls.values()]).toMatchObject([{ description: "b_new" }]);
});

test("an expectation of one provider configuration does not concern another tenant", async () => {
  const other = await openWorkspace();
  const second = `provider "tenant" {
  alias         = "b"
  endpoint      = "${other.environment["TENANT_ENDPOINT"]}"
  client_id     = "${other.emulator.clientId}"
  client_secret = "${other.emulator.clientSecret}"
}
`;
  const elsewhere = acl("partner", {
    action: "allow",
    priority: 10,
    match: 'ipv4_cidrs = ["203.0.113.0/24"]',
    rest: "provider = tenant.b",
  });
  try {
    expect(await run("plan", held + second + elsewhere)).toMatchObject({ code: 0 });
  } finally {
    await other.close();
  }
});
