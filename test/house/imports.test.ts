/** Checks every import of src, types included, against the rules between rooms; and what no file of src may do. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { kinds } from "../../src/judge/kinds/kinds";

const src = path.join(__dirname, "../../src");

/** Parts, rooms and files that each may import: `judge` stands for its rooms. None may import a missing one, such as tools. */
const mayImport: Record<string, string> = {
  "formats/text": "",
  "formats/hcl": "",
  "formats/cty": "",
  "formats/certificate": "",
  "judge/access": "formats/cty",
  "judge/kinds": "",
  "judge/codes": "formats/text",
  "judge/impact": "formats judge",
  tenant: "formats/cty formats/text",
  emulator: "formats/certificate formats/text",
  "provider/plugin": "formats/certificate formats/text",
  "provider/sdk": "formats judge/codes provider/plugin version.ts",
  "provider/resources": "formats judge provider/sdk tenant",
  "provider/main.ts": "provider/plugin provider/tenant-calls.ts",
  "provider/node-provider.ts": "provider/plugin provider/tenant-calls.ts",
  "provider/tenant-calls.ts": "provider version.ts",
  constructs: "commands/install constructs/testing formats judge provider/resources provider/sdk version.ts",
  "constructs/testing": "constructs formats judge provider/resources provider/sdk review",
  "review/traffic": "formats/text judge",
  // One file of the review calls the tenant, for `--tenant`.
  review: "formats judge provider/resources review/traffic tenant terraform.ts version.ts",
  "commands/install": "formats/text version.ts",
  "commands/init": "commands formats provider/resources terraform.ts version.ts",
  "commands/adopt":
    "commands/install constructs formats judge provider/resources provider/sdk tenant terraform.ts version.ts",
  "cli.ts": "commands emulator formats/text review version.ts",
  tools: "cli.ts commands/install constructs emulator formats judge provider review terraform.ts version.ts",
  "terraform.ts": "",
  "version.ts": "",
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("constructs/bindings/"));
const textOf = (file: string) => readFileSync(path.join(src, file), "utf8");
/** A part, or a room of a part that has rooms: "tenant", "judge/access". */
const parts = ["commands", "formats", "judge", "provider"];
const nested = ["constructs/testing", "review/traffic"];
const roomOf = (file: string) => {
  const [part = "", room] = file.split("/");
  return parts.includes(part) || nested.includes(`${part}/${room}`) ? `${part}/${room}` : part;
};

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
    const allowed = mayImport[roomOf(file)]?.split(" ") ?? [];
    return (
      roomOf(target) !== roomOf(file) && ![roomOf(target), target.split("/")[0]!].some((one) => allowed.includes(one))
    );
  });
  expect(strangers.map(said)).toEqual([]);
});

/** Rooms with one public file, named like the room: the other files are private. */
const roomsWithEntry = ["judge/access", "formats/certificate"];

test.each(roomsWithEntry)("other rooms import only the public file of %s", (room) => {
  const users = imports.filter(({ file, target }) => roomOf(target) === room && roomOf(file) !== room);
  expect(users.length).toBeGreaterThan(0);
  expect(users.filter(({ target }) => target !== `${room}/${room.split("/")[1]}.ts`).map(said)).toEqual([]);
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
    ({ file, target }) => roomOf(file) === "constructs" && roomOf(target) === "provider/resources",
  );
  expect(resources.length).toBeGreaterThan(0);
  const allowed = /^provider\/resources\/(?:[\w-]+\/definition|provider-block\/(?:location|root))\.ts$/;
  expect(resources.filter(({ target }) => !allowed.test(target)).map(said)).toEqual([]);
});

const definitions = files.filter((file) => /^provider\/resources\/[\w-]+\/definition\.ts$/.test(file));

test("definitions load neither the client nor the plugin process", () => {
  const reached = new Set(definitions);
  // The loop also visits the files that it adds to the set.
  for (const file of reached) {
    for (const each of imports) if (each.file === file && !each.type) reached.add(each.target);
  }
  expect([...reached].map(roomOf)).toContain("provider/sdk");
  expect([...reached].filter((file) => ["tenant", "provider/plugin"].includes(roomOf(file)))).toEqual([]);
});

test("every resource has the same files", () => {
  const folders = definitions.map((file) => file.split("/")[2]!).filter((folder) => folder !== "provider-block");
  expect(folders.length).toBeGreaterThan(3);
  const pieces = ["definition", "service", "review"];
  const missing = folders.flatMap((folder) => pieces.map((part) => `provider/resources/${folder}/${part}.ts`));
  expect(missing.filter((file) => !files.includes(file))).toEqual([]);
});

test("no code casts to never, because never passes every type check", () => {
  expect(files.filter((file) => /\bas never\b/.test(textOf(file)))).toEqual([]);
});

test("no file has a default export, and only the public entry is an index file", () => {
  expect(files.filter((file) => /^export default/m.test(textOf(file)))).toEqual([]);
  expect(files.filter((file) => path.basename(file) === "index.ts")).toEqual(["constructs/index.ts"]);
});

const root = path.join(__dirname, "../..");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

const filesBelow = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => path.join(folder, file));

const readText = (file: string) => readFileSync(path.join(root, file), "utf8");

/** The packages that a file loads, without type-only imports and `typeof import()`. */
function loadedBy(file: string): string[] {
  const text = readText(file);
  const loads =
    /^(?:import|export)\s+(?!type\s)(?:[^;]*?\sfrom\s+)?"([^".][^"]*)"|(?<!typeof )\b(?:import|require)\("([^".][^"]*)"\)/gms;
  return [...text.matchAll(loads)].map(([, from, called]) => /^(?:@[^/]+\/)?[^/]+/.exec((from ?? called)!)![0]);
}

test.each([
  ["cdktf", "src/constructs"],
  ["constructs", "src/constructs"],
  ["@cdktf/provider-generator", "src/tools/generate"],
  ["undici", "src/tenant/http"],
  ["zod", "src/provider/resources"],
  ["zod", "src/provider/sdk"],
])("%s is loaded in %s", (name, folder) => {
  const loading = filesBelow(folder).filter((file) => loadedBy(file).includes(name));
  expect(loading).not.toEqual([]);
  expect({ ...manifest.devDependencies, ...manifest.peerDependencies }).toHaveProperty([name]);
});

// With a version, npm resolves cdktn even for a program with cdktf, and cdktn's own peer refuses the newest constructs.
test("cdktn is an optional peer without a version", () => {
  expect(manifest.peerDependencies).not.toHaveProperty("cdktn");
  expect(manifest.peerDependenciesMeta).toMatchObject({ cdktn: { optional: true }, cdktf: { optional: true } });
});

test("random tests take the seed of the run, or name one", () => {
  const direct = filesBelow("test").filter((file) => loadedBy(file).includes("fast-check"));
  const unseeded = direct.filter((file) => !/\bseed: \d/.test(readText(file)));
  expect(unseeded).toEqual([path.join("test", "support", "random.ts")]);
  const random = filesBelow("test").filter((file) => /\bMath\.random\(\)/.test(readText(file)));
  expect(random).toEqual([]);
});

test("jest runs the tests", () => {
  expect(manifest.scripts.test).toMatch(/\bjest$/);
  expect(manifest.devDependencies).toHaveProperty("jest");
  expect(process.env.JEST_WORKER_ID).toBeDefined();
});

test("a build before the install says what to do", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "not-installed-"));
  try {
    copyFileSync(path.join(root, "package.json"), path.join(directory, "package.json"));
    for (const script of ["build", "start", "test"]) {
      const { status, stderr } = spawnSync("npm", ["run", "--silent", script], { cwd: directory, encoding: "utf8" });
      expect([status, stderr]).toEqual([1, expect.stringContaining("First run: npm ci")]);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("shipped code imports no file inside a package that the package does not export by name", () => {
  const inside = filesBelow("src").filter((file) =>
    /["'](?:undici|zod|jose|hono|cdktf|constructs)\/(?:lib|dist|src)\//.test(readText(file)),
  );
  expect(inside).toEqual([]);
});

test("no file of the tenant client loads an HTTP module of Node", () => {
  const speaking = filesBelow("src/tenant").filter((file) =>
    loadedBy(file).some((name) => ["node:http", "node:https", "node:http2", "http", "https"].includes(name)),
  );
  expect(speaking).toEqual([]);
});

const texts = readdirSync(src, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.startsWith("constructs/bindings/"))
  .map((file) => readFileSync(path.join(src, file), "utf8"));

/** The most files that may name a kind. Lower a number when it falls. The goal for a policy is 25. */
const most: Readonly<Record<string, number>> = {
  network_acl: 146,
  rate_limit_policy: 57,
  organization_member_set: 26,
  network_acl_key: 30,
};

test.each(kinds)("few files name $name", ({ name }) => {
  // `rate_limit_policies`, `RateLimitPolicy`, `rate limit policy`; but not a key for an ACL.
  const words = name.replace(/y$/, "(?:y|ies)").replaceAll("_", "[-_ ]?");
  const named = new RegExp(name === "network_acl" ? `${words}(?![-_ ]?key)` : words, "i");
  expect(texts.filter((text) => named.test(text)).length).toBeLessThanOrEqual(most[name]!);
});

/** The functions that render. */
const renders =
  "sentence|brief|briefLine|line|lineWords|lineText|withCauses|causesAlone|who|summaryOf|factWords|changeWords|judgementWords|lockoutWords";
const reads =
  "includes|startsWith|endsWith|replace|replaceAll|match|matchAll|search|split|slice|indexOf|charAt|toUpperCase|toLowerCase";
/** A call of a rendering function whose result is read, and a regular expression that reads it. */
const violations = [
  // Texts that are compared: effects have `effectIdentity`, and judgements a reason.
  new RegExp(String.raw`\b(?:Map|Set|has|get|add|distinctBy|filter|every|some|find)\([^)]*=> [^)]*\b(?:${renders})\(`),
  new RegExp(
    String.raw`\b(?:${renders})\([^()]*\)\s*[!=]==|[!=]==\s*(?:${renders})\(|[!=]==\s*\w+\.(?:text|words)\b|\.(?:text|words) [!=]== (?!""|undefined)`,
  ),
  new RegExp(String.raw`\b(?:${renders})\([^()]*\)!?\.(?:${reads})\(`),
  new RegExp(String.raw`\.(?:test|exec)\((?:${renders})\(`),
  // The words of facts, of a line of the verdict and of a judgement.
  new RegExp(
    String.raw`\b(?:facts|effect|effects\[\d\]|verdict|judged|judgement)!?\.(?:text|words|because|summary)!?\.(?:${reads})\(`,
  ),
  // Messages of own errors and checks: whoever needs another spelling gives it to the check. A full stop may go.
  new RegExp(String.raw`\b(?:message|problem)!?\.(?:${reads})\((?!/\\\.\$/)`),
];

const rooms = ["judge/impact", "review", "provider/resources", "constructs/testing"];

test("no file outside impact/words reads what it renders", () => {
  const found = rooms
    .flatMap((room) =>
      readdirSync(path.join(src, room), { recursive: true, encoding: "utf8" }).map((file) => path.join(room, file)),
    )
    .filter((file) => file.endsWith(".ts") && !file.startsWith(path.join("judge", "impact", "words")))
    .flatMap((file) =>
      readFileSync(path.join(src, file), "utf8")
        .split("\n")
        .flatMap((text, index) =>
          violations.some((one) => one.test(text)) ? [`${file}:${index + 1}: ${text.trim()}`] : [],
        ),
    );
  expect(found).toEqual([]);
});

test.each([
  'if (sentence(effect).includes("blocked")) return;',
  "const title = line(one).slice(2);",
  "return /blocked/.test(sentence(effect));",
  'effect.text.startsWith("The plan failed")',
  'error.message.replace(/"(\\w+)"/g, camelCase)',
  "throw new UserError(`--${problem.replace(/^\\w+/, flagOf)}`);",
  "const isWorse = judgementWords(now) !== judgementWords(was);",
  'if (one.text === incomplete) return "blind";',
])("it finds %s", (text) => expect(violations.some((one) => one.test(text))).toBe(true));

test("only the input of a review reads plans in Terraform's form", () => {
  // `RunError` and the files to read are no plan.
  const readers = imports.filter(({ target }) => ["review/input/plan.ts", "review/input/objects.ts"].includes(target));
  const others = readers.filter(({ file, type }) => !file.startsWith("review/input/") && !type);
  expect(readers.length).toBeGreaterThan(5);
  expect(others.map(said)).toEqual(["constructs/testing/state.ts imports review/input/plan.ts"]);
  const terms = /\b(resource_changes|resource_drift|prior_state|provider_config|planned_values)\b/;
  const reading = files.filter((file) => /^review\/(judge|report|commands)\//.test(file) && terms.test(textOf(file)));
  expect(reading).toEqual([]);
});
