/** Usual zip archives are read, and dangerous ones are refused. */
import { ArchiveError, openArchive } from "../../src/archive/archive";
import { zipOf } from "../../src/tools/release/files";
import { craft, type Part } from "./support/zip";

const limits = { entries: 3, bytes: 1000 };
const mode = (bits: number) => bits * 0x1_0000;

const contents = (zip: Buffer) => openArchive(zip, limits).map((entry) => [entry.name, entry.read().toString()]);

/** Opens and inflates. */
const refusal = (zip: Buffer) => {
  try {
    contents(zip);
  } catch (error) {
    expect(error).toBeInstanceOf(ArchiveError);
    return (error as Error).message;
  }
  return "nothing refused";
};

const text = (content: string, executable = false) => ({ content: Buffer.from(content), executable });

test.each<[string, Buffer, [name: string, content: string][]]>([
  [
    "the zips of a release",
    Buffer.from(zipOf({ b: text("two".repeat(50), true), "a/c": text(""), d: text("4") })),
    [
      ["a/c", ""],
      ["b", "two".repeat(50)],
      ["d", "4"],
    ],
  ],
  [
    "stored entries, and entries with their sizes after the content, as Go writes them",
    craft([
      { name: "a", content: "one", method: 0 },
      { name: ".b/ü c", content: "two", flags: 0x808 },
    ]),
    [
      ["a", "one"],
      [".b/ü c", "two"],
    ],
  ],
  ["an archive without entries", craft([]), []],
])("reads %s", (_, zip, expected) => expect(contents(zip)).toEqual(expected));

test.each([
  "../../x",
  "a/../../x",
  "..",
  ".",
  "a/./b",
  "/etc/x",
  "//server/x",
  "a//b",
  "a/",
  "",
  "..\\x",
  "a\\b",
  "C:x",
  "a:stream",
  "a\0b",
  "a\nb",
  "a\u001b[2Jb",
  "a\u0085b",
  Buffer.from([0x61, 0xff]),
])("refuses the name %j, which could lead out of a folder", (name) => {
  const message = /^the name of entry "[\x20-\x7e]*" could lead out of the folder$/;
  expect(refusal(craft([{ name, content: "x" }]))).toMatch(message);
});

const special = 'entry "x" is a link, a folder or another special file';
const differs = 'the content of entry "x" does not match the directory';

test.each<[string, Part, string]>([
  ["a symbolic link", { name: "x", attributes: mode(0o120_777) }, special],
  ["a folder", { name: "x", attributes: mode(0o040_755) }, special],
  ["a folder of MS-DOS", { name: "x", attributes: 0x10 }, special],
  ["a device", { name: "x", attributes: mode(0o020_644) }, special],
  ["a program with the rights of its owner", { name: "x", attributes: mode(0o104_755) }, special],
  ["an encrypted entry", { name: "x", flags: 1 }, differs],
  ["an entry with masked headers", { name: "x", flags: 0x2000 }, differs],
  ["an entry compressed by bzip2", { name: "x", method: 12 }, differs],
  ["content larger than declared", { name: "x", content: "y".repeat(2_000_000), size: 900 }, differs],
  ["content larger than an empty entry", { name: "x", content: "y", size: 0 }, differs],
  ["content smaller than declared", { name: "x", content: "y", size: 900 }, differs],
  ["content with another checksum", { name: "x", content: "y", checksum: 1 }, differs],
  ["content that is not deflated", { name: "x", content: "y", packed: Buffer.from([0xff, 0xff, 0xff]) }, differs],
  ["content that is cut", { name: "x", content: "y", packed: Buffer.alloc(0) }, differs],
  ["stored content with another size", { name: "x", method: 0, content: "yy", size: 1 }, differs],
])("refuses %s", (_, part, message) => expect(refusal(craft([part]))).toBe(message));

/** Inflating it would fail with another message. */
const broken = (name: string, size = 1): Part => ({ name, packed: Buffer.from([0xff, 0xff, 0xff]), size });

test.each<[string, Part[], string]>([
  [
    "an entry that declares more than is allowed",
    [broken("x", 1001)],
    "its entries inflate to 1001 bytes, and 1000 are allowed at most",
  ],
  [
    "entries that declare too much together",
    ["a", "b", "c"].map((name) => broken(name, 334)),
    "its entries inflate to 1002 bytes, and 1000 are allowed at most",
  ],
  ["too many entries", ["a", "b", "c", "d"].map((name) => broken(name)), "it has 4 entries, and 3 are allowed at most"],
  ["two entries of one name", ["a", "b", "a"].map((name) => broken(name)), 'entry "a" appears twice'],
])("refuses, before anything is inflated, %s", (_, parts, message) => expect(refusal(craft(parts))).toBe(message));

const two = craft([
  { name: "x", content: "y" },
  { name: "z", content: "y", flags: 8 },
]);

test("refuses a truncated archive", () => {
  for (let length = 0; length < two.length; length++)
    expect(refusal(two.subarray(0, length))).toBe("it does not end with the end record of a zip archive");
});

test("throws only an ArchiveError if any single byte is changed", () => {
  for (let at = 0; at < two.length; at++) {
    for (const value of [0, 0x7f, 0xff]) {
      const changed = Buffer.from(two);
      changed[at] = value;
      expect(typeof refusal(changed)).toBe("string");
    }
  }
});
