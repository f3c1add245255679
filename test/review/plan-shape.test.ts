/** A plan of another form ends in one line that names the file. */
import { Readable } from "node:stream";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Values } from "../../src/impact/model";
import { review } from "../../src/review/command";
import { parsePlan } from "../../src/review/input/plan";
import { acl, block, change, planText } from "./support/plan";

const configured = (provider: Values) => ({ configuration: { provider_config: { tenant: provider } } });
const state = (module: unknown) => ({ prior_state: { values: { root_module: module } } });

test.each<[string, Values]>([
  ["configuration", configured({ expressions: { protected_request: { constant_value: [] } } })],
  ["configuration", configured({ expressions: { protected_request: "none" } })],
  ["configuration", configured({ expressions: { protected_request: [null] } })],
  ["configuration", configured({ expressions: { lockout_guard: null } })],
  ["configuration", configured({ full_name: 7 })],
  ["configuration", configured({ name: 7 })],
  ["configuration", { configuration: { provider_config: { tenant: null } } }],
  ["configuration", { configuration: { root_module: { resources: null } } }],
  ["configuration", { configuration: { root_module: { resources: [{ address: "a.b", provider_config_key: 7 }] } } }],
  ["configuration", { configuration: { root_module: { module_calls: { m: { module: { resources: [null] } } } } } }],
  ["prior_state", state({ resources: null })],
  ["prior_state", state({ resources: [null] })],
  ["prior_state", state({ child_modules: [{ resources: [{ address: 7 }] }] })],
  ["prior_state", state([])],
  ["variables", { variables: { ip: null } }],
  ["resource_changes", { resource_changes: [null] }],
  ["resource_changes", { resource_changes: [{ ...change("a.b", null, {}), address: 7 }] }],
  ["resource_drift", { resource_drift: [change("a.b", [] as never, null)] }],
])("refuses a plan whose %s has another form (case %#)", (part, more) => {
  expect(() => parsePlan(planText([], more), "p.json")).toThrow(
    `p.json is not a plan that can be read: ${part} has another form: give the output of`,
  );
});

test.each<[Values]>([
  [configured({ expressions: { protected_request: [{ ip: { constant_value: "192.0.2.1" } }] } })],
  [configured({ expressions: { protected_request: { ip: { references: ["var.ip"] } } } })],
  [configured({ name: "tenant", full_name: "registry.terraform.io/tenantform/tenant", expressions: {} })],
  [state({ resources: [{ address: "terraform_data.x", mode: "managed", type: "terraform_data" }] })],
])("reads a plan of the usual forms (case %#)", (more) => {
  expect(parsePlan(planText([], more), "p.json").resource_changes).toEqual([]);
});

test.each([7, "x", [7], [null]])("ends in one line and exit code 2, or reads on, if a rule is %j", async (rule) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  const file = path.join(folder, "plan.json");
  writeFileSync(file, planText([change("tenant_network_acl.a", null, { ...acl(1, { action: block }), rule })]));
  const edge = { stdin: Readable.from([]), environment: {} };
  expect([0, 2]).toContain(await review([file], { format: "json", output: "/dev/null" }, "0.0.0", edge));
  rmSync(folder, { recursive: true });
});
