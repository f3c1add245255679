/** Reads the expectations in the provider block. */
import { isObject, unknown } from "../../cty/value";
import { ExpectationError, readExpectation } from "../../impact/statement/read";
import type { Expectation } from "../../impact/statement/statement";
import type { Rule } from "../../sdk/attribute";
import { quoted } from "../../access/access";

type Given = { readonly [name: string]: unknown };

/** Refuses what the reader of expectations refuses. */
export const readableExpectations: Rule = (value, report) => {
  const names = new Set<unknown>();
  for (const [index, one] of (value as readonly unknown[]).entries()) {
    if (!isObject(one)) continue;
    try {
      readWritten(one, index);
    } catch (error) {
      if (!(error instanceof ExpectationError)) throw error;
      report(error.message, [{ index }]);
    }
    const { name } = one;
    if (typeof name !== "string") continue;
    if (names.has(name)) {
      const problem = `\`expectation[${index}].name\` is ${quoted(name)}, the name of an earlier expectation: give it another name.`;
      report(problem, [{ index }, { attribute: "name" }]);
    }
    names.add(name);
  }
};

/** An expectation that is wholly unknown has no known statement. */
export function expectationsIn(written: unknown): Expectation[] {
  if (written === undefined) return [];
  const list = written === unknown ? [unknown] : (written as readonly unknown[]);
  const open = { name: unknown, outcome: unknown, request: unknown };
  return list.flatMap((one, index) => (one === undefined ? [] : readWritten(one === unknown ? open : one, index)));
}

function readWritten(one: unknown, index: number): Expectation {
  return readExpectation(withoutEmptyBlocks(one as Given), `expectation[${index}]`);
}

/** Terraform gives an empty list for blocks that are left out. A dynamic block may be wholly unknown. */
function withoutEmptyBlocks({ request, except, policy, members, ...others }: Given): Given {
  const isGiven = (blocks: unknown) => !(Array.isArray(blocks) && blocks.length === 0);
  return {
    ...others,
    ...(isGiven(request) && { request }),
    ...(isGiven(except) && { except }),
    policy: policy === unknown ? { consumer: unknown, at_most: unknown } : policy,
    members: members === unknown ? { organization_id: unknown, at_most: unknown } : members,
  };
}
