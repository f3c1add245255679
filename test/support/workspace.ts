/** A folder for real Terraform. The test process serves the provider, and each folder has its own tenant. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Emulator, EmulatorOptions } from "../../src/emulator/emulator";
import { callsOf } from "../../src/provider/plugin/calls";
import { listen, reattachment } from "../../src/provider/plugin/listener";
import { tenantProvider } from "../../src/provider/resources/provider";
import type { Client } from "../../src/provider/resources/client";
import { handlersOf } from "../../src/provider/sdk/handlers";
import { run, type Ended } from "./program";
import { listeningTenant } from "./tenant";

export const source = "registry.terraform.io/tenantform/tenant";

const head = `
terraform {
  required_providers {
    tenant = { source = "${source}" }
  }
}
`;

export interface PlannedChange {
  readonly address: string;
  readonly change: {
    readonly actions: string[];
    readonly before: any;
    readonly after: any;
    readonly after_unknown: any;
  };
}

export interface Plan {
  readonly changes: readonly PlannedChange[];
  /** Changes that a refresh found. */
  readonly drift: readonly PlannedChange[];
  readonly output: string;
}

export interface Workspace {
  readonly emulator: Emulator;
  readonly directory: string;
  /** The environment of the provider; may change between commands. */
  readonly environment: Record<string, string | undefined>;
  /** Method and path of the requests since the last call, without those for tokens. */
  served(): string[];
  /** Replaces main.tf. */
  write(hcl: string): Promise<void>;
  terraform(...args: string[]): Promise<Ended>;
  /** Expects that the command fails, and returns its errors without line breaks and frames. */
  refused(...args: string[]): Promise<string>;
  /** Throws Terraform's output if it fails, like `apply` and `destroy`. */
  plan(...args: string[]): Promise<Plan>;
  /** Expects a plan without changes. Starts Terraform once, and `plan` starts it twice. */
  settled(): Promise<void>;
  apply(hcl?: string): Promise<string>;
  destroy(): Promise<string>;
  /** The values of a resource in the state; undefined if the state does not have it. */
  state(address: string): Promise<any>;
  close(): Promise<void>;
}

const opened = new Set<Workspace>();
afterEach(async () => {
  for (const one of opened) await one.close();
});

/** It ends with the test. `others`: the reattachment JSON of further providers. */
export async function openWorkspace(options: EmulatorOptions = {}, others: readonly string[] = []): Promise<Workspace> {
  const directory = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  const { emulator, env: variables, close } = await listeningTenant(options);
  const environment: Workspace["environment"] = { ...variables };

  const clients: Client[] = [];
  const definition = tenantProvider("0.0.0-test", environment, {
    priorityTimeouts: { stepAside: 200, slot: 300, giveUp: 800 },
  });
  const provider = await listen(
    callsOf(
      handlersOf(
        {
          ...definition,
          async block() {
            const block = await definition.block();
            return {
              ...block,
              async configure(written, about) {
                const client = await block.configure(written, about);
                if (client) clients.push(client);
                return client;
              },
            };
          },
        },
        { log: () => {} },
      ),
    ),
  );
  const reattachments = [reattachment(source, provider), ...others].map((json) => JSON.parse(json) as object);
  const env = { TF_REATTACH_PROVIDERS: JSON.stringify(Object.assign({}, ...reattachments)) };
  let seen = 0;

  const terraform = (...args: string[]) => run("terraform", [...args, "-no-color"], { cwd: directory, env });
  const succeed = async (...args: string[]) => {
    const ended = await terraform(...args);
    if (ended.code !== 0) throw new Error(`terraform ${args.join(" ")}\n${ended.stdout}${ended.stderr}`);
    return ended.stdout;
  };
  const show = async (file?: string) => JSON.parse(await succeed("show", "-json", ...(file ? [file] : [])));

  const workspace: Workspace = {
    emulator,
    directory,
    environment,
    served() {
      const entries = emulator.requests.slice(seen);
      seen = emulator.requests.length;
      return entries
        .filter(({ path: at }) => !at.startsWith("/oauth"))
        .map(({ method, path: at }) => `${method} ${at}`);
    },
    write: (hcl) => writeFile(path.join(directory, "main.tf"), head + hcl),
    terraform,
    async refused(...args) {
      const { code, stderr } = await terraform(...args);
      expect(code).toBe(1);
      return unwrapped(stderr);
    },
    async plan(...args) {
      const output = await succeed("plan", "-out=plan", "-input=false", ...args);
      const { resource_changes = [], resource_drift = [] } = await show("plan");
      const changes = (resource_changes as PlannedChange[]).filter(({ change }) => change.actions[0] !== "no-op");
      return { changes, drift: resource_drift, output };
    },
    async settled() {
      const { code, stdout, stderr } = await terraform("plan", "-detailed-exitcode", "-input=false");
      expect({ code, said: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, said: "" });
    },
    async apply(hcl) {
      if (hcl !== undefined) await workspace.write(hcl);
      return succeed("apply", "-auto-approve", "-input=false");
    },
    destroy: () => succeed("destroy", "-auto-approve", "-input=false"),
    async state(address) {
      const resources = (await show()).values?.root_module?.resources ?? [];
      return resources.find((resource: { address: string }) => resource.address === address)?.values;
    },
    async close() {
      if (!opened.delete(workspace)) return;
      for (const client of clients) client.stop();
      await Promise.all([provider.close(), close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
  opened.add(workspace);
  return workspace;
}

/** Without the line breaks and frames that Terraform puts into long messages. */
export function unwrapped(output: string): string {
  return output.replace(/^[│╷╵] ?/gm, "").replace(/\s+/g, " ");
}
