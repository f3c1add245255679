/** Remembers the ids of events in bounded memory, so that an event that is delivered twice counts once. */

/** Most ids of one generation. Two generations take at most 34 MB. */
const mostIds = 1_500_000;

export interface Seen {
  /** Whether the id is new. */
  add(id: string): boolean;
  /** Whether the oldest ids were forgotten. */
  readonly isFull: boolean;
}

/** Forgets the older half of the ids if there are too many. Duplicates are mostly close to each other. */
export function createSeen(most = mostIds): Seen {
  let current = createTable();
  let previous: Table | undefined;
  return {
    add(id) {
      const [high, low] = hashOf(id);
      if (previous?.has(high, low) || !current.add(high, low)) return false;
      if (current.size >= most) {
        previous = current;
        current = createTable();
      }
      return true;
    },
    get isFull() {
      return previous !== undefined;
    },
  };
}

interface Table {
  readonly size: number;
  has(high: number, low: number): boolean;
  add(high: number, low: number): boolean;
}

/** Open addressing. A pair of zeros is an empty slot. */
function createTable(): Table {
  let slots = new Uint32Array(1 << 13);
  let size = 0;
  const place = (high: number, low: number) => {
    const mask = slots.length / 2 - 1;
    let at = high & mask;
    while (slots[2 * at] !== 0 || slots[2 * at + 1] !== 0) {
      if (slots[2 * at] === high && slots[2 * at + 1] === low) return { at, isFound: true };
      at = (at + 1) & mask;
    }
    return { at, isFound: false };
  };
  const grow = () => {
    const old = slots;
    slots = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      const [high, low] = [old[index]!, old[index + 1]!];
      if (high === 0 && low === 0) continue;
      const { at } = place(high, low);
      slots[2 * at] = high;
      slots[2 * at + 1] = low;
    }
  };
  return {
    get size() {
      return size;
    },
    has: (high, low) => place(high, low).isFound,
    add(high, low) {
      if (size * 8 >= slots.length * 3) grow();
      const { at, isFound } = place(high, low);
      if (isFound) return false;
      slots[2 * at] = high;
      slots[2 * at + 1] = low;
      size += 1;
      return true;
    },
  };
}

/** 64 bits, so that among a million ids a collision is as likely as one in 37 million. */
function hashOf(id: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 16;
  // Never a pair of zeros.
  return [high >>> 0, (low | 1) >>> 0];
}
