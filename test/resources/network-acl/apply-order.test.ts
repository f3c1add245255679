/** Applies of real Terraform to a tenant that enforces its ACLs: no step blocks Terraform, at any -parallelism. */
import { openWorkspace, unwrapped } from "../../support/workspace";

const provider = `provider "tenant" {
  protected_requests {
    name = "our CI"
    ip   = "127.0.0.1"
  }
}
`;
const acl = (name: string, action: string, priority: number, description: string, lifecycle = "") => `
resource "tenant_network_acl" "${name}" {
  description = "${description}"
  priority    = ${priority}
  rule {
    action { ${action} = true }
    match { ipv4_cidrs = ["${action === "allow" ? "127.0.0.1/32" : "127.0.0.0/8"}"] }
    scope = "tenant"
  }
  ${lifecycle}
}
`;
const allow = (priority = 10, lifecycle = "") => acl("allow", "allow", priority, "machines", lifecycle);
const wall = (priority = 90) => acl("wall", "block", priority, "wall");
const early = "lifecycle {\n create_before_destroy = true\n }";

interface Case {
  readonly before?: readonly string[];
  readonly after?: string;
  readonly args?: readonly string[];
  /** The errors that a run may end with. With `always`, every run ends with one. */
  readonly refused: RegExp;
  readonly always?: true;
}

const started = [allow(), allow() + wall()];
const lockout = /This (step|replacement) would lock out|A protected request is blocked/;

const cases: Record<string, Case> = {
  "moves an allow and a block": { before: started, after: allow(95) + wall(99), refused: lockout },
  "replaces the allow": {
    before: started,
    args: ["apply", "-replace=tenant_network_acl.allow"],
    refused: lockout,
    always: true,
  },
  "replaces the allow with create_before_destroy": {
    before: [allow(10, early), allow(10, early) + wall()],
    after: allow(11, early) + wall(),
    args: ["apply", "-replace=tenant_network_acl.allow"],
    refused: /^$/,
  },
  "renames the allow without moved": {
    before: started,
    after: acl("other", "allow", 10, "machines") + wall(),
    refused: /A network ACL would be destroyed and created again/,
    always: true,
  },
  "renames and changes the allow": {
    before: started,
    after: acl("other", "allow", 10, "changed") + wall(),
    refused: /This step would lock out|A protected request is blocked|Already there|The priority is taken/,
  },
  "creates an allow and a block": { after: allow() + wall(), refused: lockout },
  "destroys an allow and a block": { before: started, args: ["destroy"], refused: lockout },
};

describe.each(Object.entries(cases))(
  "an apply that %s",
  (_name, { before = [], after, args = ["apply"], ...expected }) => {
    test.each([1, 2, 10])("locks nobody out with -parallelism=%i", async (parallel) => {
      const workspace = await openWorkspace({ enforce: true });
      try {
        for (const stack of before) await workspace.apply(provider + stack);
        if (after !== undefined) await workspace.write(provider + after);
        const { code, stderr } = await workspace.terraform(...args, "-auto-approve", `-parallelism=${parallel}`);
        expect(workspace.emulator.requests.filter(({ status }) => status === 403)).toEqual([]);
        if (expected.always) expect(code).toBe(1);
        if (code !== 0) {
          const errors = [...unwrapped(stderr).matchAll(/Error: ([A-Z][^:]*?)(?= with | This | After )/g)].map(
            ([, words]) => words!,
          );
          expect(errors.length).toBeGreaterThan(0);
          for (const words of errors) expect(words).toMatch(expected.refused);
        }
        // Whatever happened, Terraform reaches the tenant, and the state is true.
        const later = await workspace.terraform(
          "plan",
          ...(args[0] === "destroy" ? ["-destroy"] : []),
          "-detailed-exitcode",
        );
        expect(later.stderr).not.toContain("blocks Terraform");
        if (code === 0) expect(later.code).toBe(0);
      } finally {
        await workspace.close();
      }
    });
  },
);

test("a plan is refused before any write if it replaces an allow at the same priority", async () => {
  const workspace = await openWorkspace({ enforce: true });
  try {
    await workspace.apply(provider + allow());
    await workspace.apply(provider + allow() + wall());
    workspace.served();
    const planned = await workspace.terraform("plan", "-replace=tenant_network_acl.allow");
    expect(planned.code).toBe(1);
    expect(unwrapped(planned.stderr)).toMatch(/This replacement would lock out .*"wall".*create_before_destroy/);
    const applied = await workspace.terraform("apply", "-replace=tenant_network_acl.allow", "-auto-approve");
    expect(unwrapped(applied.stderr)).toContain("This replacement would lock out");
    expect(workspace.served().filter((line) => !line.startsWith("GET "))).toEqual([]);
    await workspace.apply(provider + allow(11, early) + wall());
  } finally {
    await workspace.close();
  }
});
