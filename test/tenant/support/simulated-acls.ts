// The service's side of network ACLs and their unique priorities, on a clock of the test.
import type { Clock } from "../../../src/tenant/clock";
import { TenantError } from "../../../src/tenant/error";
import type { NetworkAcl } from "../../../src/tenant/network-acls";

export interface SimulatedAcls {
  list(): Promise<NetworkAcl[]>;
  put(id: string, priority: number): Promise<NetworkAcl>;
  post(id: string, priority: number): Promise<NetworkAcl>;
  remove(id: string): Promise<void>;
  /** The priority of each ACL, by id. */
  standings(): Record<string, number>;
  /** Every write that arrived, including refused ones: `put a 2`. */
  writes: string[];
}

/** `latency`: milliseconds to the service, and back, drawn for each request. */
export function simulateAcls(clock: Clock, start: Record<string, number>, latency: () => number): SimulatedAcls {
  const places = new Map(Object.entries(start));
  const writes: string[] = [];
  const acl = (id: string): NetworkAcl => ({
    id,
    description: `list ${id}`,
    active: true,
    priority: places.get(id) ?? 0,
    rule: { action: { block: true }, match: {}, scope: "tenant" },
    created_at: "",
    updated_at: "",
  });
  const travel = async <T>(arrive: () => T): Promise<T> => {
    await clock.sleep(latency());
    const answer = arrive();
    await clock.sleep(latency());
    return answer;
  };
  const place = (verb: string, id: string, priority: number) =>
    travel(() => {
      writes.push(`${verb} ${id} ${priority}`);
      const taken = [...places].some(([other, at]) => other !== id && at === priority);
      if (!taken) places.set(id, priority);
      return taken;
    }).then((taken) => {
      if (taken) throw new TenantError("conflict", "A Network ACL with this priority number has already been created.");
      return acl(id);
    });
  return {
    list: () => travel(() => [...places.keys()].map(acl)),
    put: (id, priority) => place("put", id, priority),
    post: (id, priority) => place("post", id, priority),
    remove: (id) => travel(() => void places.delete(id)),
    standings: () => Object.fromEntries(places),
    writes,
  };
}
