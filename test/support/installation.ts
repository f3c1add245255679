/** Installs the built provider in a folder where Terraform finds it, to test real processes with mutual TLS. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/emulator";
import { version } from "../../src/version";
import { run, type Ended } from "./program";

const system = process.platform === "win32" ? "windows" : process.platform;
const architecture = process.arch === "x64" ? "amd64" : process.arch;
const dist = path.join(__dirname, "../../dist");

/** Folder of the tested build: the script for Node, or the native build if TENANTFORM_BUILD is "native". */
export const built =
  process.env.TENANTFORM_BUILD === "native"
    ? path.join(dist, "native", `${system}_${architecture}`)
    : path.join(dist, "plugin");
export const executable = path.join(built, `terraform-provider-tenant_v${version}`);

export interface Installation {
  readonly directory: string;
  /** Runs Terraform to its end. If the signal aborts, kills Terraform and all its child processes at once. */
  terraform(args: readonly string[], env?: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<Ended>;
  close(): Promise<void>;
}

/** Creates the folder and runs `init` with the configuration. `engine`: the program that stands for Terraform. */
export async function install(hcl: string, engine = "terraform"): Promise<Installation> {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  const place = `terraform.d/plugins/registry.terraform.io/tenantform/tenant/${version}/${system}_${architecture}`;
  await mkdir(path.join(directory, place), { recursive: true });
  await cp(built, path.join(directory, place), { recursive: true });
  await writeFile(
    path.join(directory, "main.tf"),
    `terraform {
       required_providers {
         tenant = { source = "registry.terraform.io/tenantform/tenant" }
       }
     }
     ${hcl}`,
  );
  const terraform: Installation["terraform"] = (args, env, signal) =>
    run(engine, [...args, "-no-color"], { cwd: directory, env, signal });
  const { code, stderr } = await terraform(["init"]);
  if (code !== 0) throw new Error(stderr);
  return { directory, terraform, close: () => rm(directory, { recursive: true, force: true }) };
}

export interface InstalledWithTenant extends Installation {
  readonly emulator: Emulator;
  /** The address and the credentials of the tenant. */
  readonly environment: NodeJS.ProcessEnv;
}

/** An installation that talks to a tenant of its own. */
export async function installWithTenant(hcl: string, options: EmulatorOptions = {}): Promise<InstalledWithTenant> {
  const emulator = createEmulator(options);
  const [tenant, installation] = await Promise.all([emulator.listen(), install(hcl)]);
  const environment = {
    TENANT_ENDPOINT: tenant.url,
    TENANT_CLIENT_ID: emulator.clientId,
    TENANT_CLIENT_SECRET: emulator.clientSecret,
  };
  return {
    ...installation,
    emulator,
    environment,
    terraform: (args, env, signal) => installation.terraform(args, { ...environment, ...env }, signal),
    close: async () => void (await Promise.all([tenant.close(), installation.close()])),
  };
}
