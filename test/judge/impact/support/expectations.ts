/** Reads a list of expectations. */
import { readExpectation } from "../../../../src/judge/impact/statement/read";

export const readExpectations = (list: readonly unknown[], where: string) =>
  list.map((one, index) => readExpectation(one, `${where}, expectation ${index + 1}`));
