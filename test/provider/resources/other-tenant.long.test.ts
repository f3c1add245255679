/** A state is used only with the tenant that it belongs to. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Emulator } from "../../../src/emulator/emulator";
import * as hcl from "../../support/hcl";
import { listeningTenant } from "../../support/tenant";
import { openWorkspace, type Workspace } from "../../support/workspace";

const acl = (name: string, description = name) => hcl.acl(name, { description, priority: name.charCodeAt(0) - 96 });

let workspace: Workspace;
let other: Emulator;
let own: Workspace["environment"];
let close: (() => Promise<void>) | undefined;
/** Connects the provider to the other tenant. */
let leave: () => void;
const comeBack = () => void Object.assign(workspace.environment, own, { TENANT_ACCEPT_MOVED: undefined });
beforeEach(async () => {
  workspace = await openWorkspace();
  own = { ...workspace.environment };
  await workspace.apply(acl("a") + acl("b"));
  // A restored copy: the same objects with the same ids.
  const listening = await listeningTenant({ seed: workspace.emulator.snapshot() });
  ({ emulator: other, close } = listening);
  leave = () => void Object.assign(workspace.environment, listening.env);
});
afterEach(async () => {
  await Promise.all([close?.(), workspace.close()]);
});

const refused = async (...args: string[]) => {
  const errors = await workspace.refused(...args);
  expect(errors.match(/Error: /g)).toHaveLength(1);
  return errors;
};
/** The writes to the other tenant. */
const writes = () => other.requests.filter(({ method, path: at }) => method !== "GET" && at !== "/oauth/token");
const instanceOf = (text: string) => text.match(/embedded-[0-9a-f]{12}/g)!;

test("refuses a plan, a destroy and an apply of a saved plan on another tenant with one error that names both", async () => {
  await workspace.write(acl("a", "changed") + acl("b"));
  await workspace.plan();
  leave();
  const message = await refused("plan");
  expect(message).toContain("The state belongs to another tenant");
  const [before, now, way] = instanceOf(message);
  expect(before).not.toBe(now);
  expect(message).toContain(`TENANT_ACCEPT_MOVED=${way}`);
  expect(way).toBe(now);
  expect(await refused("plan", "-refresh=false")).toContain("The state belongs to another tenant");
  expect(await refused("plan", "-destroy")).toContain("The state belongs to another tenant");
  for (const command of [
    ["destroy", "-refresh=false", "-auto-approve"],
    ["apply", "plan"],
  ])
    expect(await workspace.refused(...command)).toContain("The state belongs to another tenant");
  expect(writes()).toEqual([]);
  comeBack();
  expect(await workspace.terraform("apply", "plan")).toMatchObject({ code: 0 });
});

test("a saved plan that only creates objects goes to no tenant that allowed_domains does not name", async () => {
  const allowed = (host: string) => `provider "tenant" {
  allowed_domains = ["${new URL(own.TENANT_ENDPOINT!).host}"]
}
${host}`;
  await workspace.destroy();
  await workspace.write(allowed(acl("a")));
  await workspace.plan();
  leave();
  expect(await refused("apply", "plan")).toContain("The tenant is not allowed");
  expect(other.requests).toEqual([]);
});

test("TENANT_ACCEPT_MOVED moves the state to a restored copy, and then the old tenant is refused", async () => {
  leave();
  workspace.environment.TENANT_ACCEPT_MOVED = "embedded-000000000000";
  const [, now] = instanceOf(await refused("plan"));
  workspace.environment.TENANT_ACCEPT_MOVED = now;
  expect(await workspace.apply(acl("a", "changed") + acl("b"))).toContain("1 changed");
  workspace.environment.TENANT_ACCEPT_MOVED = undefined;
  await workspace.settled();
  comeBack();
  expect(await refused("plan")).toContain("The state belongs to another tenant");
});

test("a state without the note learns it, and another spelling names the same tenant", async () => {
  const file = path.join(workspace.directory, "terraform.tfstate");
  const state = JSON.parse(await readFile(file, "utf8"));
  for (const { instances } of state.resources) {
    const { account, ...rest } = JSON.parse(Buffer.from(instances[0].private, "base64").toString());
    expect(account.id).toMatch(/^embedded-/);
    instances[0].private = Buffer.from(JSON.stringify(rest)).toString("base64");
  }
  await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));
  workspace.environment.TENANT_ENDPOINT = own.TENANT_ENDPOINT!.replace("127.0.0.1", "localhost");
  await workspace.apply();
  comeBack();
  await workspace.settled();
  leave();
  expect(await refused("plan")).toContain("The state belongs to another tenant");
});

test("an import notes its tenant, with no call more than before", async () => {
  const { id } = workspace.emulator.snapshot().network_acls!.find(({ description }) => description === "a")!;
  await workspace.terraform("state", "rm", "tenant_network_acl.a");
  workspace.served();
  await workspace.apply(acl("a") + acl("b") + `import {\n  to = tenant_network_acl.a\n  id = "${id}"\n}\n`);
  expect(workspace.served().filter((call) => !call.startsWith("GET /api/v2/network-acls"))).toEqual([]);
  leave();
  expect(await refused("plan", "-target=tenant_network_acl.a")).toContain("The state belongs to another tenant");
});
