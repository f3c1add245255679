/** The built command in a new folder, beside an embedded tenant. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Emulator, EmulatorOptions } from "../../../../src/emulator/emulator";
import { linkPackages, newFolderInside, root } from "../../../support/folder";
import { run, type Ended } from "../../../support/program";
import { listeningTenant } from "../../../support/tenant";

export const cli = path.join(root, "dist/cli.js");

export interface Adoption {
  home: string;
  /** The folder of the stack, which does not exist yet. */
  directory: string;
  emulator: Emulator;
  env: Record<string, string>;
  open(options: EmulatorOptions): Promise<void>;
  adopt(...args: string[]): Promise<Ended>;
  read(file: string): Promise<string>;
  /** The files of adopt, without the files of Terraform and of a synth. */
  contents(): Promise<Map<string, string>>;
}

/** The end of an adopt whose plan only imports. */
export const imported = (count: number) => ({
  code: 0,
  stdout: `${count} imported, 0 to add, 0 to change, 0 to destroy\n`,
});

/** A new folder for each test. */
export function adoption(): Adoption {
  let close: (() => Promise<void>) | undefined;
  const here = {
    async open(options: EmulatorOptions) {
      const tenant = await listeningTenant(options);
      here.emulator = tenant.emulator;
      close = tenant.close;
      here.env = { ...tenant.env, HOME: here.home };
    },
    adopt: (...args) =>
      run(process.execPath, [cli, "adopt", here.directory, ...args], { cwd: here.home, env: here.env }),
    read: (file) => readFile(path.join(here.directory, file), "utf8"),
    async contents() {
      if (!existsSync(here.directory)) return new Map();
      const files = (await readdir(here.directory, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) =>
          path.relative(here.directory, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"),
        )
        .filter((file) => !/^(cdktf\.out|\.terraform|terraform\.d|node_modules)/.test(file));
      return new Map(await Promise.all(files.map(async (file) => [file, await here.read(file)] as const)));
    },
  } as Adoption;
  beforeEach(() => {
    here.home = newFolderInside();
    here.directory = path.join(here.home, "stack");
    // As npx installs this package.
    linkPackages(here.home);
  });
  afterEach(() => close?.());
  return here;
}

/** The parts of a resource in a state. All but one part may have any value. */
export interface InState {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly module?: unknown;
  /** The attributes of each instance, with its key. */
  readonly instances: readonly (readonly [attributes: unknown, key?: unknown])[];
}

/** A state as the Go provider writes it. */
export const stateOf = (...given: readonly InState[]) =>
  JSON.stringify({
    version: 4,
    resources: given.map(({ instances, ...parts }) => ({
      mode: "managed",
      provider: 'provider["registry.terraform.io/auth0/auth0"]',
      ...parts,
      instances: instances.map(([attributes, index_key]) => ({
        index_key,
        schema_version: 0,
        attributes,
        sensitive_attributes: [],
      })),
    })),
  });
