/** README and docs show valid configurations, programs that compile, existing commands, and working links. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { validateExamples } from "./support/command-lines";

const root = path.join(__dirname, "../..");
const below = (folder: string) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith(".md"));
const pages = ["README.md", ...below("docs"), ...below(".github")].map((file) => ({
  file,
  text: readFileSync(path.join(root, file), "utf8"),
}));

interface Snippet {
  readonly file: string;
  readonly language: string;
  readonly code: string;
}

const fence = /^( *)```(\w*)\n(.*?)^\1```$/gms;
const snippets: Snippet[] = pages.flatMap(({ file, text }) =>
  [...text.matchAll(fence)].map(([, indent = "", language = "", code = ""]) => ({
    file,
    language,
    code: code.replace(new RegExp(`^${indent}`, "gm"), ""),
  })),
);
const inLanguage = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language));

test("have only languages that these tests check", () => {
  const known = ["terraform", "hcl", "ts", "sh", "json", "yaml", "diff", "text"];
  expect(snippets.filter(({ language }) => !known.includes(language))).toEqual([]);
});

test("configurations are valid, and formatted like Terraform formats them", async () => {
  const program = execFileSync("which", ["terraform"], { encoding: "utf8" }).trim();
  const { code, count, stdout, stderr } = await validateExamples({ name: "terraform", program });
  expect({ code, said: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, said: "" });
  expect(count).toBeGreaterThan(30);
  const formatted = inLanguage("terraform", "hcl").map(({ file, code: input }) => {
    const output = execFileSync(program, ["fmt", "-"], { input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
    return { file, code: output };
  });
  expect(inLanguage("terraform", "hcl").map(({ file, code: text }) => ({ file, code: text }))).toEqual(formatted);
  const strange = execFileSync(program, ["fmt", "-check", "-recursive", path.join(root, "examples")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(strange).toBe("");
});

test("programs compile under strict", () => {
  mkdirSync(path.join(root, "cdktf.out"), { recursive: true });
  const folder = mkdtempSync(path.join(root, "cdktf.out/docs-"));
  try {
    const files = inLanguage("ts").map(({ code }, index) => {
      const file = path.join(folder, `snippet-${index}.ts`);
      writeFileSync(file, code.includes("import ") ? code : `export {};\n${code}`);
      return file;
    });
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ES2022,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      // Unit tests use the globals of jest.
      types: ["node", "jest"],
    });
    const wrong = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
      code: file?.text,
      said: ts.flattenDiagnosticMessageText(messageText, "\n"),
    }));
    expect(wrong).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("JSON and YAML have the right form", () => {
  for (const { code } of inLanguage("json")) expect(() => JSON.parse(code) as unknown).not.toThrow();
});

describe("commands", () => {
  const lines = inLanguage("sh").flatMap(({ file, code }) =>
    code
      .replace(/\\\n\s*/g, " ")
      .split("\n")
      .map((line) => ({ file, line: line.replace(/(^|\s)#.*/, "").trim() }))
      .filter(({ line }) => line !== ""),
  );
  const inProse = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/`((?:npx tenantform|npm run|npm start)[^`\n]*)`/g)].map(([, line]) => ({ file, line: line! })),
  );
  const all = [...lines, ...inProse];
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { scripts: object };
  const helps = new Map<string, string>();
  const help = (...args: string[]) => {
    const key = args.join(" ");
    const cli = path.join(root, "dist/cli.js");
    if (!helps.has(key)) helps.set(key, execFileSync(process.execPath, [cli, ...args, "--help"], { encoding: "utf8" }));
    return helps.get(key)!;
  };

  test("use npm scripts that exist", () => {
    const named = all.flatMap(({ file, line }) =>
      [...line.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => ({ file, script: script! })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ script }) => !(script in scripts))).toEqual([]);
  });

  test("use subcommands and options of tenantform that exist", () => {
    const isInstallation = ({ line }: { readonly line: string }) => line.startsWith("npm install");
    const calls = all
      .filter((one) => !isInstallation(one))
      .flatMap(({ file, line }) =>
        [...line.matchAll(/\btenantform (?!--)([a-z]+)([^|&;)]*)/g)].map(([, command, rest]) => ({
          file,
          line,
          command: command!,
          rest: rest!,
        })),
      );
    expect(calls.length).toBeGreaterThan(5);
    const commands = [...help().matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name);
    expect(calls.filter(({ command }) => !commands.includes(command))).toEqual([]);
    const unknown = calls.flatMap(({ file, line, command, rest }) =>
      [...rest.matchAll(/(?<=\s)--[a-z][a-z-]*/g)]
        .filter(([option]) => !help(command).includes(option))
        .map(() => ({ file, line })),
    );
    expect(unknown).toEqual([]);
  });

  test("use files that exist", () => {
    const files = all.flatMap(({ file, line }) =>
      [...line.matchAll(/(?<=^|\s)(?:\.ci|examples|test|src)\/[\w./-]+/g)].map(([name]) => ({ file, name })),
    );
    expect(files.filter(({ name }) => !existsSync(path.join(root, name)))).toEqual([]);
  });
});

test("links lead to pages and headings that exist", () => {
  const anchors = (text: string) => [
    ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
    ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!),
  ];
  // The package has only these.
  const isShipped = (target: string) => /^(docs\/(?!internals\/).*|README\.md|CHANGELOG\.md|LICENSE)$/.test(target);
  const broken = pages.flatMap(({ file, text }) =>
    [...text.replace(fence, "").matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([, to = "", anchor]) => {
        const target = to === "" ? path.join(root, file) : path.resolve(path.dirname(path.join(root, file)), to);
        if (!existsSync(target)) return [{ file, to }];
        if (isShipped(file) && !isShipped(path.relative(root, target))) return [{ file, to, shipped: false }];
        return anchor && !anchors(readFileSync(target, "utf8")).includes(anchor) ? [{ file, to, anchor }] : [];
      },
    ),
  );
  expect(broken).toEqual([]);
});
