/** Reads and words instants. */
import { distanceWords, instantOf, instantWords } from "../../src/text/instant";

test.each([
  ["2026-12-01T18:00:00Z", "2026-12-01T18:00:00.000Z", "1 December 2026, 18:00 UTC"],
  ["2026-12-01T18:00:30.5+01:00", "2026-12-01T17:00:30.500Z", "1 December 2026, 18:00:30 +01:00"],
  ["2028-02-29T00:00:00-05:30", "2028-02-29T05:30:00.000Z", "29 February 2028, 00:00 -05:30"],
])("reads %s", (text, instant, words) => {
  expect(new Date(instantOf(text)!).toISOString()).toBe(instant);
  expect(instantWords(text)).toBe(words);
});

test.each([
  "2026-12-01",
  "2026-12-01T18:00:00",
  "2026-12-01T18:00Z",
  "2026-12-01 18:00:00Z",
  "2026-12-01t18:00:00z",
  "2026-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-12-01T24:00:00Z",
  "2026-12-01T18:00:60Z",
  "2026-12-01T18:00:00+24:00",
  "+12026-12-01T18:00:00Z",
  "2026-12-01T18:00:00Z\n",
  "",
  7,
  null,
  undefined,
  Symbol("unknown"),
])("refuses %p", (text) => expect(instantOf(text)).toBeUndefined());

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
test.each([
  [8 * day - hour, "in 8 days"],
  [day, "in 1 day"],
  [5 * hour, "in 5 hours"],
  [minute, "in 1 minute"],
  [1, "in less than a minute"],
  [0, "just now"],
  [-2 * day, "2 days ago"],
])("words a distance of %d ms as %s", (distance, words) => expect(distanceWords(distance, 0)).toBe(words));
