/** The messages of `install` and `mirror` when a file cannot be written. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { placed } from "../../src/install/placing";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = (code: string, place?: string) => async () => {
  throw Object.assign(new Error(`${code}: told by the system`), { code, path: place });
};

test("names a place that cannot be written, and what to do", async () => {
  for (const code of ["EACCES", "EPERM", "EROFS"]) {
    await expect(placed(refusal(code, "/opt/mirror"))).rejects.toThrow(
      `/opt/mirror cannot be written (${code}): name another folder, or run the command as the owner of this one.`,
    );
  }
});

test("names the file that is in the way, not the place below it", async () => {
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  const below = async () => mkdirSync(path.join(file, "a/b"), { recursive: true });
  await expect(placed(below)).rejects.toThrow(`${file} is in the way (ENOTDIR): move it, or name another folder.`);
  const there = async () => mkdirSync(file);
  await expect(placed(there)).rejects.toThrow(`${file} is in the way (EEXIST)`);
});

test("passes on any other error unchanged", async () => {
  await expect(placed(refusal("ENOSPC", "/opt/mirror"))).rejects.toThrow("ENOSPC: told by the system");
  await expect(placed(refusal("EACCES"))).rejects.toThrow("EACCES: told by the system");
  expect(await placed(async () => "done")).toBe("done");
});
