/** Files that are written together or not at all. */
import {
  existsSync,
  mkdirSync,
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
import { UserError } from "../../src/text/user-error";
import { place } from "../../src/adopt/files";
import { ObstacleError } from "../../src/install/placing";

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  directory = path.join(home, "stack");
});
afterEach(() => rmSync(home, { recursive: true }));

const files = new Map([
  ["members.tf", "set"],
  ["members/crowd.json", "crowd"],
  ["members/staff.json", "staff"],
]);
const text = (file: string) => readFileSync(path.join(directory, file), "utf8");

test("creates a folder with the usual permissions", async () => {
  await place(path.join(directory, "deeper"), files);
  mkdirSync(path.join(home, "usual"));
  for (const made of ["stack", "stack/deeper", "stack/deeper/members"]) {
    expect(statSync(path.join(home, made)).mode).toBe(statSync(path.join(home, "usual")).mode);
  }
  expect(readdirSync(path.join(directory, "deeper"))).toEqual(["members", "members.tf"]);
});

test("names all existing files, and writes no other file", async () => {
  mkdirSync(path.join(directory, "members"), { recursive: true });
  for (const file of ["members/crowd.json", "members/staff.json"]) writeFileSync(path.join(directory, file), "mine");
  const refused = place(directory, files);
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow(/members\/crowd\.json, members\/staff\.json: .*nothing was written/);
  expect([readdirSync(directory), text("members/crowd.json")]).toEqual([["members"], "mine"]);
});

test("removes the written files if the last file cannot be written", async () => {
  mkdirSync(directory);
  const late = new Map([...files, ["roll/crowd.json", "crowd"]]);
  writeFileSync(path.join(directory, "roll"), "mine");
  const refused = place(directory, late);
  await expect(refused).rejects.toThrow(ObstacleError);
  await expect(refused).rejects.toThrow(`${path.join(directory, "roll")} is in the way`);
  expect(text("roll")).toBe("mine");
  expect(existsSync(path.join(directory, "members.tf"))).toBe(false);
  expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
});

test("refuses a folder that is a symbolic link", async () => {
  const elsewhere = path.join(home, "elsewhere");
  for (const folder of [directory, elsewhere]) mkdirSync(folder);
  symlinkSync(elsewhere, path.join(directory, "members"));
  const refused = place(directory, files);
  await expect(refused).rejects.toThrow(UserError);
  await expect(refused).rejects.toThrow(`${path.join(directory, "members")} is a symbolic link`);
  expect([readdirSync(directory), readdirSync(elsewhere)]).toEqual([["members"], []]);
  // The user chooses the directory itself.
  symlinkSync(elsewhere, path.join(home, "chosen"));
  await place(path.join(home, "chosen"), files);
  expect(readdirSync(elsewhere)).toEqual(["members", "members.tf"]);
});
