/** Reviews real plans with expectations in the provider block, and compares with the embedded tenant. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { remoteStateOf } from "../../src/review/ask";
import { readExpectationFile } from "../../src/review/expectations/file";
import { parsePlan } from "../../src/review/input/plan";
import { withPlaces } from "../../src/review/places/places";
import { reviewPlans } from "../../src/review/review";
import { pagesOf } from "../../src/review/render/layout";
import { toText } from "../../src/review/render/text";
import { openWorkspace, type Workspace } from "../support/workspace";

let workspace: Workspace;
beforeEach(async () => (workspace = await openWorkspace()));
afterEach(() => workspace.close());

const acl = (name: string, priority: number, rule: string) => `
  resource "tenant_network_acl" "${name}" {
    description = "${name}"
    active      = true
    priority    = ${priority}
    rule {
      scope = "tenant"
      ${rule}
    }
  }`;
const wall = acl("wall", 90, 'action { block = true }\nmatch { geo_country_codes = ["KP", "IR"] }');
const partners = acl("partners", 10, 'action { allow = true }\nmatch { ipv4_cidrs = ["198.51.100.0/24"] }');
const provider = (blocks: string) => `provider "tenant" {\n${blocks}\n}\n`;
const sanctions = (more = 'request {\nscopes = ["authentication"]\ncountries = ["KP", "IR"]\n}') =>
  `expectation {\nname = "sanctions"\noutcome = "blocked"\n${more}\n}`;

const planned = async () => {
  const { code, stderr } = await workspace.terraform("plan", "-out=plan", "-input=false");
  expect([code, stderr]).toEqual([0, ""]);
  return (await workspace.terraform("show", "-json", "plan")).stdout;
};

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

/** Terraform refuses a broken expectation, so the provider must only warn. */
const warning = (block: string) => block.replace("{", '{\nseverity = "warning"');

test("an expectation of the provider block is held before, and broken by an allow that is evaluated first", async () => {
  await workspace.apply(provider(warning(sanctions())) + wall);
  expect(verdicts(await reviewed(await planned()))).toEqual({ sanctions: "held" });

  await workspace.write(provider(warning(sanctions())) + wall + partners);
  const review = await reviewed(await planned());
  const [only] = review.expectations;
  expect(only).toMatchObject({ verdict: "broken", cause: [{ address: "tenant_network_acl.partners" }, {}] });
  const { ip, country, path: at } = only!.counterexample!;
  expect([ip.startsWith("198.51.100."), ["KP", "IR"].includes(country!), at]).toEqual([true, true, "/authorize"]);
  const text = toText(pagesOf([review]));
  expect(text).toMatch(
    /^● Breaks the expectation "sanctions": a request .* tenant_network_acl\.partners decides this request, main\.tf:\d+\. \[TNF-EXPECTATION-BROKEN\]$/m,
  );
  expect(text).toMatch(/^sanctions: ✖ broken -> .* main\.tf:\d+\.$/m);
});

test("an unmanaged ACL breaks an expectation only if the review reads the tenant", async () => {
  await workspace.apply(provider(warning(sanctions())) + wall);
  const text = await planned();
  const rule = { action: { allow: true }, scope: "tenant", match: { ipv4_cidrs: ["192.0.2.0/24"] } };
  const times = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };
  const byHand = { id: `acl_${"1".repeat(22)}`, description: "By hand", active: true, priority: 1, rule, ...times };
  workspace.emulator.store.networkAcls.put(byHand as never);
  expect(verdicts(await reviewed(text))).toEqual({ sanctions: "held" });
  const asked = await reviewed(text, { isAsked: true });
  expect(asked.expectations[0]!.text).toContain('by ACL "By hand" with priority 1');
  const blind = reviewPlans("plan", [parsePlan(text, "plan")]);
  expect(blind.expectations[0]).toMatchObject({ verdict: "held" });
  expect(blind.unseen).toContain("network_acls");
});

describe("values that the plan does not show", () => {
  const variables = 'variable "countries" {\ntype = list(string)\ndefault = ["KP", "IR"]\n}\n';

  test("a variable is known if the configuration has nothing but the variable", async () => {
    await workspace.apply(variables + provider(sanctions("request {\ncountries = var.countries\n}")) + wall);
    const text = await planned();
    expect(verdicts(await reviewed(text))).toEqual({ sanctions: "held" });
    const alone = await reviewed(text, { isAlone: true });
    expect(alone.expectations[0]).toMatchObject({
      verdict: "undecided",
      text: expect.stringContaining("It holds if `countries` is exactly var.countries."),
    });
  });

  test.each([
    ["a function of a variable", 'request {\ncountries = concat(var.countries, ["CU"])\n}'],
    ["a variable in a list", "request {\ncountries = [var.countries[0]]\n}"],
    ["a local value", "request {\ncountries = local.countries\n}"],
    ["a dynamic request", 'dynamic "request" {\nfor_each = ["KP"]\ncontent {\ncountries = [request.value]\n}\n}'],
    [
      "a dynamic exception",
      'request {\ncountries = ["KP"]\n}\ndynamic "except" {\nfor_each = ["192.0.2.1"]\ncontent {\nip_cidrs = [except.value]\n}\n}',
    ],
  ])("%s makes the expectation undecided", async (_, more) => {
    const locals = 'locals {\ncountries = ["KP"]\n}\n';
    await workspace.write(variables + locals + provider(warning(sanctions(more))) + wall);
    const review = await reviewed(await planned());
    expect(verdicts(review)).toEqual({ sanctions: "undecided" });
    expect(review.effects.map(({ code }) => code)).toContain("TNF-EXPECTATION-UNDECIDED");
  });

  test("a dynamic expectation block is a effect", async () => {
    const dynamic =
      'dynamic "expectation" {\nfor_each = ["KP"]\ncontent {\nname = expectation.value\noutcome = "blocked"\n' +
      "request {\ncountries = [expectation.value]\n}\n}\n}";
    await workspace.write(provider(dynamic) + wall);
    const { expectations, effects } = await reviewed(await planned());
    expect(expectations).toEqual([]);
    const texts = effects.flatMap(({ code, text }) => (code === "TNF-EXPECTATION-UNDECIDED" ? [text] : []));
    expect(texts).toEqual([expect.stringContaining("The provider configuration tenant has a dynamic block")]);
  });
});

test("JSON syntax has the same expectations as HCL", async () => {
  await workspace.write(wall + partners);
  const json = {
    variable: { countries: { type: "list(string)", default: ["KP", "IR"] } },
    provider: {
      tenant: {
        expectation: {
          name: "sanctions",
          outcome: "blocked",
          severity: "warning",
          request: [{ scopes: ["authentication"], countries: "${var.countries}" }],
          except: { ip_cidrs: ["198.51.100.0/24"] },
        },
      },
    },
  };
  await writeFile(path.join(workspace.directory, "provider.tf.json"), JSON.stringify(json));
  expect(verdicts(await reviewed(await planned()))).toEqual({ sanctions: "held" });
});

test.each([
  ["a dynamic request", { dynamic: { request: { for_each: ["KP"], content: { countries: ["${request.value}"] } } } }],
  ["a text around a variable", { request: { user_agents: ["bot/${var.release}"] } }],
  ["a function", { request: { countries: '${split(",", "KP,IR")}' } }],
])("%s in JSON syntax makes the expectation undecided", async (_, more) => {
  await workspace.write(wall);
  const json = {
    variable: { release: { type: "string", default: "1" } },
    provider: { tenant: { expectation: [{ name: "sanctions", outcome: "blocked", severity: "warning", ...more }] } },
  };
  await writeFile(path.join(workspace.directory, "provider.tf.json"), JSON.stringify(json));
  expect(verdicts(await reviewed(await planned()))).toEqual({ sanctions: "undecided" });
});

test("limits and members are judged with the values of the tenant", async () => {
  const organization = workspace.emulator.store.addOrganization({ name: "acme" }).id;
  workspace.emulator.store.addMembers(organization, ["auth0|1", "auth0|2"]);
  const blocks = [
    'expectation {\nname = "limit"\npolicy {\nconsumer = "third_party_clients"\nat_most = 50\n}\n}',
    `expectation {\nname = "staff"\nmembers {\norganization_id = "${organization}"\ninclude = ["auth0|1"]\nat_least = 2\n}\n}`,
  ].map(warning);
  const policy = (limit: number) =>
    'resource "tenant_rate_limit_policy" "all" {\nconsumer_selector = "third_party_clients"\n' +
    `configuration {\naction = "block"\nlimit = ${limit}\n}\n}\n`;
  const set = (...ids: string[]) =>
    `resource "tenant_organization_member_set" "staff" {\norganization_id = "${organization}"\nremove_existing = true\n` +
    `members = ${JSON.stringify(ids)}\n}\n`;
  await workspace.apply(provider(blocks.join("\n")) + policy(50) + set("auth0|1", "auth0|2"));
  expect(verdicts(await reviewed(await planned(), { isAsked: true }))).toEqual({ limit: "held", staff: "held" });
  await workspace.write(provider(blocks.join("\n")) + policy(51) + set("auth0|2", "auth0|3"));
  const review = await reviewed(await planned(), { isAsked: true });
  expect(verdicts(review)).toEqual({ limit: "broken", staff: "broken" });
  expect(review.effects.filter(({ code }) => code === "TNF-EXPECTATION-BROKEN")).toMatchObject([
    { level: "medium", cause: [{ address: "tenant_rate_limit_policy.all", words: "sets this limit" }] },
    { level: "medium", cause: [{ address: "tenant_organization_member_set.staff", words: "sets these members" }] },
  ]);
});

test("a plan of the base branch gives its expectations", async () => {
  await workspace.write(provider(sanctions()) + wall);
  await writeFile(path.join(workspace.directory, "base.json"), await planned());
  const edge = { stdin: (async function* () {})(), environment: {} };
  const files = await readExpectationFile(path.join(workspace.directory, "base.json"), edge);
  expect(files).toMatchObject([{ isConfiguration: true, read: [{ expectation: { name: "sanctions" } }] }]);
});
