/** Installs the built provider in a folder where Terraform finds it, to test real processes with mutual TLS. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { EmulatorOptions } from "../../src/emulator/emulator";
import { version } from "../../src/version";
import { run, type Ended } from "./program";
import { listeningTenant, type ListeningTenant } from "./tenant";

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

export type InstalledWithTenant = Installation & Pick<ListeningTenant, "emulator" | "env">;

/** An installation that talks to a tenant of its own. */
export async function installWithTenant(hcl: string, options: EmulatorOptions = {}): Promise<InstalledWithTenant> {
  const [tenant, installation] = await Promise.all([listeningTenant(options), install(hcl)]);
  return {
    ...installation,
    emulator: tenant.emulator,
    env: tenant.env,
    terraform: (args, env, signal) => installation.terraform(args, { ...tenant.env, ...env }, signal),
    close: async () => void (await Promise.all([tenant.close(), installation.close()])),
  };
}
