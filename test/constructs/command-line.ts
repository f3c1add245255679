/**
 * Runs the README's stack, and a provider beside it, with a command line: deploy, with that of cdktn also diff and destroy:
 * `npx tsx test/constructs/command-line.ts cdktf|cdktn`. The command line of cdktn needs Node 22.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { platformHere } from "../../src/commands/install/product";
import { check, projectWith, root } from "../support/fetched";
import { succeed } from "../support/program";
import { listeningTenant } from "../support/tenant";

const packages: Readonly<Record<string, readonly string[]>> = {
  cdktf: ["cdktf-cli@0.21", "cdktf@0.21"],
  cdktn: ["cdktn-cli@0.24", "cdktn@0.24"],
};

/** The command line locks each provider of the stack, so the stack has one that it does not contain. */
const other = `
new TerraformProvider(stack, "other", {
  terraformResourceType: "other",
  terraformProviderSource: "example/other",
  terraformGeneratorMetadata: { providerName: "other", providerVersion: "1.2.3", providerVersionConstraint: "" },
});
`;

/** Our provider takes its role, where Terraform looks for providers of the user. */
function installOther(home: string): void {
  const place = path.join(home, ".terraform.d/plugins/registry.terraform.io/example/other/1.2.3", platformHere());
  mkdirSync(path.dirname(place), { recursive: true });
  cpSync(path.join(root, "dist/plugin"), place, { recursive: true });
  const ours = readdirSync(place).find((name) => name.startsWith("terraform-provider-"))!;
  renameSync(path.join(place, ours), path.join(place, "terraform-provider-other_v1.2.3"));
}

function writeStack(project: string, language: string): string {
  const page = readFileSync(path.join(root, "README.md"), "utf8");
  const [program] = /(?<=```ts\n)[^]*?(?=```)/.exec(page)!;
  const settings = { language: "typescript", app: "npx tsx main.ts", sendCrashReports: "false" };
  writeFileSync(path.join(project, "cdktf.json"), JSON.stringify(settings));
  const text = program
    .replace("import { App,", "import { TerraformProvider, App,")
    .replace('"cdktf"', `"${language}"`)
    .replace('"tenantform"', `"tenantform/${language}"`)
    .replace("app.synth();", `${other}app.synth();`);
  writeFileSync(path.join(project, "main.ts"), text);
  return /organizationId: "(.*)"/.exec(program)![1]!;
}

function expectIn(output: string, words: string): void {
  if (!output.includes(words)) throw new Error(`expected "${words}" in\n${output}`);
  process.stdout.write(`${words}\n`);
}

check(async () => {
  const language = process.argv[2] ?? "";
  const needed = [...(packages[language] ?? []), "constructs@10", "tsx@4", "typescript@5.9"];
  const project = await projectWith(language, needed);
  installOther(project);
  const organization = writeStack(project, language);
  const tenant = await listeningTenant({ seed: { organizations: [{ id: organization, name: "acme" }] } });
  const env = { ...tenant.env, FORCE_COLOR: "0" };
  const run = (...args: string[]) => succeed("npx", [language, ...args], { cwd: project, env });
  try {
    expectIn(await run("deploy", "--auto-approve"), "3 added, 0 changed, 0 destroyed");
    // Pages run the other two commands of cdktf.
    if (language === "cdktf") return;
    expectIn(await run("diff"), "found no differences");
    expectIn(await run("destroy", "--auto-approve"), "3 destroyed");
  } finally {
    await tenant.close();
    rmSync(project, { recursive: true });
  }
});
