/** What is said of a whole plan, object by object: gathered, and answered for by one. */

/*
 * Terraform asks about a few objects at a time and never says how many will come. Who waits for the others holds a place that
 * they may need: so all but the youngest of those who wait leave, and it answers for them once nobody comes any more. Where
 * Terraform asks about one at a time, nobody can come while anybody waits: what others may put right is not certain then, and
 * is not said; anything else is said by each for itself.
 */

export interface Doubts {
  /** Whether other objects can be planned while one waits; false if Terraform plans one object at a time. */
  othersMayCome(): boolean;
  /**
   * For what is wrong unless somebody who is yet to be planned puts it right: `check` returns it, undefined once it is not.
   * One of those who ask about a topic is answered with all that stays wrong, the others with nothing.
   */
  unresolved<T>(topic: string, check: () => T | undefined): Promise<readonly T[]>;
  /** One of those who say something on a topic is answered with all that was said, the others with nothing. */
  gathered<T>(topic: string, said: T): Promise<readonly T[]>;
}

/**
 * `silence` waits until nothing was asked for a moment, or what it is given is over; `othersMayCome` tells whether anything
 * can be asked while somebody waits.
 */
export function createDoubts(silence: (isOver: () => boolean) => Promise<void>, othersMayCome: () => boolean): Doubts {
  const topics = new Map<string, (() => unknown)[]>();

  async function byOne<T>(topic: string, check: () => T | undefined): Promise<readonly T[]> {
    const open = (topics.get(topic) ?? []) as (() => T | undefined)[];
    topics.set(topic, open);
    open.push(check);
    const isYoungest = () => open.at(-1) === check;
    const isOver = () => open.every((each) => each() === undefined);
    await silence(isOver);
    if (isYoungest() && open.length > 1) await silence(isOver);
    if (!isYoungest()) return [];
    const said = open.map((each) => each()).filter((each) => each !== undefined);
    topics.delete(topic);
    return said;
  }

  return {
    othersMayCome,
    unresolved: async (topic, check) =>
      check() === undefined || !othersMayCome() ? [] : byOne(`unresolved ${topic}`, check),
    gathered: async (topic, said) => (othersMayCome() ? byOne(`gathered ${topic}`, () => said) : [said]),
  };
}
