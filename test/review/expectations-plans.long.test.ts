/** Reviews real plans with expectations in the provider block: the review agrees with Terraform's own values. */
import { worded } from "../judge/impact/support/worded";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parsePlan } from "../../src/review/input/plan";
import { withPlaces } from "../../src/review/input/places";
import { partner, wall } from "../provider/resources/statements/support/configuration";
import { openWorkspace, type Workspace } from "../support/workspace";
import { reviewPlans } from "./support/plan";

let workspace: Workspace;
beforeEach(async () => (workspace = await openWorkspace()));

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

/** `isAlone`: without the configuration next to the plan. */
async function reviewed(text: string, { isAlone = false } = {}) {
  const plan = parsePlan(text, "plan");
  return reviewPlans("plan", [isAlone ? plan : withPlaces(plan, [workspace.directory], workspace.directory)]);
}

const verdicts = ({ expectations }: Awaited<ReturnType<typeof reviewed>>) =>
  Object.fromEntries(expectations.map(({ expectation, verdict }) => [expectation.name, verdict]));

const variables = 'variable "countries" {\ntype = list(string)\ndefault = ["KP", "IR"]\n}\n';

test("a variable is known if the configuration has nothing but the variable, in HCL and JSON", async () => {
  const text = await planned(variables + sanctions("request {\ncountries = var.countries\n}") + wall(90));
  expect(verdicts(await reviewed(text))).toEqual({ sanctions: "held" });
  const alone = await reviewed(text, { isAlone: true });
  expect(alone.expectations[0]).toMatchObject({
    verdict: "undecided",
    reason: { kind: "assumed", that: [{ is: "variable", attribute: "countries", variable: "var.countries" }] },
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
  ["a dynamic request", 'dynamic "request" {\nfor_each = ["KP"]\ncontent {\ncountries = [request.value]\n}\n}'],
  ["JSON: a text around a variable", { request: { user_agents: ["bot/${var.countries[0]}"] } }],
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
