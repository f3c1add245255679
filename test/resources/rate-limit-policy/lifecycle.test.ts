/** Real Terraform creates, updates, imports and destroys rate limit policies. */
import { openWorkspace, unwrapped } from "../../support/workspace";
import { eachTest } from "../../support/each-test";

const workspace = eachTest(openWorkspace);

const address = "tenant_rate_limit_policy.bots";
const policies = () => workspace.emulator.snapshot().rate_limit_policies ?? [];

const policy = (configuration = 'action = "block", limit = 25', selector = "third_party_clients") => `
resource "tenant_rate_limit_policy" "bots" {
  consumer_selector = ${JSON.stringify(selector)}
  configuration {
    ${configuration.replaceAll(", ", "\n    ")}
  }
}
`;

test("creates a policy with the defaults of the service, and plans no change afterwards", async () => {
  await workspace.apply(policy());
  expect(policies()).toMatchObject([
    {
      resource: "oauth_authentication_api",
      consumer: "client",
      consumer_selector: "third_party_clients",
      configuration: { action: "block", limit: 25 },
    },
  ]);
  expect(workspace.served()).toEqual(["POST /api/v2/rate-limit-policies"]);
  expect((await workspace.plan()).changes).toEqual([]);
});

test("updates the configuration with a PATCH that has no other attribute", async () => {
  await workspace.apply(policy());
  const { id } = policies()[0]!;
  workspace.emulator.requests.length = 0;
  await workspace.apply(policy('action = "redirect", limit = 0, redirect_uri = "https://example.com/busy"'));

  const writes = workspace.emulator.requests.filter(
    ({ method, path }) => method !== "GET" && !path.startsWith("/oauth"),
  );
  expect(writes).toMatchObject([
    {
      method: "PATCH",
      path: `/api/v2/rate-limit-policies/${id}`,
      body: { configuration: { action: "redirect", limit: 0, redirect_uri: "https://example.com/busy" } },
    },
  ]);
  expect((await workspace.plan()).changes).toEqual([]);
  await workspace.apply(policy('action = "allow"'));
  expect(policies()).toMatchObject([{ id, configuration: { action: "allow" } }]);
  expect((await workspace.plan()).changes).toEqual([]);
});

test("does not move the policy of Terraform's own client while all other clients are blocked", async () => {
  const own = `client_id:${workspace.emulator.clientId}`;
  const stack = (selector: string) => `
    resource "tenant_rate_limit_policy" "others" {
      consumer_selector = "default"
      configuration {
        action = "block"
        limit  = 0
      }
    }
    ${policy('action = "allow"', selector).replace("configuration {", "depends_on = [tenant_rate_limit_policy.others]\n  configuration {")}
  `;
  await workspace.apply(policy('action = "allow"', own));
  await workspace.apply(stack(own));
  await workspace.write(stack("client_id:other"));
  for (const parallel of ["-parallelism=1", "-parallelism=10"]) {
    const { code, stderr } = await workspace.terraform("plan", parallel);
    expect([code, unwrapped(stderr)]).toEqual([1, expect.stringContaining("leaves no request for a token")]);
  }
  expect(policies().map((one) => one.consumer_selector)).toContain(own);
});

test("adopts an identical policy, and refuses a different one with an import command", async () => {
  await workspace.apply(policy());
  const { id } = policies()[0]!;
  await workspace.terraform("state", "rm", address);
  expect(unwrapped(await workspace.apply())).toContain(`The tenant already had the identical rate limit policy ${id}`);
  expect((await workspace.plan()).changes).toEqual([]);

  await workspace.terraform("state", "rm", address);
  await workspace.write(policy('action = "log", limit = 1'));
  const { code, stderr } = await workspace.terraform("apply", "-auto-approve");
  expect(code).toBe(1);
  expect(stderr).toMatch(/consumer_selector = "third_party_clients"/);
  expect(unwrapped(stderr)).toContain(`terraform import tenant_rate_limit_policy.NAME ${id}`);
  expect(policies()).toMatchObject([{ id, configuration: { action: "block" } }]);
});

test("the data source filters policies by consumer_selector", async () => {
  await workspace.apply(`
    ${policy()}
    resource "tenant_rate_limit_policy" "rest" {
      consumer_selector = "default"
      configuration {
        action = "log"
        limit  = 1
      }
    }
    data "tenant_rate_limit_policies" "some" {
      consumer_selector = "default"
      depends_on        = [tenant_rate_limit_policy.bots, tenant_rate_limit_policy.rest]
    }
    output "limits" {
      value = [for policy in data.tenant_rate_limit_policies.some.rate_limit_policies : policy.configuration.limit]
    }
  `);
  expect(JSON.parse((await workspace.terraform("output", "-json", "limits")).stdout)).toEqual([1]);
});
