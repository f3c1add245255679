/** Checks that usual zip archives are read, and that ambiguous or dangerous ones are refused. */
import { openArchive } from "../../src/archive/archive";
import { ArchiveError } from "../../src/archive/error";
import { zipOf } from "../../src/tools/release/zip";
import { craft, type Part, type Whole } from "./support/zip";

const limits = { entries: 3, bytes: 1000 };
const mode = (bits: number) => bits * 0x1_0000;

const contents = (zip: Buffer) =>
  openArchive(zip, limits).map((entry) => [entry.name, entry.read().toString(), entry.size]);

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

describe("reads", () => {
  test("the zips of a release", () => {
    const text = (content: string, executable = false) => ({ content: Buffer.from(content), executable });
    const zip = Buffer.from(zipOf({ b: text("two".repeat(50), true), "a/c": text(""), d: text("4") }));
    expect(contents(zip)).toEqual([
      ["a/c", "", 0],
      ["b", "two".repeat(50), 150],
      ["d", "4", 1],
    ]);
  });

  test("stored entries, and entries with their sizes after the content, as Go writes them", () => {
    const zip = craft([
      { name: "a", content: "one", method: 0 },
      { name: ".b/ü c", content: "two", flags: 0x808 },
    ]);
    expect(contents(zip)).toEqual([
      ["a", "one", 3],
      [".b/ü c", "two", 3],
    ]);
  });

  test("an archive without entries", () => {
    expect(contents(craft([]))).toEqual([]);
  });
});

describe("refuses names that could lead out of a folder:", () => {
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
    "c:/x",
    "a:stream",
    "a\0b",
    "a\nb",
    "a\u001b[2Jb",
    "a\u0085b",
  ])("%j", (name) => {
    expect(refusal(craft([{ name, content: "x" }]))).toMatch(/^the name of entry ".*" could lead out of the folder$/);
  });

  test("bytes that are not UTF-8", () => {
    expect(refusal(craft([{ name: Buffer.from([0x61, 0xff]) }]))).toBe('the name of entry "a\\u00ff" is not UTF-8');
  });
});

describe("refuses entries that are not plain files:", () => {
  test.each([
    ["a symbolic link", mode(0o120_777)],
    ["a folder", mode(0o040_755)],
    ["a folder of MS-DOS", 0x10],
    ["a device", mode(0o020_644)],
    ["a pipe", mode(0o010_644)],
    ["a socket", mode(0o140_644)],
    ["a program with the rights of its owner", mode(0o104_755)],
  ])("%s", (_, attributes) => {
    const message = 'entry "x" is a link, a folder or another special file';
    expect(refusal(craft([{ name: "x", attributes }]))).toBe(message);
  });

  test.each<[string, Partial<Part>, string]>([
    ["encrypted", { flags: 1 }, 'entry "x" is encrypted or patched'],
    ["strongly encrypted", { flags: 0x40 }, 'entry "x" is encrypted or patched'],
    ["with masked headers", { flags: 0x2000 }, 'entry "x" is encrypted or patched'],
    ["patched", { flags: 0x20 }, 'entry "x" is encrypted or patched'],
    ["compressed by bzip2", { method: 12 }, 'entry "x" is compressed by method 12, not stored or deflated'],
    ["4 GB or more", { size: 0xffff_ffff }, 'entry "x" is larger than 4 GB or in another file'],
  ])("%s", (_, part, message) => {
    expect(refusal(craft([{ name: "x", content: "y", ...part }]))).toBe(message);
  });
});

describe("refuses, before anything is inflated,", () => {
  /** Inflating it would fail with another message. */
  const broken = Buffer.from([0xff, 0xff, 0xff]);

  test("an entry that declares more than is allowed", () => {
    expect(refusal(craft([{ name: "x", packed: broken, size: 1001 }]))).toBe(
      "its entries inflate to 1001 bytes, and 1000 are allowed at most",
    );
  });

  test("entries that declare too much together", () => {
    const parts = ["a", "b", "c"].map((name) => ({ name, packed: broken, size: 334 }));
    expect(refusal(craft(parts))).toBe("its entries inflate to 1002 bytes, and 1000 are allowed at most");
  });

  test("too many entries", () => {
    const parts = ["a", "b", "c", "d"].map((name) => ({ name, packed: broken }));
    expect(refusal(craft(parts))).toBe("it has 4 entries, and 3 are allowed at most");
  });

  test("two entries of one name", () => {
    const parts = ["a", "b", "a"].map((name) => ({ name, packed: broken }));
    expect(refusal(craft(parts))).toBe('entry "a" appears twice');
  });
});

describe("refuses content that does not match the directory:", () => {
  test.each<[string, Partial<Part>]>([
    ["larger than declared", { content: "y".repeat(2_000_000), size: 900 }],
    ["larger than an empty entry", { content: "y", size: 0 }],
    ["smaller than declared", { content: "y", size: 900 }],
    ["with another checksum", { checksum: 1 }],
    ["not deflated", { packed: Buffer.from([0xff, 0xff, 0xff]) }],
    ["cut", { packed: Buffer.alloc(0) }],
    ["with bytes behind its end", { packed: Buffer.from([0x03, 0x00, 0x01]), content: "" }],
    ["stored with another size", { method: 0, content: "yy", size: 1 }],
  ])("%s", (_, part) => {
    const message = 'the content of entry "x" does not match the directory';
    expect(refusal(craft([{ name: "x", content: "y", ...part }]))).toBe(message);
  });
});

describe("refuses an archive that two readers could read differently:", () => {
  const stub = Buffer.from("#!/bin/sh\n");
  const one: Part = { name: "x", content: "y" };
  const contradicts = 'the header of entry "x" contradicts the directory';

  test.each<[string, Partial<Part>]>([
    ["another name", { local: { name: "z" } }],
    ["a longer name", { local: { name: "../x" } }],
    ["another size", { local: { size: 2 } }],
    ["another method", { local: { method: 0 } }],
    ["another flag", { local: { flags: 8 } }],
  ])("%s in the local header", (_, part) => {
    expect(refusal(craft([{ ...one, ...part }]))).toBe(contradicts);
  });

  test("a data descriptor with other numbers", () => {
    const zip = craft([{ ...one, flags: 8 }]);
    const descriptor = zip.indexOf("PK\u0007\b");
    zip.writeUInt32LE(77, descriptor + 12);
    expect(refusal(zip)).toBe(contradicts);
  });

  test.each<[string, Whole, string]>([
    ["in front of its directory", { beforeDirectory: stub }, "it has unknown data before its directory"],
    ["behind its directory", { behindDirectory: stub }, "it has unknown data after its directory"],
    ["behind its end", { behind: stub }, "it does not end with the end record of a zip archive"],
    ["in a comment", { comment: "note" }, "it does not end with the end record of a zip archive"],
    ["in a comment that ends like an archive", { comment: String(craft([])) }, "its directory is incomplete"],
    ["with a larger number of entries than there are", { count: 2 }, "its directory is incomplete"],
    ["with a smaller number of entries than there are", { count: 0 }, "it has unknown data after its directory"],
  ])("data %s", (_, whole, message) => {
    expect(refusal(craft([one], whole))).toBe(message);
  });

  test("data before the archive, with and without matching offsets", () => {
    expect(refusal(craft([{ ...one, before: stub }]))).toBe('it has unknown data around entry "x"');
    expect(refusal(Buffer.concat([stub, craft([one])]))).toBe("its directory is incomplete");
  });

  test("data between entries", () => {
    expect(refusal(craft([one, { name: "z", before: stub }]))).toBe('it has unknown data around entry "z"');
  });

  test("two entries that share their content", () => {
    const zip = craft([one, { name: "x" }]);
    const records = zip.indexOf("PK\u0001\u0002");
    const second = zip.indexOf("PK\u0001\u0002", records + 4);
    zip.writeUInt32LE(0, second + 42);
    expect(refusal(zip)).toBe('it has unknown data around entry "x"');
  });

  test("a truncated archive", () => {
    const zip = craft([one, { name: "z", content: "y", flags: 8 }]);
    for (let length = 0; length < zip.length; length++) {
      expect(refusal(zip.subarray(0, length))).toBe("it does not end with the end record of a zip archive");
    }
  });

  test("throws only an ArchiveError if any single byte is changed", () => {
    const zip = craft([one, { name: "z", content: "y", flags: 8 }]);
    for (let at = 0; at < zip.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(zip);
        changed[at] = value;
        expect(typeof refusal(changed)).toBe("string");
      }
    }
  });
});
