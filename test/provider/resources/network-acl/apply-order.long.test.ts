/** Applies of real Terraform to a tenant that enforces its ACLs: no step blocks Terraform, at any -parallelism. */
import { acl as hcl, policy } from "../../../support/hcl";
import { openWorkspace } from "../../../support/workspace";
import { allow, cases, early, errorsIn, provider, wall } from "./support/cases";

describe.each(Object.entries(cases))(
  "an apply that %s",
  (_name, { before = [], after, args = ["apply"], ...expected }) => {
    test.each([1, 10])("locks nobody out with -parallelism=%i", async (parallel) => {
      const workspace = await openWorkspace({ enforce: true });
      for (const stack of before) await workspace.apply(provider + stack);
      if (after !== undefined) await workspace.write(provider + after);
      const { code, stderr } = await workspace.terraform(...args, "-auto-approve", `-parallelism=${parallel}`);
      expect(workspace.emulator.requests.filter(({ status }) => status === 403)).toEqual([]);
      if (expected.always) expect(code).toBe(1);
      if (code !== 0) {
        const errors = errorsIn(stderr);
        expect(errors.length).toBeGreaterThan(0);
        for (const words of errors) expect(words).toMatch(expected.refused);
      }
      // Terraform still reaches the tenant, and the state is true.
      const later = await workspace.terraform(
        "plan",
        ...(args[0] === "destroy" ? ["-destroy"] : []),
        "-detailed-exitcode",
      );
      expect(later.stderr).not.toContain("blocks Terraform");
      if (code === 0) expect(later.code).toBe(0);
    });
  },
);

test("a plan is refused before any write if it replaces an allow at the same priority", async () => {
  const workspace = await openWorkspace({ enforce: true });
  await workspace.apply(provider + allow());
  await workspace.apply(provider + allow() + wall());
  workspace.served();
  const replace = "-replace=tenant_network_acl.allow";
  const lockout = /This replacement would lock out .*"wall".*create_before_destroy/;
  expect(await workspace.refused("plan", replace)).toMatch(lockout);
  expect(await workspace.refused("apply", "-auto-approve", replace)).toMatch(lockout);
  expect(workspace.served().filter((line) => !line.startsWith("GET "))).toEqual([]);
  await workspace.apply(provider + allow(11, early) + wall());
});

test.each([1, 10])("an ACL takes the priority of an ACL that depends on it, with -parallelism=%i", async (parallel) => {
  const others = hcl("c", { priority: 10 }) + hcl("d", { priority: 11 });
  const order = (allowed: number, blocked: number, rest = "") =>
    hcl("a", { action: "allow", priority: allowed }) + hcl("b", { action: "block", priority: blocked, rest }) + others;
  const workspace = await openWorkspace();
  await workspace.apply(order(2, 1));
  await workspace.write(order(1, 2, "depends_on = [tenant_network_acl.a]"));
  const { output } = await workspace.plan(`-parallelism=${parallel}`);
  // With more calls at a time, another call reports after the plan of the holder.
  if (parallel === 1) expect(output).toContain("Warning: The priority is taken");
  const { code, stderr } = await workspace.terraform("apply", `-parallelism=${parallel}`, "plan");
  expect([code, stderr]).toEqual([0, ""]);
  await workspace.settled();
});

test("a replacement that creates first and would lock out keeps the old ACL, if only the apply knows the addresses", async () => {
  const stack = (addresses: string, priority: number) =>
    `${provider}resource "terraform_data" "net" {\n input = ["${addresses}"]\n}\n` +
    hcl("wall", {
      action: "block",
      priority,
      match: "ipv4_cidrs = terraform_data.net.output",
      rest: early.replace("}", " replace_triggered_by = [terraform_data.net]\n }"),
    });
  const workspace = await openWorkspace({ enforce: true });
  await workspace.apply(stack("10.0.0.0/8", 90));
  await workspace.write(stack("127.0.0.0/8", 91));
  expect(await workspace.refused("apply", "-auto-approve")).toContain("This change would lock out Terraform");
  expect((await workspace.terraform("state", "pull")).stdout).not.toContain('"deposed"');
});

const limit = (most: number) => policy("partners", "third_party_clients", most, early);
test.each([
  ["ACL", "tenant_network_acl.allow", allow(10, early), allow(10, early).replace("machines", "our machines")],
  ["policy", "tenant_rate_limit_policy.partners", limit(5), limit(6)],
])("says how to replace an object whose successor comes first: %s", async (_kind, address, before, after) => {
  const workspace = await openWorkspace();
  await workspace.apply(provider + before);
  await workspace.write(provider + after);
  const words =
    "If this apply deletes, moves or replaces that object, apply again, with neither `-replace` nor `create_before_destroy`.";
  expect(await workspace.refused("apply", "-auto-approve", `-replace=${address}`)).toContain(words);
  await workspace.apply(provider + after);
});
