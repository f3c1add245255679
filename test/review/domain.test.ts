/** `review --domain` refuses plans for other tenants. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { review } from "../../src/review/command";

const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-domain-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "plan.json");

/** The exit code, and what is printed. */
async function reviewed(expressions: object, domain: string, variables = {}) {
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

test.each([
  [{ domain: text("acme.eu.auth0.com") }, "ACME.eu.auth0.com."],
  [{ endpoint: text("https://acme.eu.auth0.com/") }, "acme.eu.auth0.com"],
  [{ domain: { references: ["var.domain"] } }, "acme.eu.auth0.com"],
])("accepts %j for %s", async (expressions, domain) => {
  expect(await reviewed(expressions, domain, { domain: { value: "acme.eu.auth0.com" } })).toEqual([0, ""]);
});

test.each([
  [
    { domain: text("staging.eu.auth0.com") },
    "is for the tenant staging.eu.auth0.com, but --domain names acme.eu.auth0.com",
  ],
  [{}, "does not name its tenant"],
  [{ domain: { references: ["local.domain"] } }, "does not name its tenant"],
  [{ domain: { references: ["var.domain"] } }, "is for the tenant other.example"],
])("refuses %j", async (expressions, words) => {
  const variables = { domain: { value: "other.example" } };
  expect(await reviewed(expressions, "acme.eu.auth0.com", variables)).toEqual([2, expect.stringContaining(words)]);
});
