/** The stack of after.ts with an ACL that allows only the office, so it blocks the CI that the provider block protects. */
import type { Construct } from "constructs";
import { NetworkAcl } from "tenantform";
import { Quickstart as After } from "./after";

export class Quickstart extends After {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    new NetworkAcl(this, "office", {
      description: "Only from the office",
      priority: 5,
      rule: { action: { block: true }, notMatch: { ipv4Cidrs: ["192.0.2.0/24"] }, scope: "tenant" },
    });
  }
}
