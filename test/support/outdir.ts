/** Makes folders for apps of cdktf and cdktn, because `Testing` never deletes the folders that it makes. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder, which is deleted after the test. */
export function outdir(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  folders.push(folder);
  return folder;
}
