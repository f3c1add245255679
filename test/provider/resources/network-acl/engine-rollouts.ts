/**
 * Applies random changes of network ACLs with Terraform or OpenTofu, on the embedded tenant that enforces them:
 *
 *   tsx test/provider/resources/network-acl/engine-rollouts.ts COUNT [FIRST SEED] [PROGRAM…]
 *
 * Some applies are killed and applied again. Fails if a write locks out, or if an apply ends otherwise than planned without an
 * error that says why. Uses the built provider.
 */
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { NetworkAclBody } from "../../../../src/tenant/network-acl";
import { install, type Installation } from "../../../support/installation";
import { openTenant } from "./support/enforcing-tenant";
import { deniedPaths, type Acls } from "./support/rollout";
import { pick, seeded, transition, type Random, type Transition } from "./support/transition";

/** The head of a configuration that uses the installed provider. */
const terraform = `terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}
`;

const explained =
  /This change would lock out Terraform or a protected request|This replacement would lock out Terraform or a protected request|exists already|priority is taken|priorities? that (is|are) taken|destroyed and created again|Two ACLs with the same priority/;

const criteria = (name: string, entries: object | undefined) =>
  entries === undefined ? "" : `${name} { ipv4_cidrs = ${JSON.stringify(Object.values(entries)[0])} }`;

function resourceOf(name: string, { active, priority, rule }: NetworkAclBody, more: string): string {
  const { action, match, not_match, match_all, scope } = rule;
  const flags = Object.entries(action).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `
resource "tenant_network_acl" "${name}" {
  description = "${name}"
  active      = ${active}
  priority    = ${priority}
  rule {
    action {
      ${flags.join("\n      ")}
    }
    ${criteria("match", match)}
    ${criteria("not_match", not_match)}
    ${match_all ? "match_all = true" : ""}
    scope = "${scope}"
  }
  ${more}
}`;
}

/** The names of resources: a replaced ACL keeps its name. */
const nameOf = (id: string) => id.replace(/_again$/, "");

/** Both configurations. Some resources are created before they are destroyed, and some depend on others. */
function stacksOf(random: Random, { start, target }: Transition) {
  const names = [...new Set([...start.keys(), ...target.keys()].map(nameOf))];
  const isDependent = random() < 0.3;
  const early = new Map(names.map((name) => [name, random() < 0.3]));
  const parents = new Map(
    names.map((name, index) => [name, isDependent && index > 0 && random() < 0.3 ? names[index - 1] : undefined]),
  );
  const stack = (acls: Acls) => {
    const present = new Set([...acls.keys()].map(nameOf));
    return [...acls].map(([id, acl]) => {
      const name = nameOf(id);
      const parent = parents.get(name);
      const lifecycle = early.get(name) ? "lifecycle {\n    create_before_destroy = true\n  }" : "";
      const depends = parent !== undefined && present.has(parent) ? `depends_on = [tenant_network_acl.${parent}]` : "";
      return resourceOf(name, acl, `${depends}\n  ${lifecycle}`);
    });
  };
  const head = `
provider "tenant" {
  protected_request {
    name = "our CI"
    ip   = "127.0.0.1"
  }
}`;
  return { isDependent, before: [head, ...stack(start)].join("\n"), after: [head, ...stack(target)].join("\n") };
}

interface Engine {
  readonly run: Installation["terraform"];
  readonly environment: NodeJS.ProcessEnv;
  readonly parallel: string;
  /** Plans and applies in two commands. */
  readonly isSaved: boolean;
  /** Some ACLs depend on others, so Terraform may write a block before its allow. */
  readonly isDependent: boolean;
}

/** Whether the apply succeeded. Throws if it failed without an error that says why. */
async function apply(engine: Engine, args: readonly string[] = [], signal?: AbortSignal): Promise<boolean> {
  const { run, environment, parallel, isSaved, isDependent } = engine;
  const commands = isSaved
    ? [
        ["plan", "-out=saved", parallel, ...args],
        ["apply", parallel, "saved"],
      ]
    : [["apply", "-auto-approve", parallel, ...args]];
  for (const command of commands) {
    const { code, stdout, stderr } = await run(command, environment, signal);
    if (signal?.aborted) return false;
    if (code === 0) continue;
    const said = stderr.replace(/^[│╷╵] ?/gm, "").replace(/\s+/g, " ");
    const errors = said.match(/Error: .{0,80}/g) ?? [];
    const isForced = (words: string) => isDependent && words.includes("blocks the protected request");
    const isStrange = errors.some((words) => !explained.test(words) && !isForced(words));
    if (errors.length === 0 || isStrange) throw new Error(`${command.join(" ")}: ${said}${stdout}`);
    return false;
  }
  return true;
}

const mostApplies = 5;

/** The number of applies until the tenant is as planned; undefined if the last one was still refused. */
async function appliesOf(seed: number, { directory, terraform: run }: Installation): Promise<number | undefined> {
  const random = seeded(seed);
  let planned = transition(random);
  while (deniedPaths(planned.start).length > 0) planned = transition(random);
  const { before, after, isDependent } = stacksOf(random, planned);
  const parallel = `-parallelism=${pick(random, [1, 2, 3, 10])}`;
  const killAt = random() < 0.4 ? 1 + Math.floor(random() * 4) : 0;
  const isSaved = random() < 0.3;
  let axe: AbortController | undefined;
  let writes = 0;
  const tenant = await openTenant(() => axe && ++writes === killAt && axe.abort());
  const { environment, lockouts } = tenant;
  const engine = { run, environment, parallel, isSaved, isDependent };
  const write = (stack: string) => writeFile(path.join(directory, "main.tf"), terraform + stack);
  const carryOut = async () => {
    await write(before);
    for (let tries = 0; !(await apply(engine)); tries++) if (tries > mostApplies) return undefined;
    await write(after);
    const replace = [...planned.replaced.keys()].map((id) => `-replace=tenant_network_acl.${id}`);
    if (killAt > 0) axe = new AbortController();
    let applies = 1;
    for (let isDone = await apply(engine, replace, axe?.signal); !isDone; applies++) {
      axe = undefined;
      if (applies === mostApplies) return undefined;
      isDone = await apply(engine);
    }
    const { code, stdout } = await run(["plan", "-detailed-exitcode"], environment);
    if (code !== 0) throw new Error(`The plan is not empty after an apply without an error:\n${stdout}`);
    const left = tenant.count() - planned.target.size;
    if (left !== 0) throw new Error(`The tenant has ${left} network ACLs more than planned`);
    return applies;
  };
  const ended = await carryOut().finally(() => tenant.close());
  if (lockouts.length > 0) throw new Error(lockouts.join("\n"));
  return ended;
}

async function main([count = "200", first = "1", ...programs]: readonly string[]): Promise<void> {
  const engines = programs.length > 0 ? programs : ["terraform"];
  const installations = await Promise.all(engines.map((engine) => install("", engine)));
  const ended = new Map<number | undefined, number>();
  try {
    for (let index = 0; index < Number(count); index++) {
      const seed = Number(first) + index;
      const installation = installations[index % engines.length]!;
      await rm(path.join(installation.directory, "terraform.tfstate"), { force: true });
      const applies = await appliesOf(seed, installation).catch((error: Error) => {
        throw new Error(`Seed ${seed}, ${engines[index % engines.length]}: ${error.message}`);
      });
      ended.set(applies, (ended.get(applies) ?? 0) + 1);
    }
  } finally {
    for (const installation of installations) await installation.close();
    for (const [applies, runs] of ended) {
      const words = applies === undefined ? "still refused" : `as planned after ${applies} applies`;
      process.stdout.write(`${runs} of ${count}: ${words}\n`);
    }
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
