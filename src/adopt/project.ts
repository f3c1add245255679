/** Files of a project besides its declarations. Existing files stay unchanged. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { ownDependency } from "../install/own-package";
import { source } from "../install/product";
import { version } from "../version";
import { nameOf, kebabCase } from "./naming";
import type { Cdk } from "./cdk";
import { blockOf } from "./hcl";
import type { Proposal } from "./proposals";
import { proposalLines } from "./typescript";

/** Short lists on one line, as formatters write them. */
const json = (content: object) =>
  `${JSON.stringify(content, undefined, 2).replace(/\[\n\s+("[^\]]*")\n\s+\]/g, (_all, list: string) => `[${list.replace(/\n\s+/g, " ")}]`)}\n`;

const [major, minor] = version.split(".");

export const requirementTf = `terraform {
  required_version = ">= 1.5"

  required_providers {
    tenant = {
      source  = "${source}"
      version = "~> ${major}.${minor}"
    }
  }
}
`;

const environmentNote = "TENANT_DOMAIN, TENANT_CLIENT_ID and TENANT_CLIENT_SECRET come from the environment.";

/** Proposals are comments, because only a person knows what must stay true. */
const proposalNotes = [
  "These expectations hold today. Remove the comment marks of those that must stay true:",
  "every plan then checks them. Remove the others.",
];

/** What the new provider block says. */
export interface ProviderBlock {
  /** The tenant that was read. No plan, and no saved plan, reaches another one. */
  readonly host?: string;
  readonly proposals: readonly Proposal[];
}

/** The lines of the provider block. */
function providerLines(
  { host, proposals }: ProviderBlock,
  sign: string,
  hosts: (host: string) => string,
  list: readonly string[],
): string {
  const notes = proposals.length === 0 ? [] : [...proposalNotes, ...list].map((line) => `${sign} ${line}`);
  const lines = [...(host === undefined ? [] : [hosts(JSON.stringify(host))]), ...notes];
  return lines.map((line) => `  ${line}\n`).join("");
}

export function providerTf(provider: ProviderBlock): string {
  const list = provider.proposals.flatMap((proposal) => blockOf("expectation", proposal));
  const lines = providerLines(provider, "#", (host) => `allowed_domains = [${host}]`, list);
  return `# ${environmentNote}\nprovider "tenant" ${lines === "" ? "{}" : `{\n${lines}}`}\n`;
}

/** Name of the stack, and of the folder with its files. */
export const stackName = "tenant";

/** A program with this text loads new files by itself. */
export const loadsParts = `join(__dirname, "${stackName}")`;

function providerTs(provider: ProviderBlock): string {
  const list = ["expectations: [", ...provider.proposals.flatMap(proposalLines).map((line) => `  ${line}`), "],"];
  const lines = providerLines(provider, "//", (host) => `allowedDomains: [${host}],`, list);
  return `new TenantProvider(stack, "tenant"${lines === "" ? "" : `, {\n${lines}}`});`;
}

export const mainTs = (
  cdk: Cdk,
  provider: ProviderBlock,
) => `/** Declares the tenant. The program writes cdktf.out for Terraform. */
import { App, TerraformStack } from "${cdk}";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TenantProvider } from "tenantform/${cdk}";

const app = new App();
const stack = new TerraformStack(app, "${stackName}");
// ${environmentNote}
${providerTs(provider)}

// The program loads every file of ./${stackName}.
type Part = Record<string, (stack: TerraformStack) => void>;
const parts = ${loadsParts};
for (const file of existsSync(parts) ? readdirSync(parts).sort() : []) {
  const part = require(join(parts, file)) as Part;
  for (const declare of Object.values(part)) declare(stack);
}

app.synth();
`;

export const gitignore: Readonly<Record<"hcl" | "typescript", string>> = {
  hcl: ".terraform/\nterraform.d/\n*.tfstate\n*.tfstate.*\nplan\nplan.json\n*.env\n",
  typescript: "cdktf.out/\nnode_modules/\n*.tfstate\n*.tfstate.*\nplan\nplan.json\n*.env\n",
};

export function typescriptProject(directory: string, cdk: Cdk, main: string): Record<string, string> {
  // cdktn refuses constructs 10.8.
  const versions = {
    cdktf: { cdktf: "^0.21.0", constructs: "^10.4.0" },
    cdktn: { cdktn: "^0.24.0", constructs: ">=10.6.0 <10.8.0" },
  };
  return {
    "cdktf.json": json({
      language: "typescript",
      app: `npx tsx ${main}`,
      projectId: randomUUID(),
      sendCrashReports: "false",
    }),
    "package.json": json({
      name: kebabCase(nameOf(path.basename(path.resolve(directory)), ["tenant"])),
      private: true,
      scripts: { synth: `tsx ${main}`, check: "tsc" },
      dependencies: { ...versions[cdk], tenantform: ownDependency(directory) },
      devDependencies: { "@types/node": "^22.0.0", tsx: "^4.20.0", typescript: "~5.9.0" },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "es2022",
        module: "node16",
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        types: ["node"],
      },
      exclude: ["node_modules", "cdktf.out"],
    }),
  };
}
