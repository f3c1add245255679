/** Random choices that are the same in each run. */
export interface Random {
  one<Value>(values: readonly Value[]): Value;
  /** At least one of the values, in their order. */
  some<Value>(values: readonly Value[]): Value[];
}

export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const one = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)]!;
  return {
    one,
    some(values) {
      const chosen = values.filter(() => next() < 0.5);
      return chosen.length > 0 ? chosen : [one(values)];
    },
  };
}
