/** Sends each write once its guard accepts it, for objects without a priority. */
import { isWithoutEffect } from "../error";
import { createKnown, type Progress } from "./progress";
import { mustWait, refusalOf, type WriteCall } from "./verdict";

export interface Gate<T> {
  /**
   * Throws the refusal of the guard if no other write can come that changes it. `id` is missing for a new object. `becomes` gives the
   * object after the write; `send` returns it, or nothing after a deletion.
   */
  pass<R extends T | void>(
    call: WriteCall<T>,
    id: string | undefined,
    becomes: (old: T | undefined) => T | undefined,
    send: () => Promise<R>,
  ): Promise<R>;
}

interface Sent<T> {
  readonly id: string | undefined;
  becomes(old: T | undefined): T | undefined;
}

/** `list`: all objects of the tenant. It is read for the first guarded write, and after a write that may or may not have had an effect. */
export function createGate<T extends { readonly id: string }>(
  progress: Progress,
  list: () => Promise<readonly T[]>,
): Gate<T> {
  const known = createKnown(list);
  const inFlight = new Set<Sent<T>>();
  const versionOf = (id: string | undefined) => (id === undefined ? undefined : known.byId(id));
  const afterOf = ({ id, becomes }: Sent<T>) => becomes(versionOf(id));

  const sent = <R extends T | void>(write: Sent<T>, send: () => Promise<R>) =>
    progress.during(async () => {
      inFlight.add(write);
      try {
        const result = await send();
        if (write.id !== undefined) known.set(write.id, undefined);
        if (result) known.set(result.id, result as T);
        return result;
      } catch (error) {
        if (!isWithoutEffect(error)) known.invalidate();
        throw error;
      } finally {
        inFlight.delete(write);
      }
    });

  return {
    async pass({ guard, otherCalls }, id, becomes, send) {
      progress.note();
      for (let quietMs = 0; ;) {
        if (guard && !known.loaded && !(await progress.during(() => known.load()))) throw known.problem;
        const write = { id, becomes };
        const question = { id, before: versionOf(id), after: afterOf(write), isFinal: true };
        const situation = {
          known: known.all(),
          inFlight: [...inFlight].map((one) => ({ id: one.id, after: afterOf(one) })),
        };
        const isWaiting = mustWait(guard, question, situation);
        const refusal = isWaiting ? undefined : refusalOf(guard, question, situation);
        if (!isWaiting && !refusal) return sent(write, send);
        if (refusal && quietMs >= progress.giveUp) throw refusal;
        quietMs = await progress.pause(progress.giveUp - quietMs, otherCalls);
      }
    },
  };
}
