/** One process leaves a note, and the next process of the same run of Terraform takes it. */
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { handover, thisApply, type Run } from "../../src/plugin/handover";

let folder: string;
beforeEach(async () => (folder = path.join(await mkdtemp(path.join(os.tmpdir(), "tenantform-handover-")), "notes")));
afterEach(() => rm(path.dirname(folder), { recursive: true }));

const run = (more: Partial<Run> = {}): (() => Run) => {
  return () => ({ folder, parent: "7 1000", now: Date.now(), ...more });
};
const day = 24 * 60 * 60 * 1000;
const only = async () => path.join(folder, (await readdir(folder))[0]!);

test("takes a note once, and deletes it", async () => {
  handover("a.example", run()).leave("words");
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(await only())).mode & 0o777).toBe(0o600);
  const next = handover("a.example", run());
  expect([next.take(), next.take()]).toEqual(["words", undefined]);
  expect(await readdir(path.dirname(folder))).toEqual([]);
});

test("finds no note of another run, even with the same process id, and none on another topic", () => {
  handover("a.example", run()).leave("words");
  expect(handover("a.example", run({ parent: "8 1000" })).take()).toBeUndefined();
  expect(handover("a.example", run({ parent: "7 1001" })).take()).toBeUndefined();
  expect(handover("b.example", run()).take()).toBeUndefined();
  expect(handover("a.example", run()).take()).toBe("words");
});

test("keeps no note if two processes leave one", async () => {
  handover("a.example", run()).leave("first");
  handover("a.example", run()).leave("second");
  expect(handover("a.example", run()).take()).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test("ignores a note that is older than a day, and deletes it with the next note", async () => {
  handover("a.example", run()).leave("words");
  await utimes(await only(), new Date(), new Date(Date.now() - day));
  expect(handover("a.example", run()).take()).toBeUndefined();
  handover("a.example", run()).leave("words");
  const old = await only();
  await utimes(old, new Date(), new Date(Date.now() - day));
  handover("b.example", run()).leave("others");
  expect(await readdir(folder)).not.toContain(path.basename(old));
  expect(handover("b.example", run()).take()).toBe("others");
});

test("ignores a note that is too long, or that is a link", async () => {
  handover("a.example", run()).leave("x".repeat(1024 * 1024 + 1));
  expect(handover("a.example", run()).take()).toBeUndefined();
  handover("a.example", run()).leave("words");
  const file = await only();
  await rm(file);
  const other = path.join(path.dirname(folder), "other");
  await writeFile(other, "foreign");
  await symlink(other, file);
  expect(handover("a.example", run()).take()).toBeUndefined();
});

test("leaves and takes nothing in a folder that others can read, or that is a link", async () => {
  await mkdir(folder);
  await chmod(folder, 0o755);
  handover("a.example", run()).leave("words");
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
  const elsewhere = path.join(path.dirname(folder), "elsewhere");
  await mkdir(elsewhere, { mode: 0o700 });
  await symlink(elsewhere, folder);
  handover("a.example", run()).leave("words");
  expect(await readdir(elsewhere)).toEqual([]);
  expect(handover("a.example", run()).take()).toBeUndefined();
});

test("does nothing without a run, or without a place for the folder", () => {
  const without = handover("a.example", () => undefined);
  without.leave("words");
  expect(without.take()).toBeUndefined();
  const nowhere = handover("a.example", run({ folder: path.join(os.devNull, "notes") }));
  nowhere.leave("words");
  expect(nowhere.take()).toBeUndefined();
});

test("is off in a process that no apply of Terraform has started", () => {
  expect(thisApply()).toBeUndefined();
});
