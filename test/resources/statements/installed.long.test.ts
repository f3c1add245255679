/** Expectations in the shipped provider and in two provider configurations. */
import { createEmulator } from "../../../src/emulator/emulator";
import { install } from "../../support/installation";
import { openWorkspace, unwrapped } from "../../support/workspace";
import { acl, expecting, partner, sanctions, wall } from "./support/configuration";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function tenant() {
  const emulator = createEmulator({});
  const { url, close } = await emulator.listen();
  closing.push(close);
  const { clientId: TENANT_CLIENT_ID, clientSecret: TENANT_CLIENT_SECRET } = emulator;
  return { emulator, url, env: { TENANT_ENDPOINT: url, TENANT_CLIENT_ID, TENANT_CLIENT_SECRET } };
}

test("the shipped provider refuses a plan, and an apply of values that the plan did not know", async () => {
  const { emulator, env } = await tenant();
  const source = 'resource "terraform_data" "net" {\n input = "203.0.113.0/24"\n}\n';
  const allow = partner(10, "terraform_data.net.output");
  const installed = await install(`${expecting("sanctions", sanctions)}${wall()}${source}${allow}`);
  closing.push(() => installed.close());
  const first = await installed.terraform(["apply", "-auto-approve", "-target=tenant_network_acl.wall"], env);
  expect(first.code).toBe(0);
  const planned = await installed.terraform(["plan", "-out=plan"], env);
  expect([planned.code, unwrapped(planned.stdout)]).toEqual([0, expect.stringContaining('"sanctions" is undecided')]);
  const applied = await installed.terraform(["apply", "plan"], env);
  expect([applied.code, unwrapped(applied.stderr)]).toEqual([
    1,
    expect.stringMatching(/This step would break an expectation|"sanctions" is broken/),
  ]);
  expect([...emulator.store.networkAcls.values()].map(({ description }) => description)).toEqual(["wall"]);
  const again = await installed.terraform(["plan"], env);
  expect([again.code, unwrapped(again.stderr)]).toEqual([1, expect.stringContaining('"sanctions" is broken')]);
});

test("an expectation of one provider configuration does not concern another tenant", async () => {
  const other = await tenant();
  const workspace = await openWorkspace();
  closing.push(() => workspace.close());
  const second = `provider "tenant" {
  alias         = "b"
  endpoint      = "${other.url}"
  client_id     = "${other.emulator.clientId}"
  client_secret = "${other.emulator.clientSecret}"
}
`;
  const elsewhere = acl("partner", {
    action: "allow",
    priority: 10,
    match: 'ipv4_cidrs = ["203.0.113.0/24"]',
    rest: "provider = tenant.b",
  });
  await workspace.write(expecting("sanctions", sanctions) + second + elsewhere);
  expect((await workspace.terraform("plan")).code).toBe(0);
});
