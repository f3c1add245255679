/** After kill -9 of Terraform and the provider at any write of an apply, the next apply completes the work. */
import { rm } from "node:fs/promises";
import path from "node:path";
import { acl, memberSet, policy } from "../../support/hcl";
import { install, type Installation } from "../../support/installation";
import { listeningTenant } from "../../support/tenant";

const organization = "org_0123456789abcdef";
const members = Array.from({ length: 12 }, (_, index) => `auth0|${index + 10}`);
const match = 'ipv4_cidrs = ["203.0.113.0/24", "198.51.100.0/24"]';
const stack =
  acl("a", { action: "block", match, scope: "authentication" }) +
  policy("b", "default") +
  memberSet(organization, members);

let installation: Installation;
beforeAll(async () => {
  installation = await install(stack);
});
afterAll(() => installation.close());

/** A tenant that counts writes and reports when one has taken effect. */
function openTenant(done: (count: number) => void) {
  let count = 0;
  return listeningTenant({
    seed: { organizations: [{ id: organization, name: "acme" }] },
    onRequest: ({ method, path: called }) => void (method !== "GET" && called !== "/oauth/token" && done(++count)),
  });
}

test("loses and duplicates no object after a kill at any write", async () => {
  let cut = 0;
  for (let at = 1; cut === at - 1; at++) {
    if (at > 30) throw new Error("the apply never ends by itself");
    const axe = new AbortController();
    const tenant = await openTenant((nth) => nth === at && axe.abort());
    const { env } = tenant;
    try {
      await rm(path.join(installation.directory, "terraform.tfstate"), { force: true });
      const first = await installation.terraform(["apply", "-auto-approve"], env, axe.signal);
      if (first.code !== 0) cut = at;
      const second = await installation.terraform(["apply", "-auto-approve"], env);
      expect(second.stderr).toBe("");
      const { network_acls, rate_limit_policies } = tenant.emulator.snapshot();
      expect(network_acls).toHaveLength(1);
      expect(rate_limit_policies).toHaveLength(1);
      const held = Array.from(tenant.emulator.store.members(organization)!, ([user]) => user);
      expect(held.toSorted()).toEqual(members);
      const plan = await installation.terraform(["plan"], env);
      expect(plan.stdout).toContain("No changes.");
    } finally {
      await tenant.close();
    }
  }
  expect(cut).toBeGreaterThanOrEqual(4);
});
