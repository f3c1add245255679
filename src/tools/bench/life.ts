/** Creates, plans, changes and destroys a small stack with each provider in turn: real Terraform, one tenant, https. */
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import path from "node:path";
import { figure, median, table } from "./table";
import { onTenant, type Tenant } from "./tenant";
import {
  commands,
  openWorkspace,
  policiesOf,
  type Bench,
  type Contender,
  type Kind,
  type Workspace,
} from "./workspace";

const operations = ["create", "plan", "change", "destroy"] as const;
type Of<T> = Readonly<Record<(typeof operations)[number], T>>;

export interface Life {
  readonly name: string;
  /** Such as `10 policies`. */
  readonly stack: string;
  /** Seconds of Terraform, for each round. */
  readonly seconds: Of<readonly number[]>;
  /** The most requests of a round. */
  readonly requests: Of<number>;
  /** The most megabytes of the provider while it creates the stack; undefined on other systems than Linux. */
  readonly memory: number | undefined;
}

const aclsOf = (size: number, content: number) =>
  Array.from({ length: size }, (_, index) => ({
    description: `Benchmark ${index + 1} of ${content}`,
    active: true,
    priority: index + 1,
    rule: {
      action: { block: true },
      match: { ipv4_cidrs: [`198.51.100.${index}/32`, "203.0.113.0/24"] },
      scope: "authentication",
    },
  }));

const kinds = {
  policy: { nouns: ["policy", "policies"], objectsOf: policiesOf },
  acl: { nouns: ["ACL", "ACLs"], objectsOf: aclsOf },
} as const;

export function measureLife(bench: Bench, contenders: readonly Contender[], size: number, kind: Kind): Promise<Life[]> {
  const { nouns, objectsOf } = kinds[kind];
  const stack = `${size} ${nouns[size === 1 ? 0 : 1]}`;
  // Another content changes each object.
  const contents = { create: 1, plan: 1, change: 1001, destroy: 1001 };
  return onTenant(bench, "none", async (tenant) => {
    const workspaces: Workspace[] = [];
    for (const contender of contenders) workspaces.push(await openWorkspace(bench, contender, kind, tenant.env));
    const rounds = workspaces.map(() => [] as Awaited<ReturnType<typeof liveOnce>>[]);
    const liveOnce = async (workspace: Workspace) => {
      const measured = [];
      await tenant.reset();
      for (const operation of operations) {
        await workspace.write(objectsOf(size, contents[operation]));
        const { seconds } = await workspace.run(commands[operation]);
        measured.push({ operation, seconds, requests: (await tenant.served()).length });
      }
      return measured;
    };
    // The providers take turns, so that other load on the machine affects all of them.
    for (let round = 0; round < bench.rounds; round++)
      for (const [index, workspace] of workspaces.entries()) rounds[index]!.push(await liveOnce(workspace));
    const lives: Life[] = [];
    for (const [index, workspace] of workspaces.entries()) {
      const lived = rounds[index]!;
      const each = <T>(of: (at: number) => T) =>
        Object.fromEntries(operations.map((operation, at) => [operation, of(at)])) as Of<T>;
      lives.push({
        name: workspace.contender.name,
        stack,
        seconds: each((at) => lived.map((round) => round[at]!.seconds)),
        requests: each((at) => Math.max(...lived.map((round) => round[at]!.requests))),
        memory: await memoryToCreate(workspace, tenant, objectsOf(size, 1)),
      });
    }
    bench.say(`the life of ${stack} with ${contenders.map(({ name }) => name).join(", ")}: measured`);
    return lives;
  });
}

async function memoryToCreate({ directory, write, run }: Workspace, tenant: Tenant, objects: readonly object[]) {
  await tenant.reset();
  await write(objects);
  rmSync(path.join(directory, "terraform.tfstate"), { force: true });
  let peak: number | undefined;
  const look = () => {
    for (const megabytes of providersIn(directory)) peak = Math.max(peak ?? 0, megabytes);
  };
  const looking = setInterval(look, 10);
  await run(commands.create).finally(() => clearInterval(looking));
  return peak;
}

/** The most megabytes so far of each provider that runs there. */
function providersIn(directory: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const isThere = /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === directory;
      if (!isThere || !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("terraform-provider-")) return [];
      return [Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024];
    } catch {
      return [];
    }
  });
}

/** Times are also shown as multiples of those of the other provider. */
export function lifeTable(lives: readonly Life[]): string {
  const names = [...new Set(lives.map(({ name }) => name))];
  const ours = names.filter((name) => name !== "peer");
  const cell = (value: number | undefined) => (value === undefined ? "-" : figure(value));
  const rows = [...new Set(lives.map(({ stack }) => stack))].flatMap((stack) => {
    const row = (title: string, of: (life: Life) => number | undefined, isTime = false) => {
      const found = (name: string) => lives.filter((life) => life.stack === stack && life.name === name).map(of)[0];
      const ratio = (name: string) => (found("peer") === undefined ? undefined : found(name)! / found("peer")!);
      return [
        title,
        ...names.map((name) => cell(found(name))),
        ...ours.map((name) => (isTime ? cell(ratio(name)) : "")),
      ];
    };
    return [
      ...operations.map((one) => row(`${one} of ${stack}, s`, ({ seconds }) => median(seconds[one]), true)),
      row(`memory to create ${stack}, MB`, ({ memory }) => memory),
      ...operations.map((one) => row(`requests, ${one} of ${stack}`, ({ requests }) => requests[one])),
    ];
  });
  return table(["medians", ...names, ...ours.map((name) => `${name}/peer`)], rows);
}
