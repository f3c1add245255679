/** Harmless plans whose applies pass through a state that blocks Terraform, unless the writes wait for each other. */
import * as hcl from "../../../../support/hcl";
import { unwrapped } from "../../../../support/workspace";

export const provider = `provider "tenant" {
  protected_request {
    name = "our CI"
    ip   = "127.0.0.1"
  }
}
`;
const acl = (name: string, action: string, priority: number, description: string, rest = "") => {
  const match = `ipv4_cidrs = ["${action === "allow" ? "127.0.0.1/32" : "127.0.0.0/8"}"]`;
  return hcl.acl(name, { action, priority, match, description, rest });
};
export const allow = (priority = 10, lifecycle = "") => acl("allow", "allow", priority, "machines", lifecycle);
export const wall = (priority = 90) => acl("wall", "block", priority, "wall");
export const early = hcl.createFirst;

export interface Case {
  readonly before?: readonly string[];
  readonly after?: string;
  readonly args?: readonly string[];
  /** The errors that a run may end with. With `always`, every run ends with one. */
  readonly refused: RegExp;
  readonly always?: true;
}

const started = [allow(), allow() + wall()];
const lockout = /This (change|replacement) would lock out|blocks the protected request/;

/** The key says what the apply does. The first five locked Terraform out before the provider judged its writes. */
export const cases: Record<string, Case> = {
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
    // At -parallelism=1, the delete alone may come first.
    refused: /The network ACL would be destroyed and created again|blocks the protected request/,
    always: true,
  },
  "renames and changes the allow": {
    before: started,
    after: acl("other", "allow", 10, "changed") + wall(),
    refused:
      /This change would lock out Terraform or a protected request|blocks the protected request|exists already|The priority is taken/,
  },
  "creates an allow and a block": { after: allow() + wall(), refused: lockout },
  "destroys an allow and a block": { before: started, args: ["destroy"], refused: lockout },
};

/** The summaries of the errors that Terraform printed. */
export function errorsIn(stderr: string): string[] {
  return [...unwrapped(stderr).matchAll(/Error: (["A-Z][^:]*?)(?= with | This | After | Narrow | Lock-out)/g)].map(
    ([, words]) => words!,
  );
}
