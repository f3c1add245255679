/** A file is written whole, or stays as it was. */
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeWhole } from "../../../src/formats/text/whole-file";
import { newFolder } from "../../support/folder";
import { fullDisk } from "../../support/full-disk";

test("replaces a file with its mode, writes through a link, and leaves no second file", () => {
  const folder = newFolder();
  const [file, link] = [path.join(folder, "a"), path.join(folder, "b")];
  writeFileSync(file, "old");
  chmodSync(file, 0o600);
  symlinkSync("a", link);
  writeWhole(file, "new");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new", 0o600]);
  writeWhole(link, "newer");
  expect(readFileSync(file, "utf8")).toBe("newer");
  expect(readdirSync(folder)).toEqual(["a", "b"]);
});

test("leaves the old file whole if the disk is full", () => {
  const folder = newFolder();
  const file = path.join(folder, "a");
  writeFileSync(file, "old");
  fullDisk("new");
  expect(() => writeWhole(file, "new text")).toThrow("ENOSPC");
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["old", ["a"]]);
});
