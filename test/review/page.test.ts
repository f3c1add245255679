/** Runs the script of the built review page without a browser. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import vm from "node:vm";
import { run } from "../support/program";
import { acl, allow, block, change, planText } from "./support/plan";

interface Page {
  readonly sides: { before: unknown[]; after: unknown[] }[];
  tried(acls: unknown[], request: object): { outcome: string; at: number; because: string };
}

async function pageOf(text: string): Promise<Page> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-page-"));
  try {
    await writeFile(path.join(folder, "plan.json"), text);
    const cli = path.join(__dirname, "../../dist/cli.js");
    const { stdout } = await run(process.execPath, [cli, "review", "plan.json", "--format", "html"], { cwd: folder });
    const [, data] = /<script type="application\/json" id="acls">(.*?)<\/script>/s.exec(stdout)!;
    const [, code] = /<script>(.*?)\nconst sides/s.exec(stdout)!;
    const context: Record<string, unknown> = {};
    vm.runInNewContext(`${code}; this.tried = TenantformReview.tried;`, context);
    return { sides: JSON.parse(data!), tried: context["tried"] as Page["tried"] };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const office = (cidr: string) => acl(1, { action: allow, match: { ipv4_cidrs: [cidr] } }, { description: "Office" });
const closed = acl(9, { action: block, match_all: true, scope: "authentication" }, { description: "Closed" });

test("evaluates a request before and after the change", async () => {
  const { sides, tried } = await pageOf(
    planText([
      change("tenant_network_acl.office", office("203.0.113.0/24"), office("203.0.113.0/25")),
      change("tenant_network_acl.closed", closed, closed),
    ]),
  );
  const request = { path: "/authorize", ip: "203.0.113.200" };
  expect(tried(sides[0]!.before, request)).toMatchObject({ outcome: "allowed", at: 0 });
  expect(tried(sides[0]!.after, request)).toMatchObject({ outcome: "blocked", at: 1 });
  expect(tried(sides[0]!.after, { path: "/api/v2/", ip: "203.0.113.200" })).toMatchObject({
    outcome: "allowed",
    at: -1,
  });
});

test("reports unknown and hidden values as possible matches", async () => {
  const { sides, tried } = await pageOf(
    planText([
      change("tenant_network_acl.open", null, acl(1, { action: block, match: { asns: [1] } }), {
        unknown: { rule: { match: { asns: true } } },
      }),
      change("tenant_network_acl.hidden", null, acl(2, { action: block, match: { user_agents: ["x"] } }), {
        sensitive: { rule: { match: { user_agents: true } } },
      }),
    ]),
  );
  expect(tried(sides[0]!.after, { path: "/authorize", asn: 5, user_agent: "y" }).outcome).toBe("blocked or allowed");
});

test("evaluates ACLs in order, also with a hidden priority, and equal priorities in both orders", async () => {
  const place = (priority: number, action: object, country: string) =>
    acl(priority, { action, match: { geo_country_codes: [country] } }, { id: `${priority} ${country}` });
  const { sides, tried } = await pageOf(
    planText([
      change("tenant_network_acl.a", null, place(37, block, "DE")),
      change("tenant_network_acl.b", null, place(41, allow, "DE"), { sensitive: { priority: true } }),
      change("tenant_network_acl.c", null, place(53, block, "FR")),
      change("tenant_network_acl.d", null, place(53, allow, "FR")),
    ]),
  );
  const request = { path: "/authorize", country: "DE" };
  expect(tried(sides[0]!.after, request)).toMatchObject({ outcome: "blocked", at: 0 });
  expect(tried(sides[0]!.after, { ...request, country: "FR" }).outcome).toBe("blocked or allowed");
  expect(JSON.stringify(sides)).not.toContain('priority":41');
});

test("reports an unreadable fact and evaluates nothing", async () => {
  const { sides, tried } = await pageOf(planText([change("tenant_network_acl.closed", closed, closed)]));
  expect(tried(sides[0]!.after, { path: "/authorize", ip: "300.1.1.1" })).toMatchObject({
    outcome: "not readable",
    at: -1,
    because: expect.stringContaining('ip: "300.1.1.1" is not an IP address'),
  });
  expect(tried(sides[0]!.after, { path: "/%61pi/v2" }).outcome).toBe("allowed");
});
