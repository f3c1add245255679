/** The lock file: keeps entries that Terraform wrote unchanged, and reads any text in linear time. */
import fc from "../support/random";
import { formatLock, lockEntry, parseLock } from "../../src/install/lock-file";
import { bounded } from "../support/bounded";

const part = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);
const source = fc.tuple(part, part, part).map((parts) => parts.join("/"));
const version = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join("."));
const hash = fc.base64String({ maxLength: 20 }).map((text) => `h1:${text}`);
const lock = fc
  .dictionary(source, fc.record({ version, hashes: fc.array(hash) }))
  .map((entries) =>
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, lockEntry(name, entry.version, entry.hashes)]),
    ),
  );

test("reads what it writes, with any line ends", () => {
  fc.assert(
    fc.property(lock, fc.constantFrom("\n", "\r\n"), (entries, end) => {
      const text = formatLock(new Map(Object.entries(entries))).replaceAll("\n", end);
      expect(Object.fromEntries(parseLock(text))).toEqual(entries);
    }),
  );
});

const line = fc.oneof(
  fc.constantFrom('provider "a/b/c" {', "}", "  }", '  version = "1"', "  hashes = [", "  ]", "", 'provider "', "{"),
  fc.string(),
);

test("reads any text, and writes what it read without a change", () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const read = parseLock(lines.join("\n"));
      expect(parseLock(formatLock(read))).toEqual(read);
    }),
  );
});

test.each([
  ["entries that never end", 'provider "a/b/c" {\n'],
  ["blanks before a version", " ".repeat(50)],
  ["empty lines in an entry", "\n\n\n"],
])("reads a lock file of 300,000 pieces in linear time: %s", (_what, piece) => {
  const text = `provider "a/b/c" {\n${piece.repeat(300_000)}`;
  expect(() => bounded(() => parseLock(text))).not.toThrow();
});
