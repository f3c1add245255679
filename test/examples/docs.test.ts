/** README and docs show valid configurations, programs that compile, existing commands, working links, and what the product does; every example runs. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { newFolder, root } from "../support/folder";
import { run } from "../support/program";
import { embed } from "../tenant/support/embedded";
import { runPage } from "./support/command-lines";
import { example } from "./support/deployed";
import { pages as entries } from "./support/documented-pages";
import { codeOn, readPage, shellBlocks } from "./support/shell-blocks";

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

test("configurations are formatted like Terraform formats them", async () => {
  const folder = newFolder();
  inLanguage("terraform", "hcl").forEach(({ file, code }, index) =>
    writeFileSync(path.join(folder, `${file.replace(/\W/g, "_")}-${index}.tf`), code),
  );
  const format = ["fmt", "-check", "-diff", "-recursive", folder, path.join(root, "examples")];
  expect(await run("terraform", format, { cwd: folder })).toMatchObject({ code: 0, stdout: "" });
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

type Plans = Readonly<Record<string, object>>;

const readme = readPage("README.md");

test("has the program of the quickstart", () => {
  const program = readFileSync(path.join(root, "examples/quickstart/main.ts"), "utf8");
  const code = program.replace(/^\/\*\*.*\*\/\n/, "").replaceAll("\n\n", "\n");
  expect(codeOn("README.md", "ts")).toEqual([code]);
  expect(code.trim().split("\n").length).toBeLessThanOrEqual(20);
});

test("names both doors in its first 60 lines, in at most 110", () => {
  const lines = readme.trim().split("\n");
  expect(lines.length).toBeLessThanOrEqual(110);
  const first = lines.slice(0, 60).join("\n");
  const words = [
    "NetworkAcl",
    "RateLimitPolicy",
    "OrganizationMemberSet",
    "cdktf diff",
    "cdktf deploy",
    "PUT",
    "DELETE",
  ];
  const missing = [...words, "npm start", "npm test", "tenantform review"].filter((word) => !first.includes(word));
  expect(missing).toEqual([]);
});

test("shows what the review of a plan prints, and so does the page beside the plans", () => {
  const shop = path.join(newFolder(), "shop");
  mkdirSync(shop);
  const plans = JSON.parse(readFileSync(path.join(root, "test/judge/impact/auth0/plans.json"), "utf8")) as Plans;
  const printed = ["users deleted", "users renamed"].flatMap((name) => {
    writeFileSync(path.join(shop, "plan"), JSON.stringify(plans[name]));
    const review = [path.join(root, "dist/cli.js"), "review", "plan"];
    return execFileSync(process.execPath, review, { cwd: shop, encoding: "utf8" }).split("\n");
  });
  const shown = ["README.md", "docs/guides/before-you-apply.md"].flatMap((page) =>
    codeOn(page, "text").flatMap((text) => text.split("\n").filter((line) => /^(Review of|[✖●○✔] )/.test(line))),
  );
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
});

const howItWorks = readFileSync(path.join(__dirname, "../../docs/guides/how-it-works.md"), "utf8");

const [, changes = "", reads = ""] = howItWorks.split(/^## (?:From a change|What a plan|The token).*$/m);

const callsIn = (text: string) =>
  [...new Set([...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)].map(([, call]) => call!))].toSorted();

const organization = "org_9ybsU1dN2dKfDkBi";
const acl = {
  description: "a",
  active: true,
  priority: 1,
  rule: { action: { log: true as const }, match: { asns: [1] }, scope: "tenant" },
};
const policy = {
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "default",
  configuration: { action: "log", limit: 1 },
};

test("names each call that a change or a plan sends, and no other", async () => {
  const { tenant, lines, close } = await embed({
    seed: { organizations: [{ id: organization, name: "a", members: [] }] },
    flags: ["tenant_acl_hmac_signature"],
  });
  const sent = () =>
    [
      ...new Set(
        lines().map((line) =>
          line
            .replace(/ \d+$/, "")
            .replace(/\?.*/, "")
            .replace(/(acl|rlp|key|org)_\w+/, "{id}"),
        ),
      ),
    ].toSorted();
  try {
    const { networkAcls, networkAclKeys, rateLimitPolicies, organizationMembers } = tenant;
    await Promise.all([
      networkAcls.list(),
      networkAclKeys.list(),
      rateLimitPolicies.list(),
      organizationMembers.list(organization),
    ]);
    expect(callsIn(reads)).toEqual(sent());
    const { id } = await networkAcls.create(acl);
    await networkAcls.replace(id, { ...acl, active: false });
    await networkAcls.delete(id);
    const key = await networkAclKeys.create(
      { name: "edge", alg: "hmac-sha256", value: Buffer.alloc(32, 1).toString("base64") },
      "",
    );
    await networkAclKeys.delete(key.id);
    const { id: limit } = await rateLimitPolicies.create(policy);
    await rateLimitPolicies.update(limit, { action: "log", limit: 2 });
    await rateLimitPolicies.delete(limit);
    await organizationMembers.add(organization, ["auth0|a"]);
    await organizationMembers.remove(organization, ["auth0|a"]);
    expect(callsIn(changes)).toEqual(sent().filter((line) => !line.startsWith("GET ")));
  } finally {
    await close();
  }
});

const blocks = shellBlocks();
const commands = blocks.flatMap(({ page, lines }) => lines.map(({ command }) => ({ page, command })));

test("reads the blocks of every page", () => {
  expect(blocks.length).toBeGreaterThan(15);
  expect(commands.filter(({ page }) => page === "README.md").length).toBeGreaterThan(3);
});

test("every page with a shell block has an entry", () => {
  // An entry says what the page takes for granted; pages.long.test.ts then runs the page.
  expect([...new Set(blocks.map(({ page }) => page))].filter((page) => !(page in entries))).toEqual([]);
});

test("every exception names a line that its page has", () => {
  const stale = Object.entries(entries).flatMap(([page, { instead = {}, notRun = {} }]) =>
    [...Object.keys(instead), ...Object.keys(notRun)]
      .filter((line) => !commands.some((one) => one.page === page && one.command === line))
      .map((line) => ({ page, line })),
  );
  expect(stale).toEqual([]);
});

test("fails at the first command that fails", async () => {
  const engine = { name: "terraform", program: "/bin/false" } as const;
  const lines = [{ command: "terraform init" }, { command: "echo reached" }];
  const { code, stdout } = await runPage("", [{ page: "", lines }], engine);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
});

test("covers every folder of examples", async () => {
  const folders = (await readdir(example())).filter((name) => name !== "README.md").toSorted();
  const covered =
    "data-sources expectations fleet hcl provider quickstart recipes resources review signed-requests start";
  expect(folders.join(" ")).toBe(covered);
});
