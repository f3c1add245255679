/** The stack of after.ts with one construct under another name, and no word to Terraform that it is the same one. */
import type { Construct } from "constructs";
import { RateLimitPolicy } from "tenantform";
import { Quickstart as After } from "./after";

export class Quickstart extends After {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.node.tryRemoveChild("everybody");

    new RateLimitPolicy(this, "everyone", {
      consumerSelector: "default",
      configuration: { action: "log", limit: 100 },
    });
  }
}
