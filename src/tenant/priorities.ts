/** Access control lists that change places at the same time: each waits for its place, and a circle is opened by one detour. */
import type { Clock } from "./clock";
import { Conflict } from "./conflict";
import { isTenantError, type TenantError } from "./error";
import type { Log } from "./log";
import type { NetworkAcl } from "./network-acl";
import { createPriorityBoard, type Standing } from "./priority-board";

/*
 * Priorities are unique on the service and Terraform changes lists in parallel and in any order. So everybody who wants a
 * place says so here first. Whoever finds the place held by one who is about to leave it, waits. Where the waiting closes
 * a circle, one of it steps aside to a free priority, and the circle resolves: n lists rotate in n + 1 writes. A holder that
 * nobody has mentioned yet may still come, as Terraform starts only so many changes at once; a move gives it time. While
 * others wait for our own place, stepping aside early lets them go on and makes room for the holder; where no more than half
 * of a circle is under way at once, that may take a second detour. In the end we step aside anyway, so that the next run
 * finds the way free, and fail. A list whose change nobody asked for is never written.
 */

/** Another list stands at the wanted priority, and nothing in this process was about to move it. */
export class PriorityTaken extends Conflict<Standing> {
  constructor(
    { wanted, id, aside: standing }: Pick<Claim, "wanted" | "id" | "aside">,
    holder: Standing,
    identical: boolean,
    conflict: TenantError | undefined,
  ) {
    const who = holder.description === undefined ? holder.id : `"${holder.description}" (${holder.id})`;
    const now = standing ? `; "${wanted.description}" stands at priority ${standing.priority} for now` : "";
    super(
      `Priority ${wanted.priority}, wanted for "${wanted.description}", is held by ${who}${now}.`,
      holder,
      identical,
      {
        status: conflict?.status,
        requestId: conflict?.requestId,
        serviceCode: conflict?.serviceCode,
        method: id === undefined ? "POST" : "PUT",
        path: id === undefined ? "/network-acls" : `/network-acls/${encodeURIComponent(id)}`,
      },
      "priority_taken",
    );
    this.standing = standing;
  }

  /** The list as it is now on the service, where it was given another priority in the meantime. */
  readonly standing?: NetworkAcl;
}

export interface PriorityTimeouts {
  /** Milliseconds in which changes that belong together are expected to arrive. Default 25. */
  readonly gather?: number;
  /** Milliseconds without progress after which one steps aside for those who wait for its place. Default 1 000. */
  readonly stepAside?: number;
  /** Milliseconds without progress after which a move gives up. Default 5 000. */
  readonly giveUp?: number;
}

export interface PrioritiesOptions {
  list(): Promise<NetworkAcl[]>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly timeouts?: PriorityTimeouts;
}

export type Wanted = Pick<NetworkAcl, "description" | "priority">;

/** All throw PriorityTaken. `from` is where the list stands, so that others who want its place know that it will be free. */
export interface Priorities {
  /** `post` makes the list; `isTwin` tells of a list in its place whether it is the very same. */
  create(wanted: Wanted, post: () => Promise<NetworkAcl>, isTwin?: (holder: Standing) => boolean): Promise<NetworkAcl>;
  /** `put` writes the whole list with this priority. */
  move(
    id: string,
    wanted: Wanted,
    from: number | undefined,
    put: (priority: number) => Promise<NetworkAcl>,
  ): Promise<NetworkAcl>;
  leave(id: string, from: number | undefined, remove: () => Promise<void>): Promise<void>;
}

/** Somebody who wants a place. */
interface Claim {
  /** Absent for one that does not exist yet. */
  readonly id?: string;
  readonly wanted: Wanted;
  write(priority: number): Promise<NetworkAcl>;
  isTwin?(holder: Standing): boolean;
  /** Something of it is under way: it does not merely wait. */
  busy?: boolean;
  /** The priority of the write under way. */
  writing?: number;
  /** What the service holds after stepping aside. */
  aside?: NetworkAcl;
}

export function createPriorities({ list, clock, signal, log, timeouts = {} }: PrioritiesOptions): Priorities {
  const { gather = 25, stepAside = 1_000, giveUp = 5_000 } = timeouts;
  const board = createPriorityBoard(list);
  const claims = new Set<Claim>();
  const leaving = new Set<string>();
  /** Lists that this process has brought to their place, or failed to: they will not move again. */
  const settled = new Set<string>();
  let waiting: (() => void)[] = [];
  let progressAt = clock.now();

  const progress = () => {
    progressAt = clock.now();
    for (const wake of waiting.splice(0)) wake();
  };

  /** Until something changes, at most so many milliseconds. */
  const change = async (ms = 60_000) => {
    const over = new AbortController();
    const changed = new Promise<void>((resolve) => waiting.push(resolve));
    await Promise.race([changed, clock.sleep(ms, AbortSignal.any([signal, over.signal]))]);
    over.abort();
  };

  const claimOf = (id: string) => [...claims].find((claim) => claim.id === id);

  const during = async <T>(claim: Claim, work: () => Promise<T>): Promise<T> => {
    claim.busy = true;
    try {
      return await work();
    } finally {
      claim.busy = false;
      claim.writing = undefined;
      progress();
    }
  };

  const load = (claim: Claim) => during(claim, () => board.load());

  const write = (claim: Claim, priority: number) =>
    during(claim, async () => {
      claim.writing = priority;
      const acl = await claim.write(priority);
      board.set(acl.id, { ...acl, priority });
      return acl;
    });

  const closesCircle = (claim: Claim): boolean => {
    const passed = new Set<Claim>();
    for (let one: Claim | undefined = claim; one && !one.writing && !passed.has(one);) {
      passed.add(one);
      const holder = board.at(one.wanted.priority);
      one = holder && claimOf(holder.id);
      if (one === claim) return true;
    }
    return false;
  };

  /** Whether another change waits for the place where this list stands. */
  const isInTheWay = ({ id }: Claim) => {
    const from = id === undefined ? undefined : board.of(id)?.priority;
    return [...claims].some(({ wanted }) => wanted.priority === from);
  };

  /** To the nearest free priority; false where there is none. */
  const step = async (claim: Claim): Promise<boolean> => {
    const spared = new Set([...claims].flatMap(({ wanted, writing = wanted.priority }) => [wanted.priority, writing]));
    const priority = board.free(claim.wanted.priority, spared);
    if (priority === undefined) return false;
    log("info", `Moving "${claim.wanted.description}" to priority ${priority} until ${claim.wanted.priority} is free`);
    try {
      claim.aside = await write(claim, priority);
      return true;
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      return load(claim);
    }
  };

  /** Milliseconds to wait for a holder of whom nobody has said that it moves; 0: it will not. */
  const hope = (claim: Claim, holder: Standing): number => {
    if (settled.has(holder.id)) return 0;
    if (leaving.size > 0 || [...claims].some((other) => other.busy)) return 60_000;
    const idle = clock.now() - progressAt;
    if (claim.id === undefined) return Math.max(0, gather - idle);
    return Math.max(0, (idle < stepAside ? stepAside : giveUp) - idle);
  };

  const reachPlace = async (claim: Claim): Promise<NetworkAcl> => {
    const { id, wanted } = claim;
    const { priority } = wanted;
    let conflict: TenantError | undefined;
    let looked = false;
    let unseen = 0;
    for (;;) {
      const holder = board.at(priority);
      if (!holder || holder.id === id) {
        if ([...claims].some((other) => other !== claim && other.writing === priority)) {
          await change();
          continue;
        }
        try {
          return await write(claim, priority);
        } catch (error) {
          if (!isTenantError(error, "conflict")) throw error;
          conflict = error;
          looked = await load(claim);
          // Nobody is to be seen there: the list lags behind, or others are faster.
          if (!looked || (!board.at(priority) && ++unseen > 2)) throw error;
          continue;
        }
      }
      const mover = claimOf(holder.id);
      if (mover && closesCircle(claim)) {
        if (await step(claim)) continue;
        throw new PriorityTaken(claim, holder, false, conflict);
      }
      if (mover || leaving.has(holder.id)) {
        await change();
        continue;
      }
      const identical = claim.isTwin?.(holder) ?? false;
      const mayStep = id !== undefined && !claim.aside;
      const left = identical ? 0 : hope(claim, holder);
      const idle = clock.now() - progressAt;
      if (left > 0 && mayStep && idle >= stepAside && isInTheWay(claim) && (await step(claim))) continue;
      if (left > 0) {
        await change(left);
        continue;
      }
      // What is known of the holder may be old.
      if (!looked && (looked = await load(claim))) continue;
      if (mayStep && !settled.has(holder.id) && (await step(claim)) && !claim.aside) continue;
      throw new PriorityTaken(claim, holder, identical, conflict);
    }
  };

  const stake = async (claim: Claim, before: () => Promise<void>): Promise<NetworkAcl> => {
    claims.add(claim);
    progress();
    try {
      await during(claim, before);
      const acl = await reachPlace(claim);
      settled.add(acl.id);
      return acl;
    } catch (error) {
      if (claim.id !== undefined) settled.add(claim.id);
      throw error;
    } finally {
      claims.delete(claim);
      progress();
    }
  };

  const noteWhere = (id: string, from: number | undefined, description?: string) => {
    if (from !== undefined) board.set(id, { id, priority: from, description });
  };

  return {
    create: (wanted, post, isTwin) => stake({ wanted, write: post, isTwin }, async () => {}),
    async move(id, wanted, from, put) {
      noteWhere(id, from, wanted.description);
      return stake({ id, wanted, write: put }, async () => {
        if (from === wanted.priority) return;
        await clock.sleep(gather, signal);
        const movers = [...claims].filter((claim) => claim.id !== undefined);
        if (movers.length > 1 && !board.loaded) await board.load();
      });
    },
    async leave(id, from, remove) {
      noteWhere(id, from);
      leaving.add(id);
      progress();
      try {
        await remove();
        board.set(id, undefined);
      } finally {
        leaving.delete(id);
        settled.add(id);
        progress();
      }
    },
  };
}
