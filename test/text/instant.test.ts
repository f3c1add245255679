/** Reads instants. */
import { instantOf } from "../../src/text/instant";

test.each([
  ["2026-12-01T18:00:00Z", "2026-12-01T18:00:00.000Z"],
  ["2026-12-01T18:00:30.5+01:00", "2026-12-01T17:00:30.500Z"],
  ["2028-02-29T00:00:00-05:30", "2028-02-29T05:30:00.000Z"],
])("reads %s", (text, instant) => {
  expect(new Date(instantOf(text)!).toISOString()).toBe(instant);
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
