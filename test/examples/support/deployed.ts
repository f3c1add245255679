/** Programs and unit tests of examples and guides, run as a reader would run them. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Emulator, Flag, Seed } from "../../../src/emulator/emulator";
import { newFolder, newFolderInside, root } from "../../support/folder";
import { run, succeed } from "../../support/program";
import { listeningTenant } from "../../support/tenant";

export const organization = "org_quickstart000001";
export const example = (...names: string[]) => path.join(root, "examples", ...names);
export const guide = (name: string) => readFile(path.join(root, "docs/guides", name), "utf8");

export const tsx = (file: string, cwd: string, env: NodeJS.ProcessEnv = {}) =>
  succeed(process.execPath, ["--import", require.resolve("tsx"), file], { cwd, env });

export interface Deployment {
  readonly emulator: Emulator;
  /** Synthesizes the program, and applies its stack. Fails if a plan after that has changes. Returns the output of the apply. */
  deploy(program: string, stack: string, env?: NodeJS.ProcessEnv): Promise<string>;
}

/** A tenant with an organization, for programs in a folder of their own. */
export async function withTenant(
  use: (deployment: Deployment) => Promise<void>,
  flags: Flag[] = [],
  more: Seed = {},
): Promise<void> {
  const folder = newFolderInside();
  const { emulator, env, close } = await listeningTenant({
    flags,
    seed: { organizations: [{ id: organization, name: "acme" }], ...more },
  });
  const deploy: Deployment["deploy"] = async (program, stack, others = {}) => {
    expect(await tsx(program, folder, { ...env, ...others })).toBe("");
    const cwd = path.join(folder, "cdktf.out/stacks", stack);
    await succeed("terraform", ["init", "-no-color"], { cwd });
    const applied = await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd, env });
    expect(await succeed("terraform", ["plan", "-no-color"], { cwd, env })).toContain("No changes.");
    return applied;
  };
  await use({ emulator, deploy }).finally(close);
}

/** Runs the unit tests of a folder without the settings of this checkout. */
export async function jestIn(rootDir: string): Promise<string> {
  const cwd = newFolder();
  const transform = { "\\.[jt]s$": require.resolve("../../support/transform.js") };
  const configuration = { rootDir, testEnvironment: "node", transform, haste: { enableSymlinks: false } };
  const args = [require.resolve("jest/bin/jest"), "--config", JSON.stringify(configuration)];
  const { code, stderr } = await run(process.execPath, args, { cwd, env: { TMPDIR: cwd } });
  if (code !== 0) throw new Error(stderr);
  return stderr;
}
