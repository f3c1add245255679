/** How often a plan judges its statements: at most once for each change, whatever the number of statements and of calls that ask. */
import { review } from "../../../src/resources/statements/review";
import { statementsIn, type Problem } from "../../../src/resources/statements/statements";

test("a plan of 13 changes that together break 10 expectations judges them 14 times", async () => {
  const changes = Array.from({ length: 13 }, (_, index) => ({ index }));
  const problems = Array.from({ length: 10 }, (_, index): Problem => {
    const key = `expectation ${index}`;
    return {
      key,
      id: key,
      title: "TNF-EXPECTATION-BROKEN",
      isNew: true,
      isOld: false,
      refuses: false,
      by: [],
      detail: key,
    };
  });
  let judgements = 0;
  const reported: string[] = [];
  const told = new Set<string>();
  const plan = {
    phase: "plan",
    gathered: <T>(_topic: string, find: () => T | undefined) => Promise.resolve([find() ?? []].flat()),
    isFirst: (key: string) => !told.has(key) && Boolean(told.add(key)),
  };
  const client = { statements: statementsIn({}, {} as never) };
  for (const own of changes) {
    const subject = {
      topic: "statements",
      isKept: false,
      attribute: "rule",
      present: [],
      changes: () => changes,
      isThis: (one: object) => one === own,
      judge: () => (judgements++, problems),
      isMine: () => false,
    };
    await review(subject, { client, plan, report: ({ detail }: { detail: string }) => reported.push(detail) } as never);
  }
  expect([judgements, reported.length]).toEqual([14, 10]);
});
