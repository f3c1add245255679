/** The files of a new stack in TypeScript. */
import type { Cdk } from "../adopt/cdk";
import { stackName, typescriptProject } from "../adopt/project";
import type { Runner } from "./language";

const mainTs = (cdk: Cdk) => `/** Writes the stack to cdktf.out for Terraform. */
import { App } from "${cdk}";
import { TenantStack } from "./tenant";

const app = new App();
new TenantStack(app, "${stackName}");
app.synth();
`;

const tenantTs = (cdk: Cdk, domain: string) => `/** Declares ACLs, rate limits, and expectations that must stay true. */
import { TerraformStack } from "${cdk}";
import type { Construct } from "constructs";
import { Action, expectation, Match, NetworkAcl, RateLimitPolicy, TenantProvider } from "tenantform/${cdk}";

export class TenantStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);

    // TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET come from the environment.
    new TenantProvider(this, "tenant", {
      // Your tenant. No plan, and no saved plan, reaches another one.
      allowedDomains: [${JSON.stringify(domain)}],
      // Rate limit policies are in Early Access. Without this line, plans mention it once.
      acknowledgeEarlyAccess: true,
      // Every plan proves these statements for all requests, or is refused with an example.
      expectations: [
        expectation("embargo").that({ scopes: "authentication", countries: "KP" }).isBlocked(),
        // Add the address of your pipeline, so that no plan can lock it out:
        // expectation("our CI", { always: true }).that({ scopes: "management", ipCidrs: "198.51.100.7" }).isReached(),
      ],
    });

    // The service evaluates ACLs by priority, the lowest number first. The first ACL that matches decides.
    new NetworkAcl(this, "sanctions", {
      description: "No sign-in from sanctioned countries",
      priority: 10,
      rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" },
    });

    // Requests per second. The action \`log\` only records requests above the limit, and \`block\` refuses them.
    new RateLimitPolicy(this, "third-parties", {
      consumerSelector: "third_party_clients",
      configuration: { action: "log", limit: 25 },
    });
  }
}
`;

const testTop = (cdk: Cdk, runner: Runner, head: string) =>
  [
    `/** ${head} */`,
    `import { Testing${head.includes("adopted") ? ", TerraformStack" : ""} } from "${cdk}";`,
    ...(runner === "vitest" ? ['import { expect, test } from "vitest";'] : []),
  ].join("\n");

const testTs = (
  cdk: Cdk,
  runner: Runner,
) => `${testTop(cdk, runner, "Tests the stack without a tenant and without Terraform.")}
import "tenantform/testing/${runner}";
import { TenantStack } from "./tenant";

const stack = new TenantStack(Testing.app(), "${stackName}");

test("nobody signs in from a sanctioned country", () => {
  expect(stack).toBlock({ scopes: "authentication", countries: "KP" });
});

test("everybody else signs in", () => {
  expect(stack).toReach({ scopes: "authentication" }, { except: { countries: "KP" } });
});

test("Terraform reaches the Management API from everywhere", () => {
  expect(stack).toReach({ scopes: "management" });
});
`;

/** True for every tenant in use. Nobody knows yet what must stay true for this one. */
const adoptedTestTs = (
  cdk: Cdk,
  runner: Runner,
) => `${testTop(cdk, runner, "Tests the adopted stack without a tenant and without Terraform.")}
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import "tenantform/testing/${runner}";

type Part = Record<string, (stack: TerraformStack) => void>;

const parts = join(__dirname, "${stackName}");
const stack = new TerraformStack(Testing.app(), "${stackName}");
for (const file of existsSync(parts) ? readdirSync(parts).sort() : []) {
  for (const declare of Object.values(require(join(parts, file)) as Part)) declare(stack);
}

test("the ACLs let some requests sign in", () => {
  expect(stack).not.toBlock({ scopes: "authentication" });
});

test("the ACLs let some requests reach the Management API", () => {
  expect(stack).not.toBlock({ scopes: "management" });
});

// Add what must stay true, for example:
// expect(stack).toBlock({ scopes: "authentication", countries: "KP" });
`;

/** All files except package.json. `domain`: the tenant. */
export function cdkFiles(
  directory: string,
  cdk: Cdk,
  runner: Runner,
  { isAdopted, domain }: { readonly isAdopted: boolean; readonly domain: string },
): Record<string, string> {
  const { "cdktf.json": settings = "", "tsconfig.json": compiler = "" } = typescriptProject(directory, cdk, "main.ts");
  const { compilerOptions, ...rest } = JSON.parse(compiler) as { compilerOptions: object };
  const types = runner === "jest" ? ["node", "jest"] : ["node"];
  // The runner compiles each file alone.
  const options = { ...compilerOptions, isolatedModules: true, types };
  return {
    "cdktf.json": settings,
    "tsconfig.json": `${JSON.stringify({ compilerOptions: options, ...rest }, undefined, 2)}\n`,
    ...(isAdopted
      ? { "tenant.test.ts": adoptedTestTs(cdk, runner) }
      : { "main.ts": mainTs(cdk), "tenant.ts": tenantTs(cdk, domain), "tenant.test.ts": testTs(cdk, runner) }),
  };
}
