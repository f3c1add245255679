/** Walks one journey, whose coverage shows the files that it enters: `start`, `change` (plan and apply of a country), `load review` or `review`. */
const journey = process.argv[2]!;
const isLoadedOnly = journey === "load review";

const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
const id = `acl_${"1".repeat(22)}`;
const acl = (...countries: string[]) => ({
  description: "Embargo",
  active: true,
  priority: 1,
  rule: { action: { block: true }, match: { geo_country_codes: countries }, scope: "authentication" },
});
const [before, after] = [acl("KP"), acl("KP", "IR")];

async function changed(): Promise<void> {
  const { openReview } = await import("../../resources/support/reviewing.js");
  const review = await openReview();
  try {
    review.emulator.store.networkAcls.put({ id, ...times, ...before } as never);
    const edit = { kind: "network_acl", prior: { id, ...times, ...before }, config: after };
    const { errors } = await review.applyAll(journey === "start" ? [] : [edit], { lockout_guard: "error" });
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
  } finally {
    await review.close();
  }
}

async function reviewed(): Promise<void> {
  const { parsePlan } = await import("../../../src/review/input/plan.js");
  const { tenantsIn, reviewTenant } = await import("../../../src/review/tenants.js");
  const { toText } = await import("../../../src/review/render/text.js");
  const { pagesOf } = await import("../../../src/review/render/layout.js");
  if (isLoadedOnly) return;
  const change = { actions: ["update"], before: { id, ...before }, after: { id, ...after } };
  const resource = { address: "tenant_network_acl.a", mode: "managed", type: "tenant_network_acl", change };
  const plan = parsePlan(JSON.stringify({ format_version: "1.2", resource_changes: [resource] }), "plan.json");
  const [tenant] = tenantsIn([{ name: "plan", plan }]);
  process.stdout.write(toText(pagesOf([reviewTenant(tenant!, {}).whole])));
}

void (journey.endsWith("review") ? reviewed() : changed());
