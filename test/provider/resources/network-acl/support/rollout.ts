/** Applies changes of network ACLs like Terraform, on a simulated tenant that enforces them. */
import { decide } from "../../../../../src/emulator/enforcement/decide";
import { stateOf } from "../../../../../src/judge/impact/state";
import { builtIn, protectedRequest } from "../../../../../src/judge/impact/statement/built-in";
import { writeLockouts } from "../../../../../src/judge/impact/statement/write";
import type { Expectation } from "../../../../../src/judge/impact/statement/statement";
import type { Operation } from "../../../../../src/provider/resources/statements/words";
import { DiagnosticError } from "../../../../../src/provider/sdk/diagnostic";
import { createGathering } from "../../../../../src/provider/sdk/gathering";
import { TenantError } from "../../../../../src/tenant/error";
import type { NetworkAcl, NetworkAclBody } from "../../../../../src/tenant/network-acl";
import { createPriorities } from "../../../../../src/tenant/gate/priorities";
import { PriorityTaken, SteppedAside } from "../../../../../src/tenant/conflict";
import type { AclCall } from "../../../../../src/tenant/gate/changes";
import { aclWriteGuard } from "../../../../../src/provider/resources/statements/write";
import { createVirtualClock } from "../../../../tenant/support/virtual-clock";

export type Acls = ReadonlyMap<string, NetworkAclBody>;

/** One call of Terraform. */
export interface Step {
  readonly operation: Operation;
  readonly id: string;
  /** Terraform makes the call only after these succeeded. */
  readonly after: readonly Step[];
}

/** The fate of one request. `kill` ends the process after the write has taken effect. */
export type Fault =
  | "refused"
  | "limited"
  | "unavailable before"
  | "unavailable after"
  | "lost before"
  | "lost after"
  | "kill";

/** An expectation that every state must keep. */
export interface Kept {
  readonly expectation: Expectation;
  isKept(acls: Acls): boolean;
}

export interface Rollout {
  readonly kept?: Kept;
  readonly start: Acls;
  /** New ACLs have names that `start` does not have. */
  readonly target: Acls;
  /** In the order in which Terraform starts them. */
  readonly steps: readonly Step[];
  readonly parallel: number;
  latency(): number;
  /** `request`: counted from 0, lists included. */
  fault?(request: number): Fault | undefined;
}

export interface Outcome {
  readonly acls: Acls;
  readonly errors: readonly unknown[];
  /** Writes after which a request was blocked that was allowed at the start. */
  readonly lockouts: readonly string[];
  readonly writes: readonly string[];
  readonly isKilled: boolean;
}

const ip = "127.0.0.1";
const paths = ["/api/v2/network-acls", "/oauth/token"];

/** The paths at which the tenant denies Terraform. */
export function deniedPaths(acls: Acls): string[] {
  const all = [...acls].map(([id, acl]) => wire(id, acl)) as unknown as Parameters<typeof decide>[0];
  return paths.filter((path) => decide(all, path, { ip, connecting_ip: ip, hostname: ip }).outcome !== "allowed");
}

/** Whether the plan as a whole locks Terraform out, so that it is not applied. */
export function isRefused(start: Acls, target: Acls): boolean {
  const [before, after] = [start, target].map((acls) => stateOf({ acls: [...acls].map(([id, acl]) => wire(id, acl)) }));
  return writeLockouts({ before: before!.acls!, after: after!.acls! }, settings.builtIn, own).length > 0;
}

const own = { hostname: ip, userAgents: ["tenantform"], asksToken: true };
const settings = { builtIn: builtIn("error", [protectedRequest({ name: "our CI", ip })]), own };

export const isExplained = (error: unknown) =>
  error instanceof DiagnosticError || error instanceof PriorityTaken || error instanceof TenantError;

const failures: Partial<Record<Fault, () => TenantError>> = {
  refused: () => new TenantError("invalid_body", "Refused.", { status: 400 }),
  limited: () => new TenantError("rate_limited", "Limited.", { status: 429 }),
  "unavailable before": () => new TenantError("service_failed", "Unavailable.", { status: 503 }),
  "unavailable after": () => new TenantError("service_failed", "Unavailable.", { status: 503 }),
  "lost before": () => new TenantError("timeout", "Lost."),
  "lost after": () => new TenantError("timeout", "Lost."),
};

/** A tenant that carries out requests with a delay, and sometimes not at all. */
function simulatedTenant({ start, latency, fault = () => undefined, kept }: Rollout) {
  const clock = createVirtualClock();
  const stop = new AbortController();
  const acls = new Map(start);
  const lockouts: string[] = [];
  const writes: string[] = [];
  const deniedAtStart = deniedPaths(start);
  let wasKept = kept?.isKept(start) ?? false;
  let requests = 0;
  const exchange = async <T>(serve: () => T): Promise<T> => {
    const fate = fault(requests++);
    const failure = fate && failures[fate];
    await clock.sleep(latency(), stop.signal);
    if (failure && !fate.endsWith("after")) throw failure();
    const response = serve();
    if (fate === "kill") stop.abort(new TenantError("stopped", "Killed."));
    await clock.sleep(latency(), stop.signal);
    if (failure) throw failure();
    return response;
  };
  const send = (what: string, effect: () => void) =>
    exchange(() => {
      effect();
      writes.push(what);
      const fresh = deniedPaths(acls).filter((path) => !deniedAtStart.includes(path));
      if (fresh.length > 0) lockouts.push(`${what} blocks ${fresh.join(" and ")}`);
      const isKept = kept?.isKept(acls) ?? false;
      if (wasKept && !isKept) lockouts.push(`${what} breaks the expectation`);
      wasKept = isKept;
    });
  const put = async (id: string, acl: NetworkAclBody): Promise<NetworkAcl> => {
    await send(`put ${id} ${acl.priority}`, () => {
      if ([...acls].some(([other, { priority }]) => other !== id && priority === acl.priority)) {
        throw new TenantError("conflict", "Taken.", { status: 409 });
      }
      acls.set(id, acl);
    });
    return wire(id, acl);
  };
  return {
    clock,
    stop,
    acls,
    lockouts,
    writes,
    put,
    remove: (id: string) => send(`delete ${id}`, () => void acls.delete(id)),
    list: () => exchange(() => [...acls].map(([id, acl]) => wire(id, acl))),
  };
}

export async function roll(rollout: Rollout): Promise<Outcome> {
  const { start, target, steps, parallel } = rollout;
  const { clock, stop, acls, lockouts, writes, put, remove, list } = simulatedTenant(rollout);
  const errors: unknown[] = [];
  const gathering = createGathering();
  const statements = { ...settings, expectations: rollout.kept ? [rollout.kept.expectation] : [] };
  const callOf = (operation: Operation): AclCall => ({
    guard: aclWriteGuard(statements, operation),
    otherCalls: gathering,
    reports: { early() {}, unfinished: (_, because) => void errors.push(because) },
  });
  const priorities = createPriorities({ list, clock, signal: stop.signal, log: () => {} });
  const carryOut = ({ operation, id }: Step): Promise<unknown> => {
    const prior = start.get(id);
    const call = callOf(operation);
    if (operation === "delete" || operation === "replace") {
      const aside = (priority: number) => put(id, { ...prior!, priority });
      return priorities.remove(id, prior, () => remove(id), aside, call);
    }
    const wanted = target.get(id)!;
    const write = (priority: number) => put(id, { ...wanted, priority });
    if (operation === "create") return priorities.create(wanted, write, undefined, call);
    return priorities.move(id, wanted, prior, write, call);
  };
  const enter = createSlots(parallel);
  const ended = new Map<Step, Promise<boolean>>();
  const walk = async (step: Step): Promise<boolean> => {
    const before = await Promise.all(step.after.map((other) => ended.get(other)));
    if (before.includes(false)) return false;
    return enter(async () => {
      if (stop.signal.aborted) return false;
      await clock.sleep(1);
      return gathering
        .during(() => carryOut(step))
        .then(
          () => true,
          (error: unknown) => errors.push(error) < 0,
        );
    });
  };
  for (const step of steps) ended.set(step, walk(step));
  await clock.run(Promise.all(ended.values()));
  return {
    acls,
    errors: errors.map((error) => (error instanceof SteppedAside ? error.cause : error)),
    lockouts,
    writes,
    isKilled: stop.signal.aborted,
  };
}

/** Runs at most so many calls at the same time, first come, first served. */
function createSlots(count: number) {
  const waiting: (() => void)[] = [];
  let free = count;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--;
    else await new Promise<void>((wake) => waiting.push(wake));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

function wire(id: string, acl: NetworkAclBody): NetworkAcl {
  return { ...acl, id, created_at: "", updated_at: "" };
}
