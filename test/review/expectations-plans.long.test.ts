/** Reviews real plans with expectations in the provider block: the review agrees with Terraform's own values. */
import { worded } from "../impact/support/worded";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { remoteStateOf } from "../../src/review/ask";
import { readBase } from "../../src/review/base";
import { parsePlan } from "../../src/review/input/plan";
import { withPlaces } from "../../src/review/places/places";
import { reviewPlans } from "../../src/review/review";
import { pagesOf } from "../../src/review/render/layout";
import { toText } from "../../src/review/render/text";
import { members, partner, policy, wall } from "../resources/statements/support/configuration";
import { openWorkspace, type Workspace } from "../support/workspace";

let workspace: Workspace;
beforeEach(async () => (workspace = await openWorkspace()));
afterEach(() => workspace.close());

const provider = (blocks: string) => `provider "tenant" {\nhide_early_access_warning = true\n${blocks}\n}\n`;
/** Terraform refuses a broken expectation, so the provider must only warn. */
const sanctions = (more = 'request {\nscopes = ["authentication"]\ncountries = ["KP", "IR"]\n}') =>
  provider(`expectation {\nseverity = "warning"\nname = "sanctions"\noutcome = "blocked"\n${more}\n}`);

async function planned(hcl?: string, json?: object): Promise<string> {
  if (hcl !== undefined) await workspace.write(hcl);
  if (json) await writeFile(path.join(workspace.directory, "provider.tf.json"), JSON.stringify(json));
  const { code, stderr } = await workspace.terraform("plan", "-out=plan", "-input=false");
  expect([code, stderr]).toEqual([0, ""]);
  return (await workspace.terraform("show", "-json", "plan")).stdout;
}

interface Options {
  /** Without the configuration next to the plan. */
  readonly isAlone?: boolean;
  /** With the remote state of the tenant. Otherwise, all objects of the tenant are managed. */
  readonly isAsked?: boolean;
}

async function reviewed(text: string, { isAlone = false, isAsked = false }: Options = {}) {
  const plan = parsePlan(text, "plan");
  const placed = isAlone ? plan : withPlaces(plan, [workspace.directory], workspace.directory);
  const remote = isAsked ? await remoteStateOf(workspace.environment as NodeJS.ProcessEnv, [plan]) : undefined;
  return reviewPlans("plan", [placed], { remote });
}

const verdicts = ({ expectations }: Awaited<ReturnType<typeof reviewed>>) =>
  Object.fromEntries(expectations.map(({ expectation, verdict }) => [expectation.name, verdict]));

test("an expectation is held before, and broken by an allow that comes first, and by an unmanaged one if the review reads the tenant", async () => {
  await workspace.apply(sanctions() + wall(90));
  const text = await planned();
  expect(verdicts(await reviewed(text))).toEqual({ sanctions: "held" });
  await writeFile(path.join(workspace.directory, "base.json"), text);
  const edge = { stdin: (async function* () {})(), environment: {} };
  const base = await readBase(path.join(workspace.directory, "base.json"), edge, "--base");
  expect(base.expectations).toMatchObject([{ isConfiguration: true, read: [{ expectation: { name: "sanctions" } }] }]);

  const review = await reviewed(await planned(sanctions() + wall(90) + partner(10, '"198.51.100.0/24"')));
  const [only] = review.expectations;
  expect(only).toMatchObject({ verdict: "broken", cause: [{ address: "tenant_network_acl.partner" }, {}] });
  const { ip, country, path: at } = only!.counterexample!;
  expect([ip.startsWith("198.51.100."), ["KP", "IR"].includes(country!), at]).toEqual([true, true, "/authorize"]);
  expect(toText(pagesOf([review]))).toMatch(
    /^● medium: Breaks the expectation "sanctions": A request .* tenant_network_acl\.partner decides this request, main\.tf:\d+\. \[TNF-EXPECTATION-BROKEN\]$/m,
  );

  const rule = { action: { allow: true }, scope: "tenant", match: { ipv4_cidrs: ["192.0.2.0/24"] } };
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const byHand = { id: `acl_${"1".repeat(22)}`, description: "By hand", active: true, priority: 1, rule, ...times };
  workspace.emulator.store.networkAcls.put(byHand as never);
  const asked = await reviewed(text, { isAsked: true });
  expect(asked.expectations[0]!.text).toContain('by ACL "By hand" with priority 1');
  const blind = await reviewed(text);
  expect([verdicts(blind), blind.unseen]).toEqual([{ sanctions: "held" }, expect.arrayContaining(["network_acls"])]);
});

const variables = 'variable "countries" {\ntype = list(string)\ndefault = ["KP", "IR"]\n}\n';

test("a variable is known if the configuration has nothing but the variable, in HCL and JSON", async () => {
  const text = await planned(variables + sanctions("request {\ncountries = var.countries\n}") + wall(90));
  expect(verdicts(await reviewed(text))).toEqual({ sanctions: "held" });
  const alone = await reviewed(text, { isAlone: true });
  expect(alone.expectations[0]).toMatchObject({
    verdict: "undecided",
    text: expect.stringContaining("It holds if `countries` is exactly var.countries."),
  });
  const request = [{ scopes: ["authentication"], countries: "${var.countries}" }];
  const expectation = { name: "sanctions", outcome: "blocked", severity: "warning", request };
  const json = { provider: { tenant: { expectation: { ...expectation, except: { ip_cidrs: ["203.0.113.0/24"] } } } } };
  expect(verdicts(await reviewed(await planned(variables + wall(90) + partner(), json)))).toEqual({
    sanctions: "held",
  });
});

test.each<[string, string | object]>([
  ["a function of a variable", 'request {\ncountries = concat(var.countries, ["CU"])\n}'],
  ["a variable in a list", "request {\ncountries = [var.countries[0]]\n}"],
  ["a local value", "request {\ncountries = local.countries\n}"],
  ["a dynamic request", 'dynamic "request" {\nfor_each = ["KP"]\ncontent {\ncountries = [request.value]\n}\n}'],
  [
    "a dynamic exception",
    'request {\ncountries = ["KP"]\n}\ndynamic "except" {\nfor_each = ["192.0.2.1"]\ncontent {\nip_cidrs = [except.value]\n}\n}',
  ],
  [
    "JSON: a dynamic request",
    { dynamic: { request: { for_each: ["KP"], content: { countries: ["${request.value}"] } } } },
  ],
  ["JSON: a text around a variable", { request: { user_agents: ["bot/${var.countries[0]}"] } }],
  ["JSON: a function", { request: { countries: '${split(",", "KP,IR")}' } }],
])("%s makes the expectation undecided", async (_, more) => {
  const locals = `${variables}locals {\ncountries = ["KP"]\n}\n`;
  const expectation = [{ name: "sanctions", outcome: "blocked", severity: "warning", ...(more as object) }];
  const text =
    typeof more === "string"
      ? await planned(locals + sanctions(more) + wall(90))
      : await planned(locals + wall(90), { provider: { tenant: { expectation } } });
  const review = await reviewed(text);
  expect(verdicts(review)).toEqual({ sanctions: "undecided" });
  expect(review.effects.map(({ code }) => code)).toContain("TNF-EXPECTATION-UNDECIDED");
});

test("a dynamic expectation block is an effect", async () => {
  const dynamic =
    'dynamic "expectation" {\nfor_each = ["KP"]\ncontent {\nname = expectation.value\noutcome = "blocked"\n' +
    "request {\ncountries = [expectation.value]\n}\n}\n}";
  const { expectations, effects } = await reviewed(await planned(provider(dynamic) + wall(90)));
  expect(expectations).toEqual([]);
  const texts = effects.map(worded).flatMap(({ code, text }) => (code === "TNF-EXPECTATION-UNDECIDED" ? [text] : []));
  expect(texts).toEqual([expect.stringContaining("The provider configuration tenant has a dynamic block")]);
});

test("limits and members are judged with the values of the tenant", async () => {
  const { id } = workspace.emulator.store.addOrganization({ name: "acme" });
  const warning = (name: string, body: string) => `expectation {\nseverity = "warning"\nname = "${name}"\n${body}\n}\n`;
  const head = provider(
    warning("limit", 'policy {\nconsumer = "third_party_clients"\nat_most = 50\n}') +
      warning("staff", `members {\norganization_id = "${id}"\ninclude = ["auth0|1"]\nat_least = 2\n}`),
  );
  await workspace.apply(head + policy(50) + members(id, ["auth0|1", "auth0|2"]));
  expect(verdicts(await reviewed(await planned(), { isAsked: true }))).toEqual({ limit: "held", staff: "held" });
  const text = await planned(head + policy(51) + members(id, ["auth0|2", "auth0|3"]));
  const review = await reviewed(text, { isAsked: true });
  expect(verdicts(review)).toEqual({ limit: "broken", staff: "broken" });
  expect(review.effects.filter(({ code }) => code === "TNF-EXPECTATION-BROKEN")).toMatchObject([
    { level: "medium", cause: [{ address: "tenant_rate_limit_policy.third" }] },
    { level: "medium", cause: [{ address: "tenant_organization_member_set.staff" }] },
  ]);
});
