/** Checks that compilers accept the types of the installed package, and the programs of README and docs. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOn } from "../examples/support/shell-blocks";
import { linkPackages, newFolder, newFolderInside, root } from "../support/folder";
import { run } from "../support/program";

let folder: string;
beforeEach(() => {
  folder = newFolder();
  linkPackages(folder, ["cdktf", "cdktn", "constructs"]);
});

/** The `@example` texts of the handwritten classes, as a program. */
function documented(): string {
  const sources = path.join(root, "src/constructs");
  const files = readdirSync(sources).filter((name) => name.endsWith(".ts"));
  const examples = files.map((name) => readFileSync(path.join(sources, name), "utf8")).join("\n");
  const found = [...examples.matchAll(/^ +\* @example\n((?: +\* (?!@).*\n)+)/gm)].map(([, lines]) =>
    lines!.replace(/^ +\* ?/gm, ""),
  );
  expect(found.length).toBeGreaterThan(15);
  const entry = readFileSync(path.join(sources, "index.ts"), "utf8");
  const names = [...entry.matchAll(/^export \{ ([^}]*)\} from "\.\/(?!bindings)/gm)]
    .flatMap(([, list]) => list!.split(",").map((name) => name.trim()))
    .filter((name) => found.some((example) => new RegExp(`\\b${name}\\b`).test(example)));
  const configs = "NetworkAclRule & NetworkAclConfig & OrganizationMemberSetConfig & TenantProviderConfig";
  return [
    'import { App, TerraformStack, TerraformVariable } from "cdktf";',
    `import { ${names.join(", ")}, ${configs.replaceAll(" &", ",")} } from "tenantform";`,
    "export declare const app: App;",
    "export declare const stack: TerraformStack;",
    ...found.map((example, index) =>
      /^\w+: /.test(example)
        ? `export const part${index}: Partial<${configs}> = { ${example} };`
        : `export function example${index}() {\n${example}}`,
    ),
  ].join("\n");
}

const mistaken = `
import { TerraformStack } from "cdktf";
import { NetworkAcl } from "tenantform";
declare const stack: TerraformStack;
new NetworkAcl(stack, "acl", { description: "", rule: { action: { refuse: true }, scope: "tenant" } });
`;

/** Its declarations name the types of nested attributes, and its lists cannot change. */
const program = `
import { TerraformOutput, TerraformStack } from "cdktf";
import {
  DataTenantNetworkAcls,
  DataTenantOrganizationMembers,
  NetworkAcl,
  NetworkAclConfig,
  OrganizationMemberSet,
  RateLimitPolicy,
  TenantProvider,
} from "tenantform";
declare const stack: TerraformStack;
const blocked = ["KP"] as const;
const config: NetworkAclConfig = {
  description: "",
  priority: 1,
  rule: { action: { block: true }, match: { geoCountryCodes: blocked }, scope: "tenant" },
  provider: new TenantProvider(stack, "tenant", { domain: "acme.eu.auth0.com", alias: "acme" }),
};
export const acl = new NetworkAcl(stack, "acl", config);
export const match = acl.rule.match;
export const keys = acl.rule.match.httpMessageSignature.keys;
export const one = new DataTenantNetworkAcls(stack, "acls").networkAcls.get(0).rule.action;
export const limits = { of: (policy: RateLimitPolicy) => policy.configuration };
export const expected = (provider: TenantProvider) => provider.protectedRequest;
const { members } = new DataTenantOrganizationMembers(stack, "members", { organizationId: "org_a" });
new OrganizationMemberSet(stack, "set", { organizationId: "org_b", members, dependsOn: [acl] });
new TerraformOutput(stack, "id", { value: acl.id });
`;

test.each([
  ["node10", "CommonJS"],
  ["node16", "Node16"],
])("compiles plain projects of cdktf and cdktn with all declarations checked: %s", async (moduleResolution, module) => {
  const compilerOptions = {
    target: "ES2018",
    lib: ["es2018"],
    module,
    moduleResolution,
    strict: true,
    noUnusedLocals: true,
    noEmit: true,
    declaration: true,
    skipLibCheck: false,
    types: [],
  };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const entries = { tenantform: "cdktf", "tenantform/cdktf": "cdktf", "tenantform/cdktn": "cdktn" };
  for (const [entry, host] of Object.entries(entries)) {
    const withNames = (text: string) => text.replace('"cdktf"', `"${host}"`).replace('"tenantform"', `"${entry}"`);
    writeFileSync(path.join(folder, `${entry.replace("/", "-")}.ts`), withNames(program));
    writeFileSync(path.join(folder, `${entry.replace("/", "-")}-mistaken.ts`), withNames(mistaken));
  }
  writeFileSync(path.join(folder, "examples.ts"), documented());
  // .ci/run gives the paths of the oldest and the newest compiler.
  const tsc = process.env.TENANTFORM_TSC ?? require.resolve("typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "--pretty", "false"], { cwd: folder });
  const names = ["tenantform-cdktf", "tenantform-cdktn", "tenantform"];
  const errors = stdout
    .trim()
    .split("\n")
    // A detail of an error is indented.
    .filter((line) => !line.startsWith(" "));
  expect(errors.filter((line) => line.includes("-mistaken.ts")).toSorted()).toEqual(
    names.map((file) =>
      expect.stringMatching(new RegExp(`^${file}-mistaken\\.ts\\(5,\\d+\\): error TS2353: .*'refuse' does not exist`)),
    ),
  );
  expect(errors).toHaveLength(names.length);
});

test("compiles the programs of README and docs under strict", async () => {
  const directory = newFolderInside();
  const below = (name: string) =>
    readdirSync(path.join(root, name), { recursive: true, encoding: "utf8" }).map((file) => `${name}/${file}`);
  const pages = ["README.md", ...below("docs"), ...below(".github")].filter((file) => file.endsWith(".md"));
  const programs = pages.flatMap((page) => codeOn(page, "ts").map((code) => ({ page, code })));
  expect(programs.length).toBeGreaterThan(10);
  programs.forEach(({ page, code }, index) =>
    writeFileSync(
      path.join(directory, `${page.replace(/\W/g, "_")}-${index}.ts`),
      code.includes("import ") ? code : `export {};\n${code}`,
    ),
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "ES2022",
    module: "ES2022",
    moduleResolution: "Bundler",
    // Unit tests use the globals of jest.
    types: ["node", "jest"],
  };
  writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const { code, stdout } = await run(process.execPath, [require.resolve("typescript/bin/tsc")], { cwd: directory });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
});
