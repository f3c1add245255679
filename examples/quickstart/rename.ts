/** The stack of after.ts with a renamed construct and no `moveTo`. */
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
