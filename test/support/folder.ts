/** Folders for tests, which are deleted after the test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export const root = path.join(__dirname, "../..");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const newIn = (parent: string) => {
  const folder = realpathSync(mkdtempSync(path.join(parent, "tenantform-test-")));
  folders.push(folder);
  return folder;
};

export const newFolder = () => newIn(os.tmpdir());

/** Inside the checkout, so that its packages are found as in a user's project. */
export function newFolderInside(): string {
  mkdirSync(path.join(root, "cdktf.out"), { recursive: true });
  return newIn(path.join(root, "cdktf.out"));
}

/** Links the packages of the checkout into the folder, and the checkout as `tenantform`, as if npm had installed them. */
export function linkPackages(folder: string, names: readonly string[] = []): void {
  const modules = path.join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  symlinkSync(root, path.join(modules, "tenantform"), "junction");
  for (const name of names) symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");
}
