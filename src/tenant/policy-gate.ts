/** Judges each write of a rate limit policy by the policies that the tenant has at that moment. */
import type { Order } from "./order";
import type { RateLimitPolicy } from "./rate-limit-policy";
import { isWithoutEffect } from "./write-gate";
import type { OtherCalls } from "./write-guard";

export interface PolicyGuard {
  /** The error for a write that turns the first policies into the second ones; undefined: it is accepted. */
  refusal(before: readonly RateLimitPolicy[], after: readonly RateLimitPolicy[]): Error | undefined;
}

/** A write, or a wait for other writes. */
export interface PolicyCall {
  /** Left out: nothing judges the write. */
  readonly guard?: PolicyGuard | undefined;
  /** The other calls of Terraform. Default: they are not known. */
  readonly otherCalls?: OtherCalls | undefined;
}

/** undefined: there is no such policy. */
type Version = RateLimitPolicy | undefined;

export interface PolicyGate {
  /**
   * Sends the write once its guard accepts it. Throws the refusal if no other write can come that changes it. `id`: empty for a new
   * policy. `becomes`: the policy after the write.
   */
  pass<T extends RateLimitPolicy | void>(
    call: PolicyCall,
    id: string,
    becomes: (old: Version) => Version,
    send: () => Promise<T>,
  ): Promise<T>;
}

/** `list`: all policies of the tenant. It is read once, and again after a write that may or may not have had an effect. */
export function createPolicyGate(order: Order, list: () => Promise<readonly RateLimitPolicy[]>): PolicyGate {
  let standing: ReadonlyMap<string, RateLimitPolicy> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** Judged writes are sent one by one, so that each is judged by what the tenant really has. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };

  const written = (before: ReadonlyMap<string, RateLimitPolicy>, id: string, after: Version) => {
    const next = new Map(before);
    next.delete(id);
    if (after) next.set(after.id, after);
    return next;
  };

  return {
    async pass({ guard, otherCalls }, id, becomes, send) {
      const sent = () => order.during(send);
      if (!guard) return sent();
      order.progress();
      for (;;) {
        const done = await inTurn(async () => {
          const before = (standing ??= new Map((await list()).map((policy) => [policy.id, policy])));
          const next = written(before, id, becomes(before.get(id)));
          const refusal = guard.refusal([...before.values()], [...next.values()]);
          if (refusal) return { refusal };
          try {
            const result = await sent();
            standing = written(before, id, result ?? undefined);
            return { result };
          } catch (error) {
            if (!isWithoutEffect(error)) standing = undefined;
            throw error;
          }
        });
        if (!("refusal" in done)) return done.result;
        if (!(await order.waitForOthers(otherCalls))) throw done.refusal;
      }
    },
  };
}
