/** Programs and unit tests of examples and guides, run as a reader would run them. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createEmulator, type Emulator } from "../../../src/emulator/emulator";
import { run, succeed } from "../../support/program";

export const root = path.join(__dirname, "../../..");
export const organization = "org_quickstart000001";
export const example = (...names: string[]) => path.join(root, "examples", ...names);
export const guide = (name: string) => readFile(path.join(root, "docs/guides", name), "utf8");

/** A folder inside the checkout, so that "tenantform" and "cdktf" are found as in a user's project. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(path.join(root, "cdktf.out"), { recursive: true });
  const folder = await mkdtemp(path.join(root, "cdktf.out/example-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const tsx = (file: string, cwd: string, env: NodeJS.ProcessEnv = {}) =>
  succeed(process.execPath, ["--import", require.resolve("tsx"), file], { cwd, env });

export interface Deployment {
  readonly emulator: Emulator;
  /** Synthesizes the program, and applies its stack. Fails if a plan after that has changes. Returns the output of the apply. */
  deploy(program: string, stack: string, env?: NodeJS.ProcessEnv): Promise<string>;
}

/** A tenant with an organization, for programs in a folder of their own. */
export const withTenant = (use: (deployment: Deployment) => Promise<void>, flags: ["tenant_acl_match_all"] | [] = []) =>
  inFolder(async (folder) => {
    const emulator = createEmulator({ flags, seed: { organizations: [{ id: organization, name: "acme" }] } });
    const { url, close } = await emulator.listen();
    const env = {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    };
    const deploy: Deployment["deploy"] = async (program, stack, more = {}) => {
      expect(await tsx(program, folder, { ...env, ...more })).toBe("");
      const cwd = path.join(folder, "cdktf.out/stacks", stack);
      await succeed("terraform", ["init", "-no-color"], { cwd });
      const applied = await succeed("terraform", ["apply", "-auto-approve", "-no-color"], { cwd, env });
      expect(await succeed("terraform", ["plan", "-no-color"], { cwd, env })).toContain("No changes.");
      return applied;
    };
    try {
      await use({ emulator, deploy });
    } finally {
      await close();
    }
  });

/** Runs the unit tests of a folder without the settings of this checkout. */
export const jestIn = (rootDir: string): Promise<string> =>
  inFolder(async (cwd) => {
    const transform = { "\\.[jt]s$": require.resolve("../../support/transform.js") };
    const configuration = { rootDir, testEnvironment: "node", transform, haste: { enableSymlinks: false } };
    const args = [require.resolve("jest/bin/jest"), "--config", JSON.stringify(configuration)];
    const { code, stderr } = await run(process.execPath, args, { cwd, env: { TMPDIR: cwd } });
    if (code !== 0) throw new Error(stderr);
    return stderr;
  });
