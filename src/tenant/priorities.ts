/** Access control lists that change places at the same time: each waits for its place, and a circle is opened by one detour. */
import type { Clock } from "./clock";
import { isTenantError, TenantError, type TenantErrorDetails } from "./error";
import type { Log } from "./log";
import type { NetworkAcl } from "./network-acl";
import { createPriorityBoard, type Standing } from "./priority-board";

/*
 * Priorities are unique on the service and Terraform changes lists in parallel and in any order. So everybody who wants a
 * place says so here first. Whoever finds the place held by one who is about to leave it, waits. Where the waiting closes
 * a circle, one of it steps aside to a free priority, and the circle resolves: n lists rotate in n + 1 writes. A holder that
 * nobody has mentioned yet may still come, as Terraform starts only so many changes at once; it is given time. While others
 * wait for our own place, stepping aside early lets them go on and makes room for the holder; where no more than half of a
 * circle is under way at once, that may take a second detour. In the end we step aside anyway, so that the next run finds
 * the way free, and fail. A list whose change nobody asked for is never written.
 */

/** Another list stands at the wanted priority, and nothing in this process was about to move it. */
export class PriorityTaken extends TenantError {
  /** Who stands there. */
  readonly holder: Standing;
  /** The list as it is now on the service, where it was given another priority in the meantime. */
  readonly standing?: NetworkAcl;

  constructor(message: string, holder: Standing, standing: NetworkAcl | undefined, details: TenantErrorDetails) {
    super("priority_taken", message, details);
    this.holder = holder;
    this.standing = standing;
  }
}

export interface PriorityTimeouts {
  /** Milliseconds in which changes that belong together are expected to arrive. Default 25. */
  gather?: number;
  /** Milliseconds without progress after which one steps aside for those who wait for its place. Default 1 000. */
  stepAside?: number;
  /** Milliseconds without progress after which one gives up. Default 5 000. */
  giveUp?: number;
}

export interface PrioritiesOptions {
  list(): Promise<NetworkAcl[]>;
  clock: Clock;
  signal: AbortSignal;
  log: Log;
  timeouts?: PriorityTimeouts;
}

export interface Wanted {
  description: string;
  priority: number;
}

export interface Priorities {
  /** `send` posts the list. Throws PriorityTaken. */
  create(wanted: Wanted, send: () => Promise<NetworkAcl>): Promise<NetworkAcl>;
  /** `put` writes the whole list with this priority; `from` is where the list stands. Throws PriorityTaken. */
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
  id?: string;
  wanted: Wanted;
  /** The priority of the write under way. */
  writing?: number;
  since: number;
  /** What the service holds after stepping aside. */
  aside?: NetworkAcl;
  write(priority: number): Promise<NetworkAcl>;
}

/** Conflicts in a row with nobody to be seen at the place. */
const maxPhantoms = 3;
const forever = 60_000;

export function createPriorities({ list, clock, signal, log, timeouts = {} }: PrioritiesOptions): Priorities {
  const { gather = 25, stepAside = 1_000, giveUp = 5_000 } = timeouts;
  const board = createPriorityBoard(list);
  const claims = new Set<Claim>();
  const leaving = new Set<string>();
  /** Lists that this process has brought to their place, or failed to: they will not move again. */
  const settled = new Set<string>();
  /** Places that somebody wanted and did not get. */
  const missed = new Set<number>();
  let waiting: (() => void)[] = [];
  let progressAt = clock.now();

  const progress = () => {
    progressAt = clock.now();
    for (const wake of waiting.splice(0)) wake();
  };

  /** Until something changes, at most so many milliseconds. */
  const change = async (ms: number) => {
    const over = new AbortController();
    const changed = new Promise<void>((resolve) => waiting.push(resolve));
    await Promise.race([changed, clock.sleep(Math.max(0, ms), AbortSignal.any([signal, over.signal]))]);
    over.abort();
  };

  const claimOf = (id: string) => [...claims].find((claim) => claim.id === id);

  const write = async (claim: Claim, priority: number): Promise<NetworkAcl> => {
    claim.writing = priority;
    try {
      const acl = await claim.write(priority);
      board.put({ id: acl.id, priority, description: claim.wanted.description });
      return acl;
    } finally {
      claim.writing = undefined;
      progress();
    }
  };

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

  const isWanted = (priority: number | undefined) =>
    priority !== undefined &&
    (missed.has(priority) ||
      [...claims].some(({ writing, wanted }) => writing === undefined && wanted.priority === priority));

  const step = async (claim: Claim): Promise<boolean> => {
    if (claim.id === undefined) return false;
    const spared = new Set([...claims].flatMap(({ wanted, writing = wanted.priority }) => [wanted.priority, writing]));
    const priority = board.free(claim.wanted.priority, spared);
    if (priority === undefined) return false;
    log("info", `Moving "${claim.wanted.description}" to priority ${priority} until ${claim.wanted.priority} is free`);
    try {
      claim.aside = await write(claim, priority);
    } catch (error) {
      if (!isTenantError(error, "conflict")) throw error;
      return board.load();
    }
    return true;
  };

  const taken = (claim: Claim, holder: Standing, conflict: TenantError | undefined) => {
    const { wanted, aside, id } = claim;
    const who = holder.description === undefined ? holder.id : `"${holder.description}" (${holder.id})`;
    const now = aside
      ? ` "${wanted.description}" stands at priority ${aside.priority} for now, with everything else as wanted.`
      : "";
    const remedy = settled.has(holder.id)
      ? "Give one of the two another priority."
      : id === undefined
        ? "Choose another priority, import that list if it is the one that is meant, or, if this configuration moves or removes it, apply again."
        : "If this configuration moves or removes that list, apply again; otherwise choose another priority.";
    return new PriorityTaken(
      `Priority ${wanted.priority}, wanted for "${wanted.description}", is held by ${who}.${now} ${remedy}`,
      holder,
      aside,
      {
        status: conflict?.status,
        requestId: conflict?.requestId,
        serviceCode: conflict?.serviceCode,
        method: id === undefined ? "POST" : "PUT",
        path: id === undefined ? "/network-acls" : `/network-acls/${encodeURIComponent(id)}`,
      },
    );
  };

  const reachPlace = async (claim: Claim): Promise<NetworkAcl> => {
    const { priority } = claim.wanted;
    let conflict: TenantError | undefined;
    let phantoms = 0;
    let checked = false;
    for (;;) {
      const holder = board.at(priority);
      if (!holder || holder.id === claim.id) {
        if ([...claims].some((other) => other !== claim && other.writing === priority)) {
          await change(forever);
          continue;
        }
        try {
          return await write(claim, priority);
        } catch (error) {
          if (!isTenantError(error, "conflict")) throw error;
          conflict = error;
          if (!(await board.load()) || (!board.at(priority) && ++phantoms > maxPhantoms)) throw error;
          continue;
        }
      }
      if (leaving.has(holder.id)) {
        await change(forever);
        continue;
      }
      if (claimOf(holder.id)) {
        if (!closesCircle(claim)) await change(forever);
        else if (!board.loaded && (await board.load())) continue;
        else if (!(await step(claim))) throw taken(claim, holder, conflict);
        continue;
      }
      const underWay = leaving.size > 0 || [...claims].some((other) => other.writing !== undefined);
      if (underWay && !settled.has(holder.id)) {
        await change(forever);
        continue;
      }
      const from = claim.id === undefined ? undefined : board.of(claim.id)?.priority;
      const idle = settled.has(holder.id) ? Infinity : clock.now() - Math.max(progressAt, claim.since);
      if (idle >= stepAside && !claim.aside && isWanted(from) && (await step(claim))) continue;
      if (idle < giveUp) {
        await change((idle < stepAside ? stepAside : giveUp) - idle);
        continue;
      }
      if (!checked) {
        checked = true;
        await board.load();
        continue;
      }
      const mayHelp = !claim.aside && (!settled.has(holder.id) || isWanted(from));
      if (mayHelp && (await step(claim)) && !claim.aside) continue;
      throw taken(claim, holder, conflict);
    }
  };

  const stake = async (claim: Claim, before: () => Promise<void>): Promise<NetworkAcl> => {
    claims.add(claim);
    if (claim.id !== undefined) settled.delete(claim.id);
    progress();
    try {
      await before();
      const acl = await reachPlace(claim);
      missed.delete(claim.wanted.priority);
      settled.add(acl.id);
      return acl;
    } catch (error) {
      missed.add(claim.wanted.priority);
      if (claim.id !== undefined) settled.add(claim.id);
      throw error;
    } finally {
      claims.delete(claim);
      progress();
    }
  };

  return {
    create: (wanted, send) => stake({ wanted, since: clock.now(), write: send }, async () => {}),
    async move(id, wanted, from, put) {
      if (from !== undefined && !board.loaded) board.put({ id, priority: from, description: wanted.description });
      return stake({ id, wanted, since: clock.now(), write: put }, async () => {
        if (from === wanted.priority) return;
        await clock.sleep(gather, signal);
        const movers = [...claims].filter((claim) => claim.id !== undefined);
        if (movers.length > 1 && !board.loaded) await board.load();
      });
    },
    async leave(id, from, remove) {
      if (from !== undefined && !board.loaded) board.put({ id, priority: from });
      leaving.add(id);
      progress();
      try {
        await remove();
        board.remove(id);
      } finally {
        leaving.delete(id);
        settled.add(id);
        progress();
      }
    },
  };
}
