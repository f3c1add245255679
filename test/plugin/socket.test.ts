import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { makeSocketPlace } from "../../src/plugin/socket";

// Not the temporary folder of the test, because its path may be long itself.
const short = mkdtempSync("/tmp/socket-test-");
afterAll(() => rmSync(short, { recursive: true }));

/** A folder whose path has exactly this many bytes. */
function folderOf(length: number, letter = "x"): string {
  const rest = length - Buffer.byteLength(short) - 1;
  const folder = path.join(short, letter.repeat(rest / Buffer.byteLength(letter)));
  mkdirSync(folder, { recursive: true });
  return folder;
}

test.each([60, 70, 80, 88, 90, 100, 107, 108, 200])(
  "keeps the whole address with a temporary folder of %d bytes",
  (length) => {
    const { address, remove } = makeSocketPlace(folderOf(length), short);
    expect(Buffer.byteLength(address)).toBeLessThanOrEqual(process.platform === "darwin" ? 103 : 107);
    expect(statSync(path.dirname(address)).mode & 0o777).toBe(0o700);
    remove();
    expect(existsSync(path.dirname(address))).toBe(false);
  },
);

test("counts bytes, not letters", () => {
  const { address, remove } = makeSocketPlace(folderOf(Buffer.byteLength(short) + 1 + 70, "ä"), short);
  remove();
  expect(path.dirname(path.dirname(address))).toBe(short);
});

test("reports the problem and the remedy if no path is short enough", () => {
  const long = folderOf(120);
  expect(() => makeSocketPlace(long, long)).toThrow(`set TMPDIR to a path shorter than ${long}`);
});
