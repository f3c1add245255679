/** Applies random changes of network ACLs like Terraform, on a simulated tenant that enforces them. */
import { decide } from "../../../../src/emulator/enforcement/decide";
import { mayRestrict } from "../../../../src/impact/lockout/write";
import { createGuard } from "../../../../src/resources/network-acl/guard";
import { refusalOf, type JudgedAcl } from "../../../../src/resources/network-acl/guard-words";
import { DiagnosticError } from "../../../../src/sdk/diagnostic";
import { createGathering } from "../../../../src/sdk/gathering";
import { TenantError } from "../../../../src/tenant/error";
import type { NetworkAcl, NetworkAclBody } from "../../../../src/tenant/network-acl";
import { createPriorities } from "../../../../src/tenant/priorities";
import { PriorityTaken, SteppedAside } from "../../../../src/tenant/priority-taken";
import type { WriteGuard } from "../../../../src/tenant/write-guard";
import { createVirtualClock } from "../../../tenant/support/virtual-clock";

export type Acls = ReadonlyMap<string, NetworkAclBody>;

/** What happens to the nth write, counted from 0. `kill` ends the process after the write has taken effect. */
export type Fault = "refused" | "lost before" | "lost after" | "kill";

export interface Rollout {
  readonly start: Acls;
  /** New ACLs have names that `start` does not have. */
  readonly target: Acls;
  /** In the order in which Terraform starts the changes. */
  readonly order: readonly string[];
  readonly parallel: number;
  latency(): number;
  fault?(write: number): Fault | undefined;
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

const noList = async () => [];
const own = { hostname: ip, userAgents: ["tenantform"], asksToken: true };
const guard = createGuard({ protected_requests: [{ name: "our CI", ip }] }, noList, own);
const judged = (acl: object, index: number) => ({ ...acl, key: String(index) }) as JudgedAcl;
type Content = Parameters<typeof mayRestrict>[0];

export const isExplained = (error: unknown) =>
  error instanceof DiagnosticError || error instanceof PriorityTaken || error instanceof TenantError;

export async function roll({
  start,
  target,
  order,
  parallel,
  latency,
  fault = () => undefined,
}: Rollout): Promise<Outcome> {
  const clock = createVirtualClock();
  const acls = new Map(start);
  const errors: unknown[] = [];
  const lockouts: string[] = [];
  const writes: string[] = [];
  const deniedAtStart = deniedPaths(start);
  const stop = new AbortController();
  const gathering = createGathering((ms) => clock.sleep(ms));
  const writeGuard: WriteGuard = {
    mayRestrict: (before, after) => mayRestrict(before as Content, after as Content),
    refusal(now, then) {
      const found = guard.lockouts(now.map(judged), then.map(judged));
      return found.length > 0 ? refusalOf(found, "update") : undefined;
    },
    otherCalls: { outlook: () => gathering.outlook(parallel), waiting: gathering.waiting },
  };
  const list = async () => {
    await clock.sleep(latency(), stop.signal);
    const found = [...acls].map(([id, acl]) => wire(id, acl));
    await clock.sleep(latency(), stop.signal);
    return found;
  };
  const log = () => {};
  const priorities = createPriorities({ list, clock, signal: stop.signal, log });

  /** Sends one write to the tenant, which answers only allowed requests. */
  const send = async (what: string, effect: () => void): Promise<void> => {
    const nth = writes.push(what) - 1;
    const failure = fault(nth);
    await clock.sleep(latency(), stop.signal);
    if (failure === "refused") throw new TenantError("invalid_body", "Refused.", { status: 400 });
    if (failure === "lost before") throw new TenantError("timeout", "Lost.");
    effect();
    const fresh = deniedPaths(acls).filter((path) => !deniedAtStart.includes(path));
    if (fresh.length > 0) lockouts.push(`${what} blocks ${fresh.join(" and ")}`);
    if (failure === "kill") stop.abort(new TenantError("stopped", "Killed."));
    await clock.sleep(latency(), stop.signal);
    if (failure === "lost after") throw new TenantError("timeout", "Lost.");
  };
  const put = async (id: string, acl: NetworkAclBody): Promise<NetworkAcl> => {
    await send(`put ${id} ${acl.priority}`, () => {
      if ([...acls].some(([other, { priority }]) => other !== id && priority === acl.priority)) {
        throw new TenantError("conflict", "Taken.", { status: 409 });
      }
      acls.set(id, acl);
    });
    return wire(id, acl);
  };
  const carryOut = (id: string): Promise<unknown> => {
    const [prior, wanted] = [start.get(id), target.get(id)];
    const guarded = { guard: writeGuard, prior };
    if (!wanted) {
      return priorities.remove(id, prior!.priority, () => send(`delete ${id}`, () => void acls.delete(id)), guarded);
    }
    const write = (priority: number) => put(id, { ...wanted, priority });
    if (!prior) return priorities.create(wanted, write, undefined, guarded);
    return priorities.move(id, wanted, prior.priority, write, guarded);
  };
  const left = [...order];
  const slot = async () => {
    for (let id = left.shift(); id !== undefined && !stop.signal.aborted; id = left.shift()) {
      const name = id;
      await clock.sleep(1);
      await gathering.during(() => carryOut(name)).catch((error: unknown) => errors.push(error));
    }
  };
  await clock.run(Promise.all(Array.from({ length: parallel }, slot)));
  return {
    acls,
    errors: errors.map((error) => (error instanceof SteppedAside ? error.cause : error)),
    lockouts,
    writes,
    isKilled: stop.signal.aborted,
  };
}

function wire(id: string, acl: NetworkAclBody): NetworkAcl {
  return { ...acl, id, created_at: "", updated_at: "" };
}
