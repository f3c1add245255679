/** Plans of several stacks, which may have the same addresses, hand objects to each other, or belong to other tenants. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { reviewPlans } from "../../src/review/review";
import { run } from "../support/program";
import { acl, allow, block, change, plan, planText } from "./support/plan";

const at = (name: string) => `tenant_network_acl.${name}`;
const asn = (priority: number, id: string, action: object = block) =>
  acl(priority, { action, match: { asns: [7] } }, { id, description: id });

test("the same address in two stacks is two ACLs", () => {
  const one = plan([change(at("main"), asn(1, "acl_a", allow), asn(1, "acl_a", allow))]);
  const two = plan([change(at("main"), asn(2, "acl_b"), asn(3, "acl_b"))]);
  const { acls, rules } = reviewPlans("both", [one, two]);
  expect(acls).toMatchObject({
    verdict: "equivalent",
    proven: true,
    after: [{ id: "acl_a" }, { id: "acl_b" }],
    unreachable: [{ acl: { id: "acl_b" }, hiddenBy: [{ id: "acl_a" }] }],
  });
  expect(rules.map(({ acl: { id }, words }) => [id, words])).toEqual([["acl_b", ["priority 2 -> 3"]]]);
});

test("what one stack forgets and another imports is one ACL, as the second has it", () => {
  const giving = plan([change(at("old"), asn(1, "acl_a"), null, { actions: ["forget"] })]);
  const taking = plan([change(at("new"), asn(1, "acl_a"), asn(1, "acl_a", allow), { importing: { id: "acl_a" } })]);
  for (const plans of [
    [giving, taking],
    [taking, giving],
  ]) {
    const { acls } = reviewPlans("both", plans);
    expect(acls).toMatchObject({ verdict: "more_permissive", proven: true });
    expect([acls.before, acls.after].map((side) => side.map(({ address }) => address))).toEqual([
      [at("new")],
      [at("new")],
    ]);
  }
});

test("plans of other tenants are not put together", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-stacks-"));
  try {
    const of = (domain: string) =>
      planText([], {
        configuration: {
          provider_config: { tenant: { name: "tenant", expressions: { domain: { constant_value: domain } } } },
        },
      });
    await writeFile(path.join(folder, "one.json"), of("one.example"));
    await writeFile(path.join(folder, "two.json"), of("two.example"));
    await writeFile(path.join(folder, "same.json"), of("one.example"));
    const keys = async (...files: string[]) => {
      const cli = path.join(__dirname, "../../dist/cli.js");
      const { stdout } = await run(process.execPath, [cli, "review", ...files, "--format", "json"], { cwd: folder });
      return Object.keys(JSON.parse(stdout) as object);
    };
    expect(await keys("one.json", "two.json")).toEqual(["format_version", "plans"]);
    expect(await keys("one.json", "same.json")).toEqual(["format_version", "plans", "together"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
