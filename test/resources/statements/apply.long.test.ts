/** Applies of real Terraform send no write that breaks an expectation. */
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

// If nothing is written for a while, an apply may refuse a change when Terraform plans it again.
const held = expecting("sanctions", sanctions);
const always = expecting("sanctions", `always = true\n ${sanctions}`);

async function apply(hcl: string, ...args: string[]) {
  await workspace.write(hcl);
  workspace.served();
  const { code, stdout, stderr } = await workspace.terraform("apply", "-auto-approve", ...args);
  const writes = workspace.served().filter((line) => !line.startsWith("GET "));
  return { code, output: unwrapped(stdout), errors: unwrapped(stderr), writes };
}

const priorities = () =>
  Object.fromEntries([...workspace.emulator.store.networkAcls.values()].map((one) => [one.description, one.priority]));

/** Known only after the apply. */
const source = (value: string) => `resource "terraform_data" "net" {\n input = ${value}\n}\n`;

test("refuses the write of an ACL whose values the plan did not know, and sends nothing", async () => {
  await workspace.apply(held + wall());
  const open = source('"203.0.113.0/24"') + partner(10, "terraform_data.net.output");
  const { code, errors, writes } = await apply(held + wall() + open);
  expect([code, writes]).toEqual([1, []]);
  expect(errors).toMatch(
    /Error: (This step would break an|Expectation "sanctions" is broken).* with tenant_network_acl\.partner/,
  );
  expect(errors).toMatch(/A request to sign-in from 203\.0\.113\./);
});

test("sends the write of an ACL whose values the plan did not know if the expectation holds", async () => {
  await workspace.apply(held + wall());
  const open =
    source("[64500]") + acl("log", { action: "log", priority: 10, match: "asns = terraform_data.net.output" });
  expect(await apply(held + wall() + open)).toMatchObject({ code: 0, writes: ["POST /api/v2/network-acls"] });
});

test("refuses the write if the expectation itself was not known in the plan", async () => {
  await workspace.apply(wall());
  const later = expecting("later", 'outcome = "blocked"\n request {\n countries = [terraform_data.net.output]\n }');
  const { code, errors, writes } = await apply(source('"KP"') + later + wall().replace(', "KP"', ""));
  expect([code, writes]).toEqual([1, []]);
  expect(errors).toMatch(/xpectation "later" (would be|is) broken/);
});

test("refuses with -parallelism=1 what the plan could not refuse", async () => {
  await workspace.apply(held + wall());
  const { code, errors, writes } = await apply(held + wall() + partner(), "-parallelism=1");
  expect([code, writes]).toEqual([1, []]);
  expect(errors).toMatch(/"sanctions" (is|would be) broken/);
});

test("never refuses a write if the severity is warning", async () => {
  const warned = expecting("sanctions", `${sanctions}\n severity = "warning"`);
  await workspace.apply(warned + wall());
  expect(await apply(warned + wall() + partner(), "-parallelism=1")).toMatchObject({ code: 0 });
});

describe("a block that Terraform replaces", () => {
  const early = "lifecycle {\n create_before_destroy = true\n }";
  const replace = "-replace=tenant_network_acl.wall";

  test("may be missing for a moment", async () => {
    await workspace.apply(held + wall());
    expect(await apply(held + wall(), replace)).toMatchObject({ code: 0 });
  });

  test("is not deleted if the expectation always holds", async () => {
    await workspace.apply(always + wall());
    const other = acl("bots", { action: "block", priority: 50, match: "asns = [64500]" });
    const refused = await apply(always + wall() + other, replace);
    expect([refused.code, refused.writes]).toEqual([1, []]);
    expect(refused.errors).toMatch(
      /A step of this plan would break an expectation .* the expectation "sanctions" would be broken/,
    );
    // Terraform then makes one call at a time, so the plan cannot know that it is complete.
    const { code, errors, writes } = await apply(always + wall(), replace, "-parallelism=1");
    expect([code, writes]).toEqual([1, []]);
    expect(errors).toContain("A step of this plan would break an expectation");
  });

  test("is replaced if another block of the plan keeps the expectation that always holds", async () => {
    await workspace.apply(always + wall());
    const other = acl("other", { action: "block", priority: 50, match: 'geo_country_codes = ["KP", "IR"]' });
    const { code, writes } = await apply(always + wall() + other, replace);
    expect([code, writes.map((line) => line.split(" ")[0])]).toEqual([0, ["POST", "DELETE", "POST"]]);
  });

  test("is created before the old one is deleted with create_before_destroy", async () => {
    await workspace.apply(always + wall(20, early));
    const { code, writes } = await apply(always + wall(21, early), replace);
    expect([code, writes.map((line) => line.split(" ")[0])]).toEqual([0, ["POST", "DELETE"]]);
  });
});

describe("a policy that Terraform replaces", () => {
  const limited = expecting("limits", 'always = true\n policy {\n consumer = "third_party_clients"\n at_most = 50\n }');
  const usual = (limit: number) => policy(limit, "default").replace('"third"', '"usual"');
  const replace = "-replace=tenant_rate_limit_policy.third";

  test("is not deleted if the expectation always holds", async () => {
    await workspace.apply(limited + policy(50));
    const { code, errors, writes } = await apply(limited + policy(50) + usual(100), replace);
    expect([code, writes]).toEqual([1, []]);
    expect(errors).toMatch(/A step of this plan would break an expectation .* "limits" would be broken/);
  });

  test("is replaced if another policy of the plan keeps the expectation that always holds", async () => {
    await workspace.apply(limited + policy(50));
    const { code, writes } = await apply(limited + policy(50) + usual(20), replace);
    expect([code, writes.map((line) => line.split(" ")[0])]).toEqual([0, ["POST", "DELETE", "POST"]]);
  });
});

describe.each(["1", "10"])("with -parallelism=%s and an expectation that always holds", (parallelism) => {
  const shield = (name: string, priority: number, countries = '"KP", "IR"') =>
    acl(name, { action: "block", priority, match: `geo_country_codes = [${countries}]` });
  const flag = `-parallelism=${parallelism}`;

  test("hands over from one block to another one", async () => {
    await workspace.apply(always + shield("a_old", 20));
    let run = await apply(always + shield("b_new", 30), flag);
    // With one call at a time, Terraform may start with the delete. The plan or that step is refused, and names the condition.
    if (run.code !== 0) {
      expect([parallelism, run.errors]).toEqual(["1", expect.stringMatching(/"sanctions" (is|would be) broken/)]);
      run = await apply(always + shield("b_new", 30));
    }
    expect([run.code, priorities()]).toEqual([0, { b_new: 30 }]);
    expect(run.writes.at(-1)).toMatch(/^DELETE /);
  });

  test("swaps the priorities of a block and an allow behind it", async () => {
    const before = shield("wall", 10) + partner(20);
    await workspace.apply(always + before);
    const after = shield("wall", 20) + partner(30);
    const run = await apply(always + after, flag);
    const last = run.code === 0 ? run : await apply(always + after, flag);
    expect([last.code, priorities()]).toEqual([0, { wall: 20, partner: 30 }]);
  });

  test("refuses to move an allow before the block", async () => {
    const before = shield("wall", 10) + partner(20);
    await workspace.apply(always + before);
    const { code, writes } = await apply(always + shield("wall", 20) + partner(10), flag);
    expect(code).toBe(1);
    const { wall: block, partner: allow } = priorities();
    expect(block).toBeLessThan(allow!);
    expect(writes.length).toBeLessThan(2);
  });

  test("destroys nothing that the expectation needs", async () => {
    await workspace.apply(always + shield("wall", 10) + partner(20));
    await workspace.terraform("destroy", "-auto-approve", flag);
    expect(priorities()).toMatchObject({ wall: 10 });
  });
});

describe("an object that Terraform deletes and creates again", () => {
  const organizations = () => ["acme", "other"].map((name) => workspace.emulator.store.addOrganization({ name }).id);
  const third = expecting("third", 'policy {\n consumer = "third_party_clients"\n at_most = 50\n }');
  const unknown = "terraform_data.net.output";

  /** The configuration, as its value becomes another one. `sources`: the value before and after. */
  const rows = {
    ACL: () => ({
      of: (value: string) => held + wall().replace('["IR", "KP"]', value),
      sources: ['["IR", "KP"]', '["AQ"]'],
      replace: ["-replace=tenant_network_acl.wall"],
    }),
    policy: () => ({
      of: (value: string) => third + policy(50).replace('"third_party_clients"', value),
      sources: ['"third_party_clients"', '"client_id:a"'],
      replace: [],
    }),
    "member set": () => {
      const [acme, other] = organizations();
      const staff = expecting("staff", `members {\n organization_id = "${acme}"\n include = ["auth0|ada"]\n }`);
      return {
        of: (value: string) => staff + members("o", ["auth0|ada"]).replace('"o"', value),
        sources: [`"${acme}"`, `"${other}"`],
        replace: [],
      };
    },
  };

  const names = Object.keys(rows) as (keyof typeof rows)[];
  test.each([["ACL", "1"], ...names.map((name) => [name, "10"])] as [keyof typeof rows, string][])(
    "stays if the expectation needs it, and only the apply knows the new value: %s with -parallelism=%s",
    async (name, parallelism) => {
      const { of, sources, replace } = rows[name]();
      const [before, after] = sources.map((value) => source(value) + of(unknown));
      await workspace.apply(before!);
      const { code, errors, writes } = await apply(after!, `-parallelism=${parallelism}`, ...replace);
      expect([code, writes]).toEqual([1, []]);
      expect(errors).toMatch(/step (of this plan )?would break an expectation.*known only after .*-target/);
    },
  );

  test.each(names)("stays if its known new value breaks the expectation, with -parallelism=1: %s", async (name) => {
    const { of, sources, replace } = rows[name]();
    await workspace.apply(of(sources[0]!));
    const { code, writes } = await apply(of(sources[1]!), "-parallelism=1", ...replace);
    expect([code, writes]).toEqual([1, []]);
  });

  test("is counted as there when another object is judged in between", async () => {
    await workspace.apply(held + wall());
    const after = held + wall(20, "depends_on = [tenant_network_acl.partner]") + partner();
    const { code, errors } = await apply(after, "-replace=tenant_network_acl.wall", "-parallelism=1");
    expect([code, errors]).toEqual([1, expect.stringMatching(/break an expectation|"sanctions" is broken/)]);
    expect(priorities()).not.toHaveProperty("partner");
  });

  test("is replaced if no expectation needs it, and only the apply knows the new value", async () => {
    const block = (value: string) => acl("bots", { action: "block", priority: 30, match: `asns = ${value}` });
    await workspace.apply(source("[64500]") + held + wall() + block(unknown));
    const after = source("[64501]") + held + wall() + block(unknown);
    expect(await apply(after, "-replace=tenant_network_acl.bots")).toMatchObject({ code: 0 });
  });
});

test("refuses the write of a limit that the plan did not know, after one read of the policies", async () => {
  const provider = expecting("third parties", 'policy {\n consumer = "third_party_clients"\n at_most = 50\n }');
  await workspace.apply(provider + policy(50));
  const open = source("60") + policy(50).replace("= 50", "= terraform_data.net.output");
  const { code, errors, writes } = await apply(provider + open);
  expect([code, writes]).toEqual([1, []]);
  expect(errors).toMatch(/"third parties" (would be|is) broken.*60 requests per second/);
});

describe("members", () => {
  let organization: string;
  beforeEach(() => {
    organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  });
  const staff = (body: string) => expecting("staff", `members {\n organization_id = "${organization}"\n ${body}\n }`);
  const present = () => Array.from(workspace.emulator.store.members(organization)!, ([user]) => user).toSorted();

  test("are not changed if the plan did not know them and the expectation would be broken", async () => {
    const provider = staff('include = ["auth0|ada"]');
    await workspace.apply(provider + members(organization, ["auth0|ada", "auth0|bob"]));
    const open = members(organization, []).replace("[]", "terraform_data.net.output");
    const { code, writes } = await apply(provider + source('["auth0|bob"]') + open);
    expect([code, writes, present()]).toEqual([1, [], ["auth0|ada", "auth0|bob"]]);
  });

  test("of a set that is not exclusive count together with the other members", async () => {
    workspace.emulator.store.addMembers(organization, ["auth0|ada"]);
    const provider = staff("at_most = 2");
    const rest = "exclusive = false";
    await workspace.apply(provider + members(organization, ["auth0|bob"], rest));
    const { code, errors } = await apply(provider + members(organization, ["auth0|bob", "auth0|carol"], rest));
    expect([code, errors]).toEqual([1, expect.stringContaining("3 members, and it should have at most 2")]);
    expect(present()).toEqual(["auth0|ada", "auth0|bob"]);
  });

  test("may be too many for a moment, unless the expectation always holds", async () => {
    const body = `members {\n organization_id = "${organization}"\n at_most = 2\n }`;
    const [some, strict] = [staff("at_most = 2"), providing(expectation("staff", `always = true\n ${body}`))];
    await workspace.apply(some + members(organization, ["auth0|ada", "auth0|bob"]));
    const changed = members(organization, ["auth0|ada", "auth0|carol"]);
    const methods = ({ code, writes }: Awaited<ReturnType<typeof apply>>) => [
      code,
      writes.map((line) => line.split(" ")[0]),
    ];
    expect(methods(await apply(strict + changed))).toEqual([0, ["DELETE", "POST"]]);
    expect(methods(await apply(some + members(organization, ["auth0|bob"])))).toEqual([0, ["POST", "DELETE"]]);
  });

  test("cannot be changed if an expectation that always holds allows no other number", async () => {
    const body = `members {\n organization_id = "${organization}"\n at_most = 2\n at_least = 2\n }`;
    const strict = providing(expectation("staff", `always = true\n ${body}`));
    await workspace.apply(members(organization, ["auth0|ada", "auth0|bob"]));
    const changed = strict + members(organization, ["auth0|ada", "auth0|carol"]);
    const { code, errors, writes } = await apply(changed + policy(10));
    expect([code, writes]).toEqual([1, []]);
    expect(errors).toMatch(/A step of this plan would break an expectation .* 3 members, and it should have at most 2/);
    const alone = await apply(changed, "-parallelism=1");
    expect([alone.code, alone.errors]).toEqual([1, expect.stringContaining("would break an expectation")]);
    expect(present()).toEqual(["auth0|ada", "auth0|bob"]);
  });
});

test("reads the network ACLs once in an apply", async () => {
  await workspace.apply(always + wall());
  await workspace.write(always + wall() + wall(30).replaceAll("wall", "more") + wall(31).replaceAll("wall", "most"));
  await workspace.plan();
  workspace.served();
  const { code } = await workspace.terraform("apply", "plan");
  const lists = workspace.served().filter((line) => line === "GET /api/v2/network-acls");
  expect([code, lists.length]).toEqual([0, 1]);
});
