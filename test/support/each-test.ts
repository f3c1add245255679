/** What each test opens and closes. */

interface Closable {
  close(): unknown;
}

/** Opens before each test and closes after it. The result stands for what the running test has open. */
export function eachTest<T extends Closable>(open: () => T | Promise<T>): T {
  let current: T;
  beforeEach(async () => {
    current = await open();
  });
  afterEach(() => current.close());
  return new Proxy({} as T, { get: (_, name) => Reflect.get(current, name) as unknown });
}
