/** What is wrong with a plan unless somebody who is yet to be planned puts it right: gathered, and answered for by one. */

/*
 * Terraform asks about a few objects at a time and never says how many will come. Who waits for the others holds a place that
 * they may need: so all but the youngest of those who wait leave, and it answers for them once nobody comes any more. Where
 * Terraform asks about one at a time, nobody can come while anybody waits: nothing is certain then, and nothing is said.
 */

export interface Doubts {
  /**
   * `check` returns what is wrong, undefined once it is not. One of those who ask about a topic is answered with all that
   * stays wrong, the others with nothing.
   */
  unresolved<T>(topic: string, check: () => T | undefined): Promise<readonly T[]>;
}

/**
 * `silence` waits until nothing was asked for a moment, or what it is given is over; `othersMayCome` tells whether anything
 * can be asked while somebody waits.
 */
export function createDoubts(silence: (isOver: () => boolean) => Promise<void>, othersMayCome: () => boolean): Doubts {
  const topics = new Map<string, (() => unknown)[]>();

  return {
    async unresolved<T>(topic: string, check: () => T | undefined) {
      if (check() === undefined || !othersMayCome()) return [];
      const open = (topics.get(topic) ?? []) as (() => T | undefined)[];
      topics.set(topic, open);
      open.push(check);
      const isYoungest = () => open.at(-1) === check;
      const isOver = () => open.every((each) => each() === undefined);
      await silence(isOver);
      if (isYoungest() && open.length > 1) await silence(isOver);
      if (!isYoungest()) return [];
      const wrong = open.map((each) => each()).filter((problem) => problem !== undefined);
      topics.delete(topic);
      return wrong;
    },
  };
}
