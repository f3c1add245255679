/** A file is written whole, or stays as it was. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { writeWhole } from "../../../src/formats/text/whole-file";

const folder = mkdtempSync(path.join(os.tmpdir(), "whole-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("replaces a file with its mode, writes through a link, and leaves no second file", () => {
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
