import fc from "../support/random";
import { createPageCache, pageSize } from "../../src/tenant/page-cache";

interface Item {
  id: string;
}

interface Asking {
  /** Objects in the tenant. */
  tenant: number;
  /** Positions in the list, in the order of the reads. */
  order: number[];
  /** Reads at once. */
  parallel: number;
  /** Ids that are not on the tenant. */
  gone?: string[];
}

/** Reads from a list of this size. Returns the number of requests. Fails if an object is wrong. */
async function ask({ tenant, order, parallel, gone = [] }: Asking): Promise<number> {
  let requests = 0;
  const reading = createPageCache<Item>({
    async fetchPage(from) {
      requests++;
      await new Promise((resolve) => setImmediate(resolve));
      const start = Number(from ?? 0);
      const end = Math.min(tenant, start + pageSize);
      const items = Array.from({ length: end - start }, (_, index) => ({ id: `${start + index}` }));
      return { items, ...(end < tenant && { next: `${end}` }) };
    },
    async fetchOne(id) {
      requests++;
      await new Promise((resolve) => setImmediate(resolve));
      return Number(id) < tenant ? { id } : undefined;
    },
    idOf: ({ id }) => id,
  });
  const left = [...order.map(String), ...gone];
  const caller = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const item = await reading.get(id);
      if (item?.id !== (gone.includes(id) ? undefined : id)) throw new Error(`Read ${id}, got ${item?.id}.`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  return requests;
}

/** A tenant, some of its objects in some order, and a number of parallel reads. */
const asking = fc.integer({ min: 1, max: 1500 }).chain((tenant) =>
  fc.record({
    tenant: fc.constant(tenant),
    order: fc.oneof(
      fc.uniqueArray(fc.nat(tenant - 1), { minLength: 1, maxLength: Math.min(tenant, 400) }),
      // in the list's order, and in the order that is worst for reading from the front
      fc.integer({ min: 1, max: tenant }).map((count) => Array.from({ length: count }, (_, index) => index)),
      fc
        .integer({ min: 1, max: tenant })
        .map((count) => Array.from({ length: count }, (_, index) => tenant - 1 - index)),
    ),
    parallel: fc.constantFrom(1, 2, 10, 50),
  }),
);

test("takes at most one request more than reading one by one, or a page for each of several parallel reads", async () => {
  await fc.assert(
    fc.asyncProperty(asking, async (asked) => {
      const { order, parallel } = asked;
      expect(await ask(asked)).toBeLessThanOrEqual(order.length + (parallel < 5 ? 1 : parallel));
    }),
    { numRuns: 150 },
  );
});

test("takes one request for a list of one page", async () => {
  await fc.assert(
    fc.asyncProperty(asking, async ({ tenant, order, parallel }) => {
      const small = Math.min(tenant, pageSize);
      expect(await ask({ tenant: small, order: [...new Set(order.map((at) => at % small))], parallel })).toBe(1);
    }),
  );
});

test("reads an object that is on no page by its own request before it counts as deleted", async () => {
  expect(await ask({ tenant: 250, order: [0, 120, 240], parallel: 10 })).toBe(3);
  expect(await ask({ tenant: 250, order: [0, 120, 240], parallel: 10, gone: ["900"] })).toBe(4);
});

test("stays near P * (1 + 1/2 + … + 1/P) requests for an order that is independent of the list's", async () => {
  const tenant = 1000;
  const pages = tenant / pageSize;
  const harmonic = Array.from({ length: pages }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part);
  const runs = fc.sample(fc.shuffledSubarray([...Array(tenant).keys()], { minLength: tenant }), {
    numRuns: 60,
    seed: 7,
  });
  for (const parallel of [1, 10]) {
    let sum = 0;
    for (const order of runs) sum += await ask({ tenant, order, parallel });
    expect(sum / runs.length).toBeLessThanOrEqual(pages * harmonic * 1.25);
  }
});

test("fails waiting reads with the page, and reads it again for the next read", async () => {
  let broken = true;
  const reading = createPageCache<Item>({
    fetchPage: async () => {
      if (broken) throw new Error("broken");
      return { items: [{ id: "1" }] };
    },
    fetchOne: async () => undefined,
    idOf: ({ id }) => id,
  });
  await expect(Promise.all([reading.get("1"), reading.get("2")])).rejects.toThrow("broken");
  broken = false;
  expect(await reading.get("1")).toEqual({ id: "1" });
});

test("shares pages between a list and single reads, and reads again after a drop", async () => {
  let pages = 0;
  const reading = createPageCache<Item>({
    fetchPage: async (from) => {
      pages++;
      return from === undefined ? { items: [{ id: "1" }], next: "2" } : { items: [{ id: "2" }] };
    },
    fetchOne: async () => {
      throw new Error("not needed");
    },
    idOf: ({ id }) => id,
  });
  const [all, second] = await Promise.all([reading.list(), reading.get("2")]);
  expect(all).toEqual([{ id: "1" }, { id: "2" }]);
  expect(second).toEqual({ id: "2" });
  expect(pages).toBe(2);
  reading.drop();
  await reading.list();
  expect(pages).toBe(4);
});

test("reads at most N pages for N searches, and then requests a match if the list goes on", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.nat(799), { minLength: 1, maxLength: 8 }),
      async (pages, wanted) => {
        let read = 0;
        const asked: number[] = [];
        const reading = createPageCache<Item>({
          fetchPage: async (from = "0") => {
            const page = Number(from);
            read++;
            const items = Array.from({ length: pageSize }, (_, index) => ({ id: String(page * pageSize + index) }));
            return { items, ...(page + 1 < pages && { next: String(page + 1) }) };
          },
          fetchOne: async () => {
            throw new Error("not needed");
          },
          idOf: ({ id }) => id,
        });
        const look = (number: number) =>
          reading.find(
            ({ id }) => id === String(number),
            async () => {
              asked.push(number);
              return { id: `asked for ${number}` };
            },
          );
        const found = await Promise.all(wanted.map(look));
        const inPages = (number: number) => number < Math.min(pages, wanted.length) * pageSize;
        const beyond = wanted.length < pages ? wanted.filter((number) => !inPages(number)) : [];
        expect(read).toBe(Math.min(pages, wanted.length));
        expect(asked.toSorted()).toEqual(beyond.toSorted());
        expect(found.map((item) => item?.id)).toEqual(
          wanted.map((number) =>
            inPages(number) ? String(number) : beyond.includes(number) ? `asked for ${number}` : undefined,
          ),
        );
      },
    ),
  );
});
