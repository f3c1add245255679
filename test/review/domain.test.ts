/** `review --domain` refuses plans for other tenants. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { review } from "../../src/review/command";

const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-domain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "plan.json");

/** The exit code, and what is printed. `written`: the domain in the configuration next to the plan. */
async function reviewed(expressions: object, domain: string, variables = {}, written = "") {
  const provider_config = {
    tenant: { name: "tenant", full_name: "registry.terraform.io/tenantform/tenant", expressions },
  };
  const plan = {
    format_version: "1.2",
    variables,
    resource_changes: [],
    planned_values: {},
    configuration: { provider_config, root_module: {} },
  };
  writeFileSync(file, JSON.stringify(plan));
  writeFileSync(path.join(folder, "main.tf"), written === "" ? "" : `provider "tenant" {\n  domain = ${written}\n}\n`);
  const spy = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const output = path.join(folder, "review.md");
    const code = await review([file], { domain, output }, "0.0.0", { stdin: Readable.from([]), environment: {} });
    return [code, spy.mock.calls.join("")];
  } finally {
    spy.mockRestore();
  }
}
const text = (constant_value: string) => ({ constant_value });

const byVariable = { domain: { references: ["var.domain"] } };

test.each<[object, string, string]>([
  [{ domain: text("acme.eu.auth0.com") }, "ACME.eu.auth0.com.", ""],
  [{ endpoint: text("https://acme.eu.auth0.com/") }, "acme.eu.auth0.com", ""],
  [{ domain: { constant_value: "${var.domain}", references: ["var.domain"] } }, "acme.eu.auth0.com", ""],
  [byVariable, "acme.eu.auth0.com", "var.domain"],
])("accepts %j for %s", async (expressions, domain, written) => {
  const variables = { domain: { value: "acme.eu.auth0.com" } };
  expect(await reviewed(expressions, domain, variables, written)).toEqual([0, ""]);
});

const other = { domain: { value: "other.example" } };
const same = { domain: { value: "acme.eu.auth0.com" } };

test.each<[string, object, object, string, string]>([
  [
    "another constant",
    { domain: text("staging.eu.auth0.com") },
    other,
    "",
    "is for the tenant staging.eu.auth0.com, but --domain names acme.eu.auth0.com",
  ],
  ["no domain", {}, other, "", "does not name its tenant"],
  ["a prefix", { environment_prefix: text("ACME") }, other, "", "does not name its tenant"],
  ["a local value", { domain: { references: ["local.domain"] } }, other, "", "does not name its tenant"],
  ["another variable", byVariable, other, "var.domain", "is for the tenant other.example"],
  ["a variable without the configuration", byVariable, same, "", "review the plan next to its configuration"],
  ["a text around the variable", byVariable, same, '"evil-${var.domain}"', "does not name its tenant"],
  [
    "a text around the variable in JSON",
    { domain: { constant_value: "evil-${var.domain}", references: ["var.domain"] } },
    same,
    "",
    "does not name its tenant",
  ],
])("refuses %s", async (_, expressions, variables, written, words) => {
  expect(await reviewed(expressions, "acme.eu.auth0.com", variables, written)).toEqual([
    2,
    expect.stringContaining(words),
  ]);
});
