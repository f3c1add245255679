/** Counts the requests of each client in each second, in bounded memory. */

export interface Rates {
  add(client: string, second: number, count?: number): void;
  all(): Iterable<readonly [client: string, second: number, count: number]>;
  /** Whether there were too many clients or seconds, so that some requests are not counted. */
  readonly isFull: boolean;
}

/** Slots of two numbers: the second; the number of the client and the count. */
const mostSlots = 1 << 21;
const mostClients = 10_000;
const countBits = 18;
const mostCount = 2 ** countBits - 1;

export function createRates(): Rates {
  let slots = new Uint32Array(2 << 10);
  let used = 0;
  let isFull = false;
  const numbers = new Map<string, number>();
  const place = (client: number, second: number) => {
    const mask = slots.length / 2 - 1;
    let at = (Math.imul(client, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    while (slots[2 * at + 1] !== 0 && (slots[2 * at] !== second || slots[2 * at + 1]! >>> countBits !== client))
      at = (at + 1) & mask;
    return 2 * at;
  };
  const isCrowded = () => used * 8 >= slots.length * 3;
  const grow = () => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const clientAndCount = old[index + 1]!;
      if (clientAndCount === 0) continue;
      const at = place(clientAndCount >>> countBits, old[index]!);
      slots[at] = old[index]!;
      slots[at + 1] = clientAndCount;
    }
  };
  return {
    add(client, second, count = 1) {
      const number = numbers.get(client) ?? numbers.size;
      if (number >= mostClients || (isCrowded() && slots.length / 2 >= mostSlots)) {
        isFull = true;
        return;
      }
      numbers.set(client, number);
      if (isCrowded()) grow();
      const at = place(number, second);
      const known = slots[at + 1]! & mostCount;
      if (known === 0) {
        slots[at] = second;
        used += 1;
      }
      if (known + count > mostCount) isFull = true;
      slots[at + 1] = ((number << countBits) | Math.min(mostCount, known + count)) >>> 0;
    },
    *all() {
      const names = [...numbers.keys()];
      for (let index = 0; index < slots.length; index += 2) {
        const clientAndCount = slots[index + 1]!;
        if (clientAndCount === 0) continue;
        yield [names[clientAndCount >>> countBits]!, slots[index]!, clientAndCount & mostCount] as const;
      }
    },
    get isFull() {
      return isFull;
    },
  };
}
