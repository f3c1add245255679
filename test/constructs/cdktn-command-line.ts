/**
 * Runs the README's stack with cdktn's command line, from diff to destroy: `tsx test/constructs/cdktn-command-line.ts FOLDER`.
 * The command line is too large to be a dependency, so it is installed into FOLDER and stays there. Needs Node 22.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { succeed } from "../support/program";

const root = path.join(__dirname, "../..");
const packages = ["cdktn-cli@0.24", "cdktn@0.24", "constructs@10", "tsx@4", "typescript@5.9"];

async function install(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
  await succeed("npm", ["install", "--no-save", "--no-fund", "--no-audit", "--silent", ...packages], {
    cwd: folder,
    env: process.env,
  });
  const link = path.join(folder, "node_modules/tenantform");
  rmSync(link, { recursive: true, force: true });
  symlinkSync(root, link, "junction");
}

function expectIn(said: string, words: string): void {
  if (!said.includes(words)) throw new Error(`expected "${words}" in\n${said}`);
  process.stdout.write(`${words}\n`);
}

async function main(): Promise<void> {
  const folder = path.resolve(process.argv[2] ?? "");
  await install(folder);
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  const [stack] = /(?<=```ts\n)[^]*?(?=```)/.exec(readme)!;
  const [settings] = /(?<=```json\n)[^]*?(?=```)/.exec(readme)!;
  const project = mkdtempSync(path.join(folder, "project-"));
  writeFileSync(path.join(project, "cdktf.json"), settings);
  writeFileSync(
    path.join(project, "main.ts"),
    stack.replace('"cdktf"', '"cdktn"').replace('"tenantform"', '"tenantform/cdktn"'),
  );
  const organization = /organizationId: "(.*)"/.exec(stack)![1]!;
  const emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "acme" }] } });
  const { url, close } = await emulator.listen();
  const env = {
    TENANT_ENDPOINT: url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
    FORCE_COLOR: "0",
  };
  const cdktn = (...args: string[]) => succeed("npx", ["cdktn", ...args], { cwd: project, env });
  try {
    expectIn(await cdktn("diff"), "3 to add, 0 to change, 0 to destroy");
    expectIn(await cdktn("deploy", "--auto-approve"), "3 added, 0 changed, 0 destroyed");
    expectIn(await cdktn("diff"), "found no differences");
    expectIn(await cdktn("destroy", "--auto-approve"), "3 destroyed");
  } finally {
    await close();
    rmSync(project, { recursive: true });
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
