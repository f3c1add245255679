/** Compares implications of statements with brute force: every request of a small world with every result. */
import { requestNotImplied, type Statement } from "../../src/access/proof";

import { world, type Request } from "./support/requests";
import { inWorld, isMeant, randomly, statementFrom } from "./support/statements";
import { expectSeen, seeds } from "../support/seed";

const results = ["reached", "redirected", "blocked"].flatMap((outcome) =>
  [false, true].map((isLogged) => ({ outcome, isLogged })),
);

/** Whether the statements together exclude every result of the request that the first one excludes. */
function isImplied(request: Request, statement: Statement, others: readonly Statement[]): boolean {
  const admits = ({ outcomes }: Statement, { outcome, isLogged }: (typeof results)[number]) =>
    outcomes.some((one) => one === outcome || (one === "logged" && isLogged));
  return results.every(
    (result) => admits(statement, result) || others.some((other) => isMeant(request, other) && !admits(other, result)),
  );
}

test("decides exactly as brute force whether statements imply another one", () => {
  const seen = { implied: 0, not: 0 };
  for (const seed of seeds(80)) {
    const source = randomly(seed);
    const { random } = source;
    const others = Array.from({ length: 1 + random(4) }, () => statementFrom(source));
    const [first] = others as [Statement];
    // Many statements that are unlike the others would never be implied.
    const statement: Statement = random(3)
      ? { ...first, except: [...first.except, ...statementFrom(source).except], requests: first.requests.slice(0, 1) }
      : statementFrom(source);
    const open = world.filter((request) => isMeant(request, statement) && !isImplied(request, statement, others));
    const found = requestNotImplied(statement, others);
    expect({ seed, statement, others, isFound: found !== undefined }).toEqual({
      seed,
      statement,
      others,
      isFound: open.length > 0,
    });
    if (found === undefined) seen.implied++;
    else {
      seen.not++;
      expect(open).toContainEqual(inWorld(found as Exclude<typeof found, string>));
    }
  }
  expectSeen(Math.min(...Object.values(seen)), 15);
});

test.each([
  ["a split into two parts", [["KP"], ["IR"]], true],
  ["a wider set", [["KP", "IR", "CU"]], true],
  ["the same set twice", [["KP", "IR"], ["KP"]], true],
  ["one part alone", [["KP"]], false],
])("%s", (_, countries, isKept) => {
  const statement = (list: readonly string[]): Statement => ({
    outcomes: ["blocked"],
    requests: [{ countries: list }],
    except: [],
  });
  const found = requestNotImplied(statement(["KP", "IR"]), countries.map(statement));
  expect(found === undefined).toBe(isKept);
});
