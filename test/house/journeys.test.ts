/** Counts the files of src, and the functions in them, that a reader must enter to follow one change. Lower a number when it falls. */
import { readdirSync } from "node:fs";
import { Session } from "node:inspector/promises";
import path from "node:path";
import { parsePlan } from "../../src/review/input/plan";
import { pagesOf } from "../../src/review/report/sections";
import { toText } from "../../src/review/report/text";
import { tenantsIn } from "../../src/review/input/tenants";
import { openReview } from "../provider/resources/support/reviewing";
import { reviewTenant } from "../review/support/plan";

const src = path.join(__dirname, "../../src");
// Loading a file runs its exports, so every file that a journey could load is loaded before the count begins.
const isElsewhere =
  /(^|\/)((tools|constructs|testing|plugin|emulator|adopt|init|install|compare)\/|(cli|main|node-provider)\.ts$)/;

interface Journey {
  readonly kind: string;
  readonly before: object;
  readonly after: object;
}
const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const acl = (...countries: string[]) => ({
  id: `acl_${"1".repeat(22)}`,
  description: "Embargo",
  active: true,
  priority: 1,
  rule: { action: { block: true }, match: { geo_country_codes: countries }, scope: "authentication" },
});
const country: Journey = { kind: "network_acl", before: acl("KP"), after: acl("KP", "IR") };

const organization = `org_${"1".repeat(16)}`;
const set = (...members: string[]) => ({ id: organization, organization_id: organization, members });
const member: Journey = { kind: "organization_member_set", before: set("auth0|a", "auth0|b"), after: set("auth0|a") };

const session = new Session();
beforeAll(async () => {
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".ts") && !file.endsWith(".d.ts") && !isElsewhere.test(file)) require(path.join(src, file));
  }
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
});
afterAll(() => session.disconnect());

/** `FILE FUNCTION` of everything that runs in `walk`. The embedded tenant and the plugin process do not count. */
async function entered(walk: () => Promise<void>): Promise<Set<string>> {
  await session.post("Profiler.takePreciseCoverage");
  await walk();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return new Set(
    result.flatMap(({ url, functions }) => {
      const file = path.relative(src, url.replace(/^file:\/\//, "")).replaceAll(path.sep, "/");
      if (file.startsWith("..") || isElsewhere.test(file)) return [];
      const ran = functions.filter(({ ranges: [first] }) => first!.count > 0 && first!.startOffset > 0);
      return ran.map(({ functionName, ranges }) => `${file} ${functionName} ${ranges[0]!.startOffset}`);
    }),
  );
}

/** Plans and applies the change, or nothing. */
async function applied({ kind, before, after }: Journey, isChanged: boolean): Promise<void> {
  const { emulator, applyAll, close } = await openReview({
    seed: { organizations: [{ id: organization, name: "acme", members: ["auth0|a", "auth0|b"] }] },
  });
  try {
    const prior = kind === "network_acl" ? { ...times, ...before } : before;
    if (kind === "network_acl") emulator.store.networkAcls.put(prior as never);
    const { id: _, ...config } = after as { id?: string };
    const { errors } = await applyAll(isChanged ? [{ kind, prior, config }] : [], { lockout_guard: "error" });
    expect(errors).toEqual([]);
  } finally {
    await close();
  }
}

async function reviewed({ kind, before, after }: Journey): Promise<void> {
  const change = { actions: ["update"], before, after };
  const resource = { address: `tenant_${kind}.a`, mode: "managed", type: `tenant_${kind}`, change };
  const plan = parsePlan(JSON.stringify({ format_version: "1.2", resource_changes: [resource] }), "plan.json");
  const [tenant] = tenantsIn([{ name: "plan", plan }]);
  expect(toText(pagesOf([reviewTenant(tenant!, {}).whole]))).toContain("tenant");
}

test.each([
  ["the apply of a country", () => applied(country, true), () => applied(country, false), 90, 1006],
  ["the review of a country", () => reviewed(country), undefined, 58, 796],
  ["the apply of a member", () => applied(member, true), () => applied(member, false), 51, 440],
  ["the review of a member", () => reviewed(member), undefined, 35, 374],
])("%s enters few files and functions", async (_journey, walk, idle, mostFiles, mostFunctions) => {
  const known = idle ? await entered(idle) : new Set();
  const ran = [...(await entered(walk))].filter((one) => !known.has(one));
  const files = new Set(ran.map((one) => one.split(" ")[0]));
  expect(files.size).toBeGreaterThan(20);
  expect(files.size).toBeLessThanOrEqual(mostFiles);
  expect(ran.length).toBeLessThanOrEqual(mostFunctions);
});
