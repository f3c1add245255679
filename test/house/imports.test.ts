/** Who may know whom: every import line of src, held to the plan of the house. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const src = path.join(__dirname, "../../src");

/** Room or file -> rooms and files that it may import. Bindings are generated and stand for themselves. */
const mayImport: Record<string, readonly string[]> = {
  access: [],
  cty: [],
  plugin: [],
  tenant: [],
  emulator: [],
  sdk: ["cty", "plugin"],
  resources: ["access", "cty", "sdk", "tenant"],
  constructs: ["cty", "sdk", "resources", "version"],
  "main.ts": ["plugin", "resources", "sdk", "version"],
  "cli.ts": ["emulator", "version"],
  "version.ts": [],
  tools: ["cty", "plugin", "sdk", "resources", "emulator", "version"],
};

/** Rooms of which the importer takes the types and nothing that runs. */
const typesOnly = new Set(["resources -> tenant", "constructs -> tenant"]);
const exceptions = new Set([
  // The provider makes the client, and one file translates its errors.
  "resources/provider.ts",
  "resources/explain.ts",
]);

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("constructs/bindings/"));
const importLine = /^(?:import|export)\s+(type\s)?[^;]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gms;

const imports = files.flatMap((file) =>
  [...readFileSync(path.join(src, file), "utf8").matchAll(importLine)].map(([, type, from, lazily]) => {
    const target = path.relative(src, path.join(src, path.dirname(file), (from ?? lazily)!));
    return { file, room: file.split("/")[0]!, target: target.split("/")[0]!, type: Boolean(type) };
  }),
);

test("every room imports only what it may", () => {
  expect(imports.length).toBeGreaterThan(100);
  const strangers = imports.filter(({ room, target }) => target !== room && !mayImport[room]?.includes(target));
  expect(strangers.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test("definitions of resources load no client", () => {
  const heavy = imports.filter(
    ({ file, room, target, type }) => typesOnly.has(`${room} -> ${target}`) && !type && !exceptions.has(file),
  );
  expect(heavy.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test("no default exports, no index but the public entry", () => {
  const defaults = files.filter((file) => /^export default/m.test(readFileSync(path.join(src, file), "utf8")));
  expect(defaults).toEqual([]);
  expect(files.filter((file) => path.basename(file) === "index.ts")).toEqual(["constructs/index.ts"]);
});
