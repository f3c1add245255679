/** ACLs that change priorities in Terraform's order, on a simulated service and clock. */
import fc from "../../support/random";
import { TenantError } from "../../../src/tenant/error";
import type { NetworkAcl } from "../../../src/tenant/network-acl";
import { createPriorities } from "../../../src/tenant/gate/priorities";
import type { AclCall } from "../../../src/tenant/gate/changes";
import { simulateAcls } from "./simulated-acls";
import { createVirtualClock } from "./virtual-clock";

export interface Change {
  id: string;
  /** Absent for a create. */
  from?: number;
  /** Absent for a delete. */
  to?: number;
}

export interface Run {
  /** The priorities of the ACLs before the changes. */
  start: Record<string, number>;
  /** In the order in which Terraform starts them. */
  changes: Change[];
  parallel: number;
  latency?: () => number;
  /** Whether the service refuses the content of this write, counted from 0. */
  isRefused?: (write: number) => boolean;
  /** Whether a call may end before its ACL has the priority, as under Terraform. */
  early?: boolean;
  /** Milliseconds after which Terraform begins the next call. Default 1. */
  startsAfter?: () => number;
}

/** Carries the changes out like Terraform: this many at a time, and the next one when one is done. */
export async function run({
  start,
  changes,
  parallel,
  latency = () => 50,
  isRefused = () => false,
  early = false,
  startsAfter = () => 1,
}: Run) {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, start, latency);
  const { signal } = new AbortController();
  let reads = 0;
  const list = () => (reads++, service.list());
  const told: string[] = [];
  const log = (level: string, message: string) => told.push(`${level} ${message}`);
  const priorities = createPriorities({ list, clock, signal, log });
  const begun = clock.now();
  const errors: unknown[] = [];
  const left = [...changes];
  let writes = 0;
  const put = async (id: string, priority: number) => {
    if (isRefused(writes++)) throw new TenantError("invalid_body", "Refused.");
    return service.put(id, priority);
  };
  const calls = { running: 0, waiting: 0, most: 0 };
  const unfinished: unknown[] = [];
  const call: AclCall = {
    guard: { mayRefuse: () => false, refusal: () => undefined },
    otherCalls: {
      areRunning: () => calls.running > calls.waiting,
      hasFreeSlot: () => calls.running < calls.most,
      async waiting(work) {
        calls.waiting++;
        return work().finally(() => calls.waiting--);
      },
    },
    reports: {
      early: ({ id, priority, wanted }, { id: holder }) => told.push(`early ${id} ${priority} ${wanted} ${holder}`),
      unfinished: ({ id, priority, wanted }, because) => {
        unfinished.push(because);
        told.push(`unfinished ${id} ${priority} ${wanted}`);
      },
    },
  };
  const own = early ? call : undefined;
  const carryOut = ({ id, from, to }: Change): Promise<unknown> => {
    const prior = from === undefined ? undefined : { priority: from };
    if (to === undefined) return priorities.remove(id, prior, () => service.remove(id), undefined, own);
    const wanted = { description: `list ${id}`, priority: to };
    if (!prior) return priorities.create(wanted, (priority) => service.post(id, priority), undefined, own);
    return priorities.move(id, wanted, prior, (priority) => put(id, priority), own);
  };
  const slot = async () => {
    for (let change = left.shift(); change; change = left.shift()) {
      await clock.sleep(startsAfter());
      calls.most = Math.max(calls.most, ++calls.running);
      await carryOut(change).catch((error: unknown) => errors.push(error));
      calls.running--;
    }
  };
  await clock.run(Promise.all(Array.from({ length: parallel }, slot)));
  const seconds = (clock.now() - begun) / 1000;
  return {
    errors: [...errors, ...unfinished],
    standings: service.standings(),
    writes: service.writes,
    reads,
    told,
    seconds,
  };
}

export const names = (count: number) => Array.from({ length: count }, (_, index) => `acl_${index}`);

/** ACLs at 1..n. Each moves to the priority that the permutation names. */
export function permuted(permutation: number[]): Pick<Run, "start" | "changes"> & { wanted: Record<string, number> } {
  const ids = names(permutation.length);
  const start = Object.fromEntries(ids.map((id, index) => [id, index + 1]));
  const wanted = Object.fromEntries(ids.map((id, index) => [id, permutation[index]! + 1]));
  const changes = ids.map((id) => ({ id, from: start[id], to: wanted[id] })).filter(({ from, to }) => from !== to);
  return { start, wanted, changes };
}

export function circles(permutation: number[]): number {
  const seen = new Set<number>();
  let count = 0;
  for (let at = 0; at < permutation.length; at++) {
    if (seen.has(at) || permutation[at] === at) continue;
    count++;
    for (let on = at; !seen.has(on); on = permutation[on]!) seen.add(on);
  }
  return count;
}

export const permutations = (most: number) =>
  fc
    .integer({ min: 2, max: most })
    .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }));

/** Priorities on a simulated tenant, step by step. */
export function open(
  start: Record<string, number>,
  list?: (real: () => Promise<NetworkAcl[]>) => Promise<NetworkAcl[]>,
) {
  const clock = createVirtualClock();
  const service = simulateAcls(clock, start, () => 50);
  const { signal } = new AbortController();
  const listed = () => (list ? list(service.list) : service.list());
  const priorities = createPriorities({ list: listed, clock, signal, log: () => {} });
  const create = (id: string, priority: number, isDuplicate?: () => boolean) =>
    clock.run(priorities.create({ description: id, priority }, () => service.post(id, priority), isDuplicate));
  return { clock, service, priorities, create };
}
