/** Reviews real plans about limits and members after changes by hand, and applies the plans to compare. */
import { memberEffects, judgeMembers } from "../../src/impact/organization-member-set/effects";
import { limitEffects } from "../../src/impact/rate-limit-policy/effects";
import { remoteStateOf } from "../../src/review/ask";
import { objectsOf } from "../../src/review/objects";
import { parsePlan } from "../../src/review/input/plan";
import { reviewPlans } from "../../src/review/review";
import { toText } from "../../src/review/render/text";
import { openWorkspace, type Workspace } from "../support/workspace";

const [one, two, three, four, five] = ["auth0|1", "auth0|2", "auth0|3", "auth0|4", "auth0|5"] as const;
let workspace: Workspace;
let organization: string;
beforeEach(async () => {
  workspace = await openWorkspace();
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});
afterEach(() => workspace.close());

const present = () =>
  workspace.emulator.store
    .members(organization)!
    .list()
    .map(({ user }) => user)
    .toSorted();

/** `isAsked`: with the remote state of the tenant. */
async function reviewed(hcl: string, { args = [] as string[], isAsked = false } = {}) {
  await workspace.write(hcl);
  await workspace.terraform("plan", "-out=plan", "-input=false", ...args);
  const plan = parsePlan((await workspace.terraform("show", "-json", "plan")).stdout, "plan");
  const remote = isAsked ? await remoteStateOf(workspace.environment as NodeJS.ProcessEnv, [plan]) : undefined;
  const review = reviewPlans("plan", [plan], { remote });
  const people = memberEffects(judgeMembers(objectsOf(plan), remote?.organization_members));
  const effects = [...limitEffects(review.policies), ...people].map(({ level, text }) => `${level}: ${text}`);
  return { plan, review, effects, lost: review.members.flatMap(({ loses }) => loses) };
}

async function applied(): Promise<string[]> {
  const before = present();
  const { code, stderr } = await workspace.terraform("apply", "plan");
  expect([code, stderr]).toEqual([0, ""]);
  return before.filter((id) => !present().includes(id));
}

const set = (members: readonly string[], more = "") => `
  resource "tenant_organization_member_set" "staff" {
    organization_id = "${organization}"
    members         = ${JSON.stringify(members)}
    ${more}
  }`;
const limit = (configuration: string, name = "all", selector = "default") => `
  resource "tenant_rate_limit_policy" "${name}" {
    consumer_selector = "${selector}"
    configuration {
      ${configuration}
    }
  }`;
const block = (number: number) => `action = "block"\nlimit = ${number}`;

test("members who joined by hand stay when the set is destroyed", async () => {
  await workspace.apply(set([one, two], "allow_empty = true"));
  workspace.emulator.store.addMembers(organization, [three, four]);
  const { effects, lost } = await reviewed("");
  expect(effects).toEqual([`medium: 2 of 4 members lose access to ${organization}: ${one}, ${two}.`]);
  expect(await applied()).toEqual(lost);
});

test("a member who left by hand does not lose access when the set is destroyed", async () => {
  await workspace.apply(set([one, two, three], "allow_empty = true"));
  workspace.emulator.store.removeMembers(organization, [three]);
  const { effects, lost } = await reviewed("");
  expect(effects).toEqual([
    `critical: All 2 members lose access to ${organization}, so nobody is left: ${one}, ${two}.`,
  ]);
  expect(await applied()).toEqual(lost);
});

test("members who joined by hand leave when the set is updated", async () => {
  await workspace.apply(set([one, two]));
  workspace.emulator.store.addMembers(organization, [three]);
  const { effects, lost } = await reviewed(set([one, two, four]));
  expect(effects).toEqual([
    `medium: 1 of 3 members loses access to ${organization}: ${three}.`,
    `low: 1 member gains access to ${organization}: ${four}.`,
  ]);
  expect(await applied()).toEqual(lost);
});

test("a set that is not exclusive loses a share of the whole organization", async () => {
  const shared = "exclusive = false";
  await workspace.apply(set([one, two], shared));
  workspace.emulator.store.addMembers(
    organization,
    Array.from({ length: 10 }, (_, index) => `auth0|hand${index}`),
  );
  const dropped = set([one], shared);
  expect((await reviewed(dropped, { isAsked: true })).effects).toEqual([
    `low: 1 of 12 members loses access to ${organization}: ${two}.`,
  ]);
  const { effects, lost } = await reviewed(dropped);
  expect(effects).toEqual([
    `low: 1 member (the number of all members is not known) loses access to ${organization}: ${two}.`,
  ]);
  expect(await applied()).toEqual(lost);
});

test("a set that is not exclusive empties nothing, as far as its plan shows", async () => {
  await workspace.apply(set([one], "exclusive = false"));
  workspace.emulator.store.addMembers(organization, [two]);
  const { effects, lost } = await reviewed("");
  expect(effects).toEqual([
    `low: 1 member (the number of all members is not known) loses access to ${organization}: ${one}.`,
  ]);
  expect(await applied()).toEqual(lost);
});

test("a member dropped while the set stops being exclusive stays, and the review says so", async () => {
  await workspace.apply(set([one, two, three]));
  const { review, effects, lost } = await reviewed(set([one, two], "exclusive = false"));
  expect(effects).toEqual([]);
  expect(review.effects).toMatchObject([
    { level: "info", text: expect.stringContaining(`1 member stays in ${organization}, although`) },
  ]);
  expect(toText([review])).toContain(`no longer lists them: ${three}.`);
  expect(await applied()).toEqual(lost);
});

test("a set that becomes exclusive removes everyone it does not list", async () => {
  await workspace.apply(set([one], "exclusive = false"));
  workspace.emulator.store.addMembers(organization, [two, three, four, five]);
  const { effects, lost } = await reviewed(set([one, two]), { isAsked: true });
  expect(effects).toEqual([`high: 3 of 5 members lose access to ${organization}: ${three}, ${four}, ${five}.`]);
  expect(await applied()).toEqual(lost);
});

test("a limit that was changed by hand is compared as it is now", async () => {
  await workspace.apply(limit(block(100)) + limit(block(50), "partners", "third_party_clients"));
  for (const policy of workspace.emulator.store.rateLimitPolicies.values()) {
    const configuration = { action: "block", limit: policy["consumer_selector"] === "default" ? 5 : 40 };
    workspace.emulator.store.rateLimitPolicies.put({ ...policy, configuration } as never);
  }
  const { effects, review } = await reviewed(limit(block(50), "partners", "third_party_clients"));
  expect(effects.toSorted()).toEqual([
    "low: Third-party applications can send 50 requests/s together, from 40.",
    "medium: The limit of applications without a policy of their own (5 requests/s) is removed.",
  ]);
  expect(toText([review])).not.toContain("100/s");
});

test("a redirect that becomes a block at the same limit is neither tighter nor looser", async () => {
  const redirect = 'action = "redirect"\nlimit = 5\nredirect_uri = "https://busy.example/"';
  await workspace.apply(limit(redirect));
  const { effects, review } = await reviewed(limit(block(5)));
  expect(effects).toEqual([
    "medium: Requests of applications without a policy of their own above 5 requests/s are blocked, no longer redirected.",
  ]);
  expect(review.effects.map(({ code }) => code)).toContain("TNF-LIMIT-REDIRECT");
  expect(review.effects.map(({ code }) => code).filter((code) => /TIGHTENED|LOOSENED/.test(code))).toEqual([]);
});

test.each(["with changes by hand", "without changes"])(
  "a refresh-only plan %s is complete and has no effect",
  async (which) => {
    await workspace.apply(set([one, two]) + limit(block(5)));
    if (which === "with changes by hand") workspace.emulator.store.addMembers(organization, [three]);
    const { review, effects } = await reviewed(set([one]) + limit(block(0)), { args: ["-refresh-only"] });
    expect(review.complete).toBe(true);
    expect(review.effects.map(({ code }) => code)).not.toContain("TNF-INCOMPLETE");
    expect(effects).toEqual([]);
  },
);

test("a plan that ended with an error is incomplete, and nothing is proven", async () => {
  await workspace.apply(set([one, two]));
  const failing = `${limit(block(5))}
    resource "tenant_rate_limit_policy" "more" {
      consumer_selector = "default"
      configuration {
        action = "allow"
      }
    }`;
  const { plan, review } = await reviewed(set([one]) + failing);
  expect(plan.errored).toBe(true);
  expect(review).toMatchObject({ complete: false, isUncertain: true, acls: { proven: false } });
  expect(review.effects.map(({ text }) => text)).toContainEqual(
    expect.stringContaining("The plan failed: planning ended with an error."),
  );
  expect(toText([review])).not.toMatch(/proven complete/i);
});
