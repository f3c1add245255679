/** Counts the requests of each client in each second, in bounded memory. */

export interface Rates {
  add(client: string, second: number, count?: number): void;
  all(): Iterable<readonly [client: string, second: number, count: number]>;
  /** Whether there were too many clients or seconds, so that some requests are not counted. */
  readonly isFull: boolean;
}

/** Slots of 12 bytes. */
const mostSlots = 1 << 21;
const mostClients = 10_000;

export function createRates(): Rates {
  let slots = new Uint32Array(3 << 10);
  let used = 0;
  let isFull = false;
  const numbers = new Map<string, number>();
  const place = (client: number, second: number) => {
    const mask = slots.length / 3 - 1;
    let at = (Math.imul(client, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    while (slots[3 * at + 2] !== 0 && (slots[3 * at] !== client || slots[3 * at + 1] !== second)) at = (at + 1) & mask;
    return 3 * at;
  };
  const grow = () => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 3) {
      if (old[index + 2] !== 0) slots.set(old.subarray(index, index + 3), place(old[index]!, old[index + 1]!));
    }
  };
  return {
    add(client, second, count = 1) {
      const number = numbers.get(client) ?? numbers.size;
      if (number >= mostClients || (used * 6 >= slots.length && slots.length / 3 >= mostSlots)) {
        isFull = true;
        return;
      }
      numbers.set(client, number);
      if (used * 6 >= slots.length) grow();
      const at = place(number, second);
      if (slots[at + 2] === 0) {
        slots[at] = number;
        slots[at + 1] = second;
        used += 1;
      }
      slots[at + 2]! += count;
    },
    *all() {
      const names = [...numbers.keys()];
      for (let index = 0; index < slots.length; index += 3) {
        if (slots[index + 2] !== 0) yield [names[slots[index]!]!, slots[index + 1]!, slots[index + 2]!] as const;
      }
    },
    get isFull() {
      return isFull;
    },
  };
}
