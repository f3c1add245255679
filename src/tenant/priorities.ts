/** Access control lists that change places at the same time: each waits for its place, and a circle is opened by one detour. */
import type { Clock } from "./clock";
import { isTenantError, type TenantError } from "./error";
import type { Log } from "./log";
import type { NetworkAcl } from "./network-acl";
import { createPriorityBoard, type PlacedAcl } from "./priority-board";
import { PriorityTaken, SteppedAside, type Wanted } from "./priority-taken";

/*
 * Priorities are unique on the service and Terraform changes lists in parallel and in any order. So everybody who wants a
 * place says so here first. Whoever finds the place held by one who is about to leave it, waits. Where the waiting closes
 * a circle, one of it steps aside to a free priority, and the circle resolves: n lists rotate in n + 1 writes. A holder that
 * nobody has mentioned yet may still come, as Terraform starts only so many changes at once; a move gives it time. While
 * others wait for our own place, stepping aside early lets them go on and makes room for the holder; where no more than half
 * of a circle is under way at once, that may take a second detour. In the end the move fails, and the list stays where it is.
 * Should the holder, or one who wants our place, come only then, as it must where one list changes at a time, it is carried out
 * after all by whoever came: the tenant is in order after one run however few change at once, and the next one finds it so.
 * A list whose change nobody asked for is never written.
 *
 * Where a list stood is known from the host's state, which may be old: not every host keeps the state of an apply that failed.
 */

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

/**
 * All throw PriorityTaken, a move also SteppedAside. `from` is where the list is said to stand, so that others who want its place
 * know that it will be free.
 */
export interface Priorities {
  /** `post` makes the list; `isDuplicate` tells of a list in its place whether it is the very same. */
  create(
    wanted: Wanted,
    post: () => Promise<NetworkAcl>,
    isDuplicate?: (holder: PlacedAcl) => boolean,
  ): Promise<NetworkAcl>;
  /** `put` writes the whole list with this priority. */
  move(
    id: string,
    wanted: Wanted,
    from: number | undefined,
    put: (priority: number) => Promise<NetworkAcl>,
  ): Promise<NetworkAcl>;
  leave(id: string, from: number | undefined, remove: () => Promise<void>): Promise<void>;
}

/** A list that is about to leave its place. */
interface Change {
  /** Absent until the list exists. */
  id?: string;
  /** Absent where the list goes for good. */
  readonly wanted?: Wanted;
  /** The priority of the write under way. */
  writing?: number;
}

/** One that wants another place. */
interface Claim extends Change {
  readonly wanted: Wanted;
  write(priority: number): Promise<NetworkAcl>;
  isDuplicate?(holder: PlacedAcl): boolean;
  /** The list as it was written at another place. */
  aside?: NetworkAcl;
  /** The service's last word that a place is taken. */
  conflict?: TenantError;
  /** Whether the tenant's whole order was read since. */
  looked?: boolean;
}

export function createPriorities({ list, clock, signal, log, timeouts = {} }: PrioritiesOptions): Priorities {
  const { gather = 25, stepAside = 1_000, giveUp = 5_000 } = timeouts;
  const board = createPriorityBoard(list);
  const changes = new Set<Change>();
  /** Lists that this process has brought to their place, or failed to: they will not move again by themselves. */
  const settled = new Set<string>();
  /** Moves that have failed as their place was held. */
  const unplaced = new Map<string, Claim>();
  /** Places to step aside to at which another process was faster: it may step there again before the list shows it. */
  const contested = new Set<number>();
  let busy = 0;
  let progressAt = clock.now();
  let news = new AbortController();

  const progress = () => {
    progressAt = clock.now();
    news.abort();
    news = new AbortController();
  };

  /** Until something changes, at most so many milliseconds. */
  const progressWithin = (ms: number) =>
    clock.sleep(ms, AbortSignal.any([signal, news.signal])).catch(() => signal.throwIfAborted());

  /** While something is under way, nobody gives up. */
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++;
    try {
      return await work();
    } finally {
      busy--;
      progress();
    }
  };

  const changeOf = (id: string) => [...changes].find((change) => change.id === id);
  const some = (matches: (change: Change) => boolean | undefined) => [...changes].some(matches);

  /** Undefined where the place is taken; by whom, the board knows then. */
  const write = (claim: Claim, priority: number): Promise<NetworkAcl | undefined> =>
    during(async () => {
      claim.writing = priority;
      try {
        const acl = await claim.write(priority);
        claim.id = acl.id;
        claim.aside = acl;
        board.set(acl.id, acl);
        return acl;
      } catch (error) {
        if (!isTenantError(error, "conflict")) throw error;
        claim.looked = await board.load();
        if (claim.looked && priority !== claim.wanted.priority) {
          contested.add(priority);
          return undefined;
        }
        // Nobody else is to be seen there: the list lags behind, or others were faster and have gone on.
        const { id: seen = claim.id } = board.at(priority) ?? {};
        if (!claim.looked || (claim.conflict && seen === claim.id)) throw error;
        claim.conflict = error;
        return undefined;
      } finally {
        claim.writing = undefined;
      }
    });

  const closesCircle = (claim: Claim): boolean => {
    const passed = new Set<Change>();
    for (let one: Change | undefined = claim; one?.wanted && !one.writing && !passed.has(one);) {
      passed.add(one);
      const holder = board.at(one.wanted.priority);
      one = holder && changeOf(holder.id);
      if (one === claim) return true;
    }
    return false;
  };

  /** The nearest free priority that nobody wants or is on the way to, rather one that was free all the time. */
  const placeAside = ({ wanted }: Claim) =>
    board.free(
      wanted.priority,
      (at) => contested.has(at) || some((other) => other.wanted?.priority === at || other.writing === at),
    );

  /** Whether another change waits for the place where this list stands. */
  const isInTheWay = ({ id }: Claim) =>
    id !== undefined && some(({ wanted }) => wanted && board.at(wanted.priority)?.id === id);

  const meetsTwin = (claim: Claim, holder: PlacedAcl) => claim.isDuplicate?.(holder) ?? false;
  const taken = (claim: Claim, holder: PlacedAcl) => {
    const { wanted, conflict = { path: "/network-acls" }, aside } = claim;
    return new PriorityTaken(wanted, holder, meetsTwin(claim, holder), conflict, aside);
  };

  /** Throws PriorityTaken where no place is free. */
  const goAside = async (claim: Claim, holder: PlacedAcl): Promise<void> => {
    const place = placeAside(claim);
    if (place === undefined) throw taken(claim, holder);
    log("info", `Moving "${claim.wanted.description}" to priority ${place} until ${claim.wanted.priority} is free`);
    await write(claim, place);
  };

  /** Nobody has said that the holder moves: waits for that, or makes way; throws PriorityTaken where it stays. */
  const outwait = async (claim: Claim, holder: PlacedAcl): Promise<void> => {
    const stays = meetsTwin(claim, holder) || settled.has(holder.id);
    const end = stays ? 0 : busy > 0 ? Infinity : claim.id === undefined ? gather : giveUp;
    const mayGo = !stays && !claim.aside && isInTheWay(claim) && placeAside(claim) !== undefined;
    const until = mayGo ? stepAside : end;
    const idle = clock.now() - progressAt;
    if (idle < until) return progressWithin(until - idle);
    // What is known of the holder may be old.
    if (idle >= end && !claim.looked && (claim.looked = await during(() => board.load()))) return;
    if (!mayGo) throw taken(claim, holder);
    await goAside(claim, holder);
  };

  const isUnderWay = (priority: number) => some(({ writing }) => writing === priority);

  /** Carries on with a move that has failed. */
  const carryOn = async (claim: Claim, id: string, priority: number): Promise<void> => {
    unplaced.delete(id);
    changes.add(claim);
    try {
      const acl = await write(claim, priority);
      if (acl?.priority !== claim.wanted.priority) unplaced.set(id, claim);
    } catch (error) {
      log("warn", `Still not moving "${claim.wanted.description}" to priority ${priority}`, { because: String(error) });
    } finally {
      changes.delete(claim);
      progress();
    }
  };

  /** Moves that have failed, and whose place is free by now, are done after all. */
  const catchUp = async (): Promise<void> => {
    const ready = () =>
      [...unplaced].find(([, { wanted }]) => !board.at(wanted.priority) && !isUnderWay(wanted.priority));
    for (let next = ready(); next; next = ready()) {
      const [id, claim] = next;
      await carryOn(claim, id, claim.wanted.priority);
    }
  };

  /** The holder has failed to move, and did not know that somebody would want its place. */
  const makeWay = async (claim: Claim, holder: PlacedAcl, late: Claim): Promise<void> => {
    const place = placeAside(late);
    if (place === undefined) throw taken(claim, holder);
    await carryOn(late, holder.id, place);
  };

  const reachPlace = async (claim: Claim): Promise<NetworkAcl> => {
    const { priority } = claim.wanted;
    for (;;) {
      const there = board.at(priority);
      const holder = there?.id === claim.id ? undefined : there;
      const late = holder && unplaced.get(holder.id);
      if (!holder && !isUnderWay(priority)) {
        const acl = await write(claim, priority);
        if (acl) return acl;
      } else if (holder && closesCircle(claim)) await goAside(claim, holder);
      else if (holder && late) await makeWay(claim, holder, late);
      else if (holder && !changeOf(holder.id)) await outwait(claim, holder);
      else await progressWithin(giveUp);
    }
  };

  const carryOut = async <T>(change: Change, work: () => Promise<T>): Promise<T> => {
    changes.add(change);
    if (change.id !== undefined) unplaced.delete(change.id);
    progress();
    try {
      return await work();
    } finally {
      if (change.id !== undefined) settled.add(change.id);
      changes.delete(change);
      progress();
      await catchUp();
    }
  };

  const noteWhere = (id: string, from: number | undefined, description?: string) => {
    if (from !== undefined) board.assume(id, { id, priority: from, description });
  };

  return {
    create(wanted, post, isDuplicate) {
      const claim = { wanted, write: post, isDuplicate };
      return carryOut(claim, () => reachPlace(claim));
    },
    move(id, wanted, from, put) {
      noteWhere(id, from, wanted.description);
      const claim: Claim = { id, wanted, write: put };
      const gathered = async () => {
        await clock.sleep(gather, signal);
        const movers = [...changes].filter((change) => change.id !== undefined && change.wanted);
        if (movers.length > 1 && !board.loaded) await board.load();
      };
      return carryOut(claim, async () => {
        if (from !== wanted.priority) await during(gathered);
        return reachPlace(claim).catch((error: unknown) => {
          if (error instanceof PriorityTaken) unplaced.set(id, claim);
          else if (claim.aside) throw new SteppedAside(claim.aside, { cause: error });
          throw error;
        });
      });
    },
    leave(id, from, remove) {
      noteWhere(id, from);
      const gone = async () => {
        await remove();
        board.set(id, undefined);
      };
      return carryOut({ id }, () => during(gone));
    },
  };
}
