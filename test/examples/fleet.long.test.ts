/** Runs examples/fleet like a pipeline, against an embedded tenant for each of 5 of its 40 tenants. */
import { cp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { newFolderInside, root } from "../support/folder";
import { run, succeed } from "../support/program";
import { listeningTenant, type ListeningTenant } from "../support/tenant";
import { readCustomers } from "../../examples/fleet/customers";
import { readYaml } from "./support/action";

const example = path.join(root, "examples/fleet");

type Tenant = ListeningTenant & { readonly name: string };

let folder: string;
let tenants: readonly Tenant[] = [];
let env: NodeJS.ProcessEnv;

const prefixOf = (name: string) => name.toUpperCase().replaceAll("-", "_");
const file = (...names: string[]) => path.join(folder, ...names);

/** Two with the usual limit, two with a higher one, and one that somebody changes by hand. */
const reviewed = ["acme", "weyland-yutani", "hooli", "stark", "duff"];

/** Copies the example, and sends the tenants of its CSV to embedded tenants. */
async function start(): Promise<void> {
  const [header, ...all] = (await readFile(path.join(example, "tenants.csv"), "utf8")).trim().split("\n");
  const rows = all.filter((row) => reviewed.includes(row.split(",")[0]!));
  tenants = await Promise.all(rows.map(async (row) => ({ name: row.split(",")[0]!, ...(await listeningTenant()) })));
  const lines = [`${header},endpoint`, ...rows.map((row, index) => `${row},${tenants[index]!.url}`)];
  await writeFile(file("tenants.csv"), `${lines.join("\n")}\n`);
  env = {
    TENANTFORM: `${process.execPath} ${path.join(root, "dist/cli.js")}`,
    ...Object.fromEntries(
      tenants.flatMap(({ name, emulator }) => [
        [`${prefixOf(name)}_TENANT_CLIENT_ID`, emulator.clientId],
        [`${prefixOf(name)}_TENANT_CLIENT_SECRET`, emulator.clientSecret],
      ]),
    ),
  };
}

beforeEach(async () => {
  folder = newFolderInside();
  await cp(example, folder, { recursive: true });
});
afterEach(async () => {
  const open = tenants;
  tenants = [];
  await Promise.all(open.map((tenant) => tenant.close()));
});

const synth = () => run(process.execPath, ["--import", require.resolve("tsx"), "main.ts"], { cwd: folder });
const script = (name: string, ...args: string[]) => run("sh", [`./${name}`, ...args], { cwd: folder, env });
const review = (...args: string[]) =>
  run(process.execPath, [path.join(root, "dist/cli.js"), "review", ...args], { cwd: folder });
const named = (name: string) => tenants.find((tenant) => tenant.name === name)!;

/** The plan of another tenant with the same values: only the address of the tenant differs. */
async function copyPlan(from: string, to: string): Promise<void> {
  const plan = await readFile(file("plans", `${from}.json`), "utf8");
  const [theirs, own] = [named(from), named(to)].map(({ url }) => new URL(url).host);
  const text = plan.replaceAll(theirs!, own!).replaceAll(`"${prefixOf(from)}"`, `"${prefixOf(to)}"`);
  await writeFile(file("plans", `${to}.json`), text);
}

test("plans a fleet, reviews all plans at once, and applies what was reviewed", async () => {
  await start();
  // Somebody changed one tenant by hand.
  named("duff").emulator.store.networkAcls.put({
    id: "acl_2BsTjBMkz8wdGzXVaUFYnR",
    description: "Hotfix",
    active: true,
    priority: 1,
    rule: { action: { allow: true }, match: { geo_country_codes: ["IR"] }, scope: "authentication" },
    created_at: "2026-11-01T00:00:00.000Z",
    updated_at: "2026-11-01T00:00:00.000Z",
  });
  expect(await synth()).toMatchObject({ code: 0 });
  const listed = await succeed(process.execPath, ["list.cjs"], { cwd: folder });
  expect(JSON.parse(listed.replace("tenants=", ""))).toEqual(
    expect.arrayContaining([{ name: "weyland-yutani", prefix: "WEYLAND_YUTANI" }]),
  );
  const planned = await Promise.all(["acme", "hooli", "duff"].map((name) => script("plan.sh", name)));
  expect(planned.map(({ code, stderr }) => (code === 0 ? "" : stderr))).toEqual(["", "", ""]);
  await copyPlan("hooli", "stark");
  await copyPlan("acme", "weyland-yutani");

  const plans = tenants.map(({ name }) => `plans/${name}.json`);
  const { code, stdout } = await review(...plans, "--format", "text");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^2 of 5 tenants: the same effects\.\n/);
  expect(stdout).toMatch(/^2 of 5 tenants: hooli \S+, stark \S+$/m);
  expect(stdout).not.toContain("Lock-out");
  expect(stdout).toContain("- Only here: ");
  expect(stdout).toContain("Review of duff");

  // After the merge, each tenant applies only a plan with the approved changes.
  const applied = await script("apply.sh", "hooli", "plans/hooli.json");
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining("2 added")]);
  expect(named("hooli").emulator.store.rateLimitPolicies.values()).toMatchObject([{ configuration: { limit: 200 } }]);
  expect(tenants.filter(({ emulator }) => emulator.store.rateLimitPolicies.size > 0)).toHaveLength(1);
  expect((await script("apply.sh", "acme", "plans/hooli.json")).code).toBe(4);
});

test.each([
  ["globex,globex.eu.auth0.com,KP IR,", "line 3: `limit` is missing"],
  ["globex,globex.eu.auth0.com,KP IR,many", 'line 3: `limit` is "many"'],
  ["Globex/..,globex.eu.auth0.com,KP IR,50", 'line 3: `name` is "Globex/.."'],
  ["globex,acme.eu.auth0.com,KP IR,50", "line 3: another line has the `domain` acme.eu.auth0.com"],
])("refuses the row %j", async (row, message) => {
  await writeFile(file("tenants.csv"), `name,domain,countries,limit\nacme,acme.eu.auth0.com,KP IR,50\n${row}\n`);
  expect(() => readCustomers(file("tenants.csv"))).toThrow(message);
});

test("github.yml plans and applies a bounded number of tenants, and gives pull requests no secret that can write", async () => {
  const { jobs } = await readYaml("examples/fleet/github.yml");
  for (const name of ["plan", "apply"]) {
    const { strategy } = jobs[name] as unknown as { readonly strategy: Record<string, unknown> };
    expect(strategy["max-parallel"]).toBeLessThanOrEqual(8);
    expect(strategy["fail-fast"]).toBe(false);
  }
  const [beforeApply, apply] = (await readFile(path.join(example, "github.yml"), "utf8")).split(/^ {2}apply:$/m);
  const secrets = [...beforeApply!.matchAll(/secrets\[([^\]]*)\]/g)].map(([, name]) => name);
  expect(secrets).toHaveLength(2);
  for (const secret of secrets) expect(secret).toContain("_TENANT_READ_CLIENT_");
  expect(apply).toContain("environment: fleet");
});
