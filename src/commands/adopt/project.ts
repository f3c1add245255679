/** Files of a project besides its declarations. Existing files stay unchanged. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { ownDependency } from "../install/own-package";
import { source } from "../install/product";
import { version } from "../../version";
import { nameOf, kebabCase } from "./naming";
import type { Cdk } from "./cdk";

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

/** `host`: the tenant that was read. No plan, and no saved plan, reaches another one. */
export function providerTf(host?: string): string {
  const block = host === undefined ? "{}" : `{\n  allowed_domains = [${JSON.stringify(host)}]\n}`;
  return `# ${environmentNote}\nprovider "tenant" ${block}\n`;
}

/** The folder with the files that declare objects. */
export const partsFolder = "tenant";

/** The program beside one of the user. */
export const adoptedMain = "adopted.ts";

/** Name of the stack of the program. Two programs with one stack would have one state, and delete each other's objects. */
export const stackOf = (main: string): string => (main === adoptedMain ? "adopted" : "tenant");

/** A program with this text loads new files by itself. */
export const loadsParts = `join(__dirname, "${partsFolder}")`;

function providerTs(host?: string): string {
  const config = host === undefined ? "" : `, {\n  allowedDomains: [${JSON.stringify(host)}],\n}`;
  return `new TenantProvider(stack, "tenant"${config});`;
}

export const mainTs = (
  cdk: Cdk,
  main: string,
  host?: string,
) => `/** Declares the tenant. The program writes cdktf.out for Terraform. */
import { App, TerraformStack } from "${cdk}";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TenantProvider } from "tenantform/${cdk}";

const app = new App();
const stack = new TerraformStack(app, "${stackOf(main)}");
// ${environmentNote}
${providerTs(host)}

// The program loads every file of ./${partsFolder}.
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
