/** Compares the table of event types with the table in src/traffic/README.md. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { eventGroups, groupOf } from "../../src/traffic/event-types";

const guide = readFileSync(path.join(__dirname, "../../src/traffic/README.md"), "utf8");
const section = guide.split("## The meaning of an event type")[1]!.split("\n## ")[0]!;

interface Row {
  readonly patterns: readonly RegExp[];
  readonly apis: readonly string[];
}

const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line): Row => {
    const [types = "", api = "", , counts = ""] = line.slice(1, -1).split("|");
    const patterns = [...types.matchAll(/`([^`]+)`/g)].map(
      ([, type]) => new RegExp(`^${type!.replaceAll("*", ".*").replace("/", "")}$`),
    );
    const isRequest = counts.trim() === "yes";
    const apis = ["authentication", "management"].filter(
      (one) => isRequest && new RegExp(`(^|; )${one}\\b`).test(api.trim()),
    );
    return { patterns, apis };
  });

const types = eventGroups.flatMap((group) => group.types);

test("has at least 150 event types, each one once", () => {
  expect(types.length).toBeGreaterThan(150);
  expect(new Set(types).size).toBe(types.length);
});

test.each(types)("%s has the same API as in the guide", (type) => {
  const row = rows.find(({ patterns }) => patterns.some((pattern) => pattern.test(type)));
  expect(row && [...row.apis]).toEqual(
    type === "sapi" || type === "mgmt_api_read" || type === "fapi"
      ? expect.arrayContaining(["management"])
      : [...(groupOf(type)!.apis ?? [])],
  );
});

test("has every type that the guide names", () => {
  const unknown = rows.flatMap(({ patterns }) =>
    patterns.filter((pattern) => !types.some((type) => pattern.test(type))),
  );
  expect(unknown).toEqual([]);
});
