/** Checks every import of src, types included, against the rules between rooms. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const src = path.join(__dirname, "../../src");

/** Rooms and files that each room may import. No room may import a missing one, such as tools. Generated bindings are excluded. */
const mayImport: Record<string, readonly string[]> = {
  codes: ["text"],
  text: [],
  access: [],
  hcl: [],
  cty: [],
  certificate: [],
  kinds: [],
  plugin: ["certificate", "text"],
  tenant: ["text"],
  emulator: ["certificate", "text"],
  sdk: ["codes", "cty", "plugin", "text", "version.ts"],
  traffic: ["access", "kinds", "text"],
  impact: ["access", "codes", "cty", "kinds", "text"],
  resources: ["access", "codes", "cty", "impact", "kinds", "sdk", "tenant", "text"],
  constructs: [
    "access",
    "codes",
    "cty",
    "impact",
    "install",
    "kinds",
    "sdk",
    "resources",
    "testing",
    "text",
    "version.ts",
  ],
  testing: ["access", "constructs", "cty", "impact", "kinds", "review", "text"],
  "main.ts": ["plugin", "tenant-calls.ts"],
  "node-provider.ts": ["plugin", "tenant-calls.ts"],
  "tenant-calls.ts": ["plugin", "resources", "sdk", "version.ts"],
  // One file of the review calls the tenant, for `--tenant`.
  review: [
    "access",
    "codes",
    "cty",
    "hcl",
    "http-api.ts",
    "impact",
    "kinds",
    "program-environment.ts",
    "resources",
    "tenant",
    "terraform.ts",
    "text",
    "traffic",
    "version.ts",
  ],
  adopt: [
    "access",
    "codes",
    "constructs",
    "hcl",
    "impact",
    "install",
    "kinds",
    "program-environment.ts",
    "resources",
    "sdk",
    "tenant",
    "terraform.ts",
    "text",
    "version.ts",
  ],
  init: ["adopt", "hcl", "install", "program-environment.ts", "resources", "terraform.ts", "text", "version.ts"],
  "cli.ts": ["adopt", "emulator", "init", "install", "review", "text", "version.ts"],
  install: ["text", "version.ts"],
  "terraform.ts": ["program-environment.ts"],
  "program-environment.ts": [],
  "http-api.ts": ["text"],
  "version.ts": [],
  tools: [
    "access",
    "cli.ts",
    "codes",
    "constructs",
    "cty",
    "hcl",
    "impact",
    "install",
    "kinds",
    "plugin",
    "sdk",
    "resources",
    "review",
    "emulator",
    "terraform.ts",
    "text",
    "version.ts",
  ],
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("constructs/bindings/"));
const textOf = (file: string) => readFileSync(path.join(src, file), "utf8");
const roomOf = (file: string) => file.split("/")[0]!;

const importLine = /^(?:import|export)\s+(type\s)?[^;]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gms;
const imports = files.flatMap((file) =>
  [...textOf(file).matchAll(importLine)].map(([, type, from, lazily]) => {
    const target = path.posix.join(path.posix.dirname(file), (from ?? lazily)!).replace(/\.js$/, "");
    return { file, target: files.includes(`${target}.ts`) ? `${target}.ts` : target, type: Boolean(type) };
  }),
);
const said = ({ file, target }: { file: string; target: string }) => `${file} imports ${target}`;

test("no room imports from a room that is missing in its list", () => {
  expect(imports.length).toBeGreaterThan(100);
  const strangers = imports.filter(({ file, target }) => {
    return roomOf(target) !== roomOf(file) && !mayImport[roomOf(file)]?.includes(roomOf(target));
  });
  expect(strangers.map(said)).toEqual([]);
});

/** Rooms with one public file, named like the room: the other files are private. */
const roomsWithEntry = ["access", "certificate"];

test.each(roomsWithEntry)("other rooms import only the public file of %s", (room) => {
  const users = imports.filter(({ file, target }) => roomOf(target) === room && roomOf(file) !== room);
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ target }) => target !== `${room}/${room}.ts`).map(said)).toEqual([]);
});

test("no file imports itself through other files, not even for types", () => {
  let left = imports.filter(({ target }) => files.includes(target));
  // A file without imports or importers is in no cycle. Remove such files until none is left.
  for (let before = Infinity; left.length < before;) {
    before = left.length;
    const importing = new Set(left.map(({ file }) => file));
    const imported = new Set(left.map(({ target }) => target));
    left = left.filter(({ file, target }) => importing.has(target) && imported.has(file));
  }
  expect(left.map(said)).toEqual([]);
});

test("constructs import only the definition of a resource, and how a tenant is named", () => {
  const resources = imports.filter(
    ({ file, target }) => roomOf(file) === "constructs" && roomOf(target) === "resources",
  );
  expect(resources.length).toBeGreaterThan(0);
  const allowed = /^resources\/(?:[\w-]+\/definition|provider-block\/(?:location|root))\.ts$/;
  expect(resources.filter(({ target }) => !allowed.test(target)).map(said)).toEqual([]);
});

const definitions = files.filter((file) => /^resources\/[\w-]+\/definition\.ts$/.test(file));

test("definitions load neither the client nor the plugin process", () => {
  const reached = new Set(definitions);
  // The loop also visits the files that it adds to the set.
  for (const file of reached) {
    for (const each of imports) if (each.file === file && !each.type) reached.add(each.target);
  }
  expect([...reached].map(roomOf)).toContain("sdk");
  expect([...reached].filter((file) => ["tenant", "plugin"].includes(roomOf(file)))).toEqual([]);
});

test("every resource has the same files", () => {
  const folders = definitions.map((file) => file.split("/")[1]!).filter((folder) => folder !== "provider-block");
  expect(folders.length).toBeGreaterThan(3);
  const parts = ["definition", "service", "review"];
  const missing = folders.flatMap((folder) => parts.map((part) => `resources/${folder}/${part}.ts`));
  expect(missing.filter((file) => !files.includes(file))).toEqual([]);
});

test("no code casts to never, because never passes every type check", () => {
  expect(files.filter((file) => /\bas never\b/.test(textOf(file)))).toEqual([]);
});

test("no file has a default export, and only the public entry is an index file", () => {
  expect(files.filter((file) => /^export default/m.test(textOf(file)))).toEqual([]);
  expect(files.filter((file) => path.basename(file) === "index.ts")).toEqual(["constructs/index.ts"]);
});
