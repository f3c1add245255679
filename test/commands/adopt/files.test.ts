/** Files that are written together or not at all, their readable names, and the CDK library of a project. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { cdkFor, obstacleFor } from "../../../src/commands/adopt/cdk";
import { place } from "../../../src/commands/adopt/files";
import {
  camelCase,
  distinctNames,
  fileName,
  lettered,
  nameOf,
  snakeCase,
  wordsOf,
  type Words,
} from "../../../src/commands/adopt/naming";
import { ObstacleError } from "../../../src/commands/install/placing";
import { UserError } from "../../../src/formats/text/user-error";
import { newFolder } from "../../support/folder";
import { fullDisk } from "../../support/full-disk";
import fc from "../../support/random";

let home: string;
let directory: string;
beforeEach(() => {
  home = newFolder();
  directory = path.join(home, "stack");
});

const files = new Map([
  ["members.tf", "set"],
  ["members/crowd.json", "crowd"],
  ["members/staff.json", "staff"],
]);
const contentOf = (file: string) => readFileSync(path.join(directory, file), "utf8");

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
  expect([readdirSync(directory), contentOf("members/crowd.json")]).toEqual([["members"], "mine"]);
});

test("removes the written files if the last file cannot be written", async () => {
  mkdirSync(directory);
  const late = new Map([...files, ["roll/crowd.json", "crowd"]]);
  writeFileSync(path.join(directory, "roll"), "mine");
  const refused = place(directory, late);
  await expect(refused).rejects.toThrow(ObstacleError);
  await expect(refused).rejects.toThrow(`${path.join(directory, "roll")} is in the way`);
  expect(contentOf("roll")).toBe("mine");
  expect(existsSync(path.join(directory, "members.tf"))).toBe(false);
  expect(readdirSync(directory).filter((name) => name.startsWith("."))).toEqual([]);
});

test("removes all files and new folders, also the file that is written in part, if the disk is full", async () => {
  fullDisk("staff");
  await expect(place(directory, files)).rejects.toThrow(
    `${path.join(directory, "members/staff.json")} cannot be written (ENOSPC): make space on its disk`,
  );
  expect(readdirSync(home)).toEqual([]);
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

test.each([
  ["Block Tor & VPN exit nodes", "block_tor_vpn_exit_nodes"],
  ["Don't let  them — in", "dont_let_them_in"],
  ["Größe über alles", "grosse_uber_alles"],
  ["Офис в Москве", "ofis_v_moskve"],
  ["東京オフィス", "dongjingofuisu"],
  ["🚀 launch", "rocket_launch"],
  ["２０２６ plan", "acl_2026_plan"],
  ["!!!", "acl"],
  ["a ".repeat(100), "a_a_a_a_a_a_a"],
  ["x".repeat(300), "x".repeat(48)],
])("%j is called %s", (text, name) => expect(snakeCase(nameOf(text, ["acl"]))).toBe(name));

test("names are distinct identifiers", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom("block bots", "Block-Bots", "block bots 2"),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const names = distinctNames(
        texts.map((one) => ({ wanted: nameOf(one, ["acl"]), marks: [] })),
        ["block_bots_3"],
      );
      expect(names.map(snakeCase).filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
      expect(names.map(camelCase).filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
      expect(new Set([...names.map(snakeCase), "block_bots_3"]).size).toBe(texts.length + 1);
      expect(new Set(names.map((name) => camelCase(name).toLowerCase())).size).toBe(texts.length);
    }),
    { numRuns: 200 },
  );
});

test("distinguishes equal names by the first mark that differs for all", () => {
  const named = (...marks: Words[][]) =>
    distinctNames(marks.map((own) => ({ wanted: ["block", "bots"], marks: own }))).map(snakeCase);
  const scopes = named([["tenant"], ["block"]], [["management"], ["block"]]);
  expect(scopes).toEqual(["block_bots_tenant", "block_bots_management"]);
  expect(named([["tenant"], ["block"]], [["tenant"], ["log"]])).toEqual(["block_bots_block", "block_bots_log"]);
  expect(named([["tenant"]], [["tenant"]])).toEqual(["block_bots", "block_bots_2"]);
});

test("a name begins with a letter, and in a program with a lower-case letter", () => {
  expect(lettered(wordsOf("_"), ["acl"])).toEqual(["acl"]);
  expect(lettered(wordsOf("2 lists"), ["acl"])).toEqual(["acl", "2", "lists"]);
  expect(lettered(wordsOf("Two lists"), ["acl"])).toEqual(["Two", "lists"]);
  // Otherwise a constant would have the name of its class.
  expect(camelCase(["Network", "acl"])).toBe("networkAcl");
});

test("a file never has the name of a Windows device", () => {
  const names = ["con", "NUL", "com1", "lpt9", "console", "staff"].map(fileName);
  expect(names).toEqual(["con_", "NUL_", "com1_", "lpt9_", "console", "staff"]);
});

function install(name: string): void {
  const folder = path.join(directory, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name, main: "index.js" }));
}

test("finds a library that the same process has just installed, although it looked before", () => {
  mkdirSync(path.join(directory, "node_modules"), { recursive: true });
  expect(cdkFor(directory)).toBe("cdktf");
  install("cdktn");
  expect(cdkFor(directory)).toBe("cdktn");
  expect(cdkFor(path.join(directory, "below"))).toBe("cdktn");
});

test("prefers the library that package.json names", () => {
  install("cdktn");
  writeFileSync(path.join(directory, "package.json"), JSON.stringify({ dependencies: { cdktf: "1" } }));
  expect(cdkFor(directory)).toBe("cdktf");
  expect(obstacleFor(directory, "cdktf")).toBeUndefined();
});
