/** What the matchers need of vitest, which only projects that test with it install. */
declare module "vitest" {
  export interface Matchers<T> {}
  export const expect: { extend(matchers: object): void };
}
