/** Reviews plans of real Terraform, after changes by hand and failed applies, and applies the plans to compare. */
import { worded } from "../judge/impact/support/worded";
import { randomBytes } from "node:crypto";
import { judgeMembers } from "../../src/judge/impact/organization-member-set/effects";
import { limitEffects } from "../../src/judge/impact/rate-limit-policy/effects";
import { parsePlan } from "../../src/review/input/plan";
import { formats, rendered } from "../../src/review/report/output";
import { pagesOf } from "../../src/review/report/sections";
import { toText } from "../../src/review/report/text";
import * as hcl from "../support/hcl";
import { openWorkspace, type Workspace } from "../support/workspace";
import { inputsOf, reviewPlans } from "./support/plan";

let workspace: Workspace;
let organization: string;
beforeEach(async () => {
  workspace = await openWorkspace({ flags: ["tenant_acl_hmac_signature"] });
  organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
});

async function planned(text: string, ...args: readonly string[]) {
  await workspace.write(text);
  await workspace.terraform("plan", "-out=plan", "-input=false", ...args);
  const json = (await workspace.terraform("show", "-json", "plan")).stdout;
  const plan = parsePlan(json, "plan");
  return { json, plan, review: reviewPlans("plan", [plan]) };
}

const ids = (...numbers: readonly number[]) => numbers.map((number) => `auth0|${number}`);
const present = () => [...workspace.emulator.store.members(organization)!.list()].map(({ user }) => user).toSorted();
const join = (...numbers: readonly number[]) => workspace.emulator.store.addMembers(organization, ids(...numbers));

const set = (numbers: readonly number[], more = "") => hcl.memberSet(organization, ids(...numbers), more);
const limit = (configuration: string, name = "all", selector = "default") => `
  resource "tenant_rate_limit_policy" "${name}" {
    consumer_selector = "${selector}"
    configuration {
      ${configuration}
    }
  }`;
const block = (number: number) => `action = "block"\nlimit = ${number}`;
const others = (number: number) => limit(block(number), "partners", "third_party_clients");

interface Row {
  readonly what: string;
  readonly before: () => string;
  readonly byHand?: () => void;
  readonly after: () => string;
  /** `ORG`: the id of the organization. */
  readonly effects: readonly string[];
}

const rows: readonly Row[] = [
  {
    what: "members who joined by hand stay when the set is destroyed",
    before: () => set([1, 2], "allow_empty = true"),
    byHand: () => join(3, 4),
    after: () => "",
    effects: ["medium: 2 of 4 members lose access to ORG: auth0|1, auth0|2."],
  },
  {
    what: "a limit that was changed by hand is compared as it is now",
    before: () => limit(block(100)) + others(50),
    byHand() {
      const { rateLimitPolicies } = workspace.emulator.store;
      for (const policy of rateLimitPolicies.values()) {
        const number = policy["consumer_selector"] === "default" ? 5 : 40;
        rateLimitPolicies.put({ ...policy, configuration: { action: "block", limit: number } } as never);
      }
    },
    after: () => others(50),
    effects: [
      "medium: Limit of all applications without a policy of their own: block above 5 requests/s for each application -> no limit.",
      "low: Limit of third-party applications: block above 40 requests/s for all together -> block above 50 requests/s for all together.",
    ],
  },
];

test.each(rows.map((row) => [row.what, row] as const))("%s", async (_what, row) => {
  await workspace.apply(row.before());
  row.byHand?.();
  const { plan } = await planned(row.after());
  const review = reviewPlans("plan", [plan]);
  const people = judgeMembers(inputsOf([plan])[0]!.objects).effects;
  const effects = [...limitEffects(review.policies), ...people]
    .map(worded)
    .map(({ level, text }) => `${level}: ${text}`);
  expect(effects.map((text) => text.replaceAll(organization, "ORG")).toSorted()).toEqual(row.effects.toSorted());
  const were = present();
  const { code, stderr } = await workspace.terraform("apply", "plan");
  expect([code, stderr]).toEqual([0, ""]);
  const gone = were.filter((id) => !present().includes(id));
  expect(gone).toEqual(review.members.flatMap(({ loses }) => loses));
});

test("a refresh-only plan with changes by hand is complete and has no effect", async () => {
  await workspace.apply(set([1, 2]) + limit(block(5)));
  join(3);
  const { review } = await planned(set([1]) + limit(block(0)), "-refresh-only");
  expect([review.complete, review.effects.map(worded).filter(({ who }) => who !== undefined)]).toEqual([true, []]);
});

test("a plan that ended with an error is incomplete, and nothing is proven", async () => {
  await workspace.apply(set([1, 2]));
  const { plan, review } = await planned(set([1]) + limit(block(5)) + limit('action = "allow"', "more"));
  expect(plan.errored).toBe(true);
  expect(review).toMatchObject({ complete: false, isUncertain: true, acls: { proven: false } });
  expect(toText(pagesOf([review]))).toContain("The plan failed, so nothing can be applied");
});

describe("keys", () => {
  const edge = "tenant_network_acl_key.edge";
  const material = () => randomBytes(32).toString("base64");
  const key = (name: string, value: string, given = 'name_prefix = "edge-"') =>
    hcl.key(name, `value = "${value}"`, hcl.createFirst, given);
  const rule = (name: string, priority: number, id: string) => {
    const criteria = `match {\n http_message_signature {\n keys {\n id = ${id}\n }\n }\n }`;
    return hcl.acl(name, { action: "allow", priority, criteria, scope: "authentication" });
  };
  const told = ({ review }: Awaited<ReturnType<typeof planned>>) =>
    review.effects
      .filter(({ code }) => /^TNF-(KEY|REPLACED|MOVED|DESTROYED)/.test(code))
      .map(worded)
      .map(({ code, address, text }) => `${code} ${address}: ${/\b(is|will be) \w+/.exec(text)?.[0]}`);

  test("are created, rotated, renamed and destroyed, and no format shows their material", async () => {
    const [first, second, other] = [material(), material(), material()] as [string, string, string];
    const moved = "\nmoved {\n  from = tenant_network_acl_key.old\n  to = tenant_network_acl_key.renamed\n}\n";
    await workspace.apply(key("edge", first) + key("old", other, 'name = "old"') + rule("follows", 1, `${edge}.id`));
    const changed = await planned(
      key("edge", second) +
        key("renamed", other, 'name = "older"') +
        key("new", material(), 'name = "new"') +
        moved +
        rule("follows", 1, `${edge}.id`),
    );
    expect(told(changed).toSorted()).toEqual([
      "TNF-KEY-CREATED tenant_network_acl_key.new: is created",
      expect.stringContaining("TNF-KEY-ROTATED tenant_network_acl.follows: "),
      "TNF-MOVED tenant_network_acl_key.renamed: is now",
      `TNF-REPLACED ${edge}: is rotated`,
      "TNF-REPLACED tenant_network_acl_key.renamed: is renamed",
    ]);
    const bare = parsePlan(changed.json.replaceAll(/"(before|after)_sensitive"/g, '"unread"'), "plan");
    expect(changed.json).toContain(second);
    for (const review of [changed.review, reviewPlans("plan", [bare])]) {
      for (const format of formats) {
        const text = await rendered(format, [{ whole: review, parts: [] }], {
          tag: "t",
          version: "1",
          environment: {},
        });
        for (const secret of [first, second, other]) expect(text).not.toContain(secret.replace(/=+$/, ""));
      }
    }
    const destroyed = await planned(key("edge", first) + rule("follows", 1, '"key_8mJ2rTqZsWv5nYxB4cKdEf"'));
    expect(told(destroyed)).toEqual(["TNF-DESTROYED tenant_network_acl_key.old: is destroyed"]);
  });

  test("that an earlier apply replaced are told from the keys in their place", async () => {
    await workspace.apply(key("edge", material()));
    const lift = workspace.emulator.faults.add({ method: "DELETE", path: "/api/v2/keys/network-acls/*", status: 400 });
    const next = key("edge", material());
    await workspace.write(next);
    expect((await workspace.terraform("apply", "-auto-approve")).code).toBe(1);
    lift();
    const left = { code: "TNF-DESTROYED", subject: { address: "tenant_network_acl_key.edge" } };
    expect((await planned(next)).review.effects).toMatchObject([left]);
    const again = await planned(key("edge", material()));
    expect(again.review.effects).toMatchObject([{ code: "TNF-REPLACED" }, left, { code: "TNF-EARLY-ACCESS" }]);
  });
});
