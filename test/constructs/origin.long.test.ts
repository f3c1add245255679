/** Checks the line of a program that a construct records in the file of its stack. */
import { App, Testing, TerraformStack } from "cdktf";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { NetworkAcl, RateLimitPolicy } from "../../src/constructs";
import { originIn } from "../../src/constructs/origin";
import { run, succeed } from "../support/program";
import { newFolder, newFolderInside, root } from "../support/folder";
import { listeningTenant } from "../support/tenant";

const stackOf = (...frames: string[]) => ["Error", ...frames.map((frame) => `    at ${frame}`)].join("\n");
const ours = `callStack (${root}/src/constructs/origin.ts:1:1)`;

test.each<[string, string[], string | undefined]>([
  ["a call", ["new Acls (/app/lib/acls.ts:10:5)", "Object.<anonymous> (/app/main.ts:2:1)"], "lib/acls.ts:10"],
  ["a call without a name", ["/app/main.ts:2:1"], "main.ts:2"],
  ["a module", ["file:///app/m%20%C3%A9.mts:7:1"], "m é.mts:7"],
  ["a folder with parentheses", ["f (/app/a (b)/main.ts:3:1)"], "a (b)/main.ts:3"],
  [
    "our own files and packages",
    [`f (${root}/src/constructs/x.ts:1:1)`, "g (/app/node_modules/x/y.js:1:1)"],
    undefined,
  ],
  ["files outside of the folder", ["f (/other/main.ts:1:1)", "g (/app/main.ts:9:1)"], "main.ts:9"],
  ["Node's own files", ["node:internal/main:1:1", "async Promise.all (index 0)", "f (<anonymous>)"], undefined],
])("takes the innermost file of the program from %s", (_, frames, expected) => {
  expect(originIn(stackOf(ours, ...frames), "/app")).toBe(expected);
});

test("records nothing in a bundle, where its own code has the same file", () => {
  expect(originIn(stackOf("callStack (/app/bundle.js:1:1)", "main (/app/bundle.js:900:1)"), "/app")).toBeUndefined();
});

const acl = {
  description: "Any",
  priority: 1,
  rule: { action: { block: true }, match: { asns: [1] }, scope: "tenant" },
};

test("changes no snapshot of a test", () => {
  const stack = new TerraformStack(Testing.app({ outdir: newFolder() }), "stack");
  new NetworkAcl(stack, "acl", acl);
  expect(Testing.synth(stack)).not.toContain("origin.long.test.ts");
});

test("keeps the comment of the library and of the author", () => {
  const stack = new TerraformStack(new App({ stackTraces: false }), "stack");
  const one = new NetworkAcl(stack, "acl", acl);
  one.addOverride("//.author", "Ada");
  const { resource } = one.toTerraform() as { resource: { tenant_network_acl: { acl: { "//": object } } } };
  expect(resource.tenant_network_acl.acl["//"]).toMatchObject({
    author: "Ada",
    metadata: { path: "stack/acl", uniqueId: "acl" },
    tenantform: { at: expect.stringMatching(/^test\/constructs\/origin\.long\.test\.ts:\d+$/) },
  });
});

test("leaves the program's own limit of stack traces as it was", () => {
  const { stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 0;
    const stack = new TerraformStack(new App({ stackTraces: false }), "stack");
    const policy = { consumerSelector: "default", configuration: { action: "block", limit: 1 } };
    const one = new RateLimitPolicy(stack, "all", policy);
    expect(Error.stackTraceLimit).toBe(0);
    expect(JSON.stringify(one.toTerraform())).toContain("origin.long.test.ts:");
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
});

const library = `import { Construct } from "constructs";
import { Action, Match, NetworkAcl } from "tenantform";

interface Untranslated {
  readonly a: string;
}

export class Acls extends Construct {
  constructor(scope: Construct) {
    super(scope, "acls");
    new NetworkAcl(this, "one", {
      description: "One",
      priority: 1,
      rule: { action: Action.block(), match: Match.countries("KP"), scope: "authentication" },
    });
  }
}
`;
const program = `import { App, TerraformStack } from "cdktf";
import { Action, Match, NetworkAclOrder, TenantProvider } from "tenantform";
import { Acls } from "./lib/acls";

const app = new App();
const stack = new TerraformStack(app, "edge");
new TenantProvider(stack, "tenant");
new Acls(stack);
new NetworkAclOrder(stack, "order", {
  first: 10,
  prioritiesFile: false,
  acls: [{ id: "two", description: "Two", rule: { action: Action.block(), match: Match.countries("IR"), scope: "tenant" } }],
});
app.synth();
`;

test("points a review to the program, and changes no plan if lines move", async () => {
  const directory = newFolderInside();
  const { env, close } = await listeningTenant();
  const cwd = path.join(directory, "cdktf.out/stacks/edge");
  const synth = async (main: string) => {
    await writeFile(path.join(directory, "main.ts"), main);
    await succeed(process.execPath, ["--import", require.resolve("tsx"), "main.ts"], { cwd: directory });
  };
  const annotations = async () => {
    const args = [path.join(root, "dist/cli.js"), "review", "cdktf.out", "--format", "annotations"];
    const { stdout, stderr } = await run(process.execPath, args, {
      cwd: directory,
      env: { GITHUB_WORKSPACE: directory },
    });
    expect(stderr).toBe("");
    return [...new Set(stdout.match(/(?<= file=)[^:]*(?=,title=)/g))].toSorted();
  };
  try {
    await mkdir(path.join(directory, "lib"));
    await writeFile(path.join(directory, "lib/acls.ts"), library);
    await synth(program);
    await succeed("terraform", ["init", "-no-color"], { cwd });
    await succeed("terraform", ["plan", "-out=plan", "-no-color"], { cwd, env });
    expect(await annotations()).toEqual(["lib/acls.ts,line=11", "main.ts,line=9"]);
    await succeed("terraform", ["apply", "-no-color", "plan"], { cwd, env });
    await synth(`\n${program}`);
    expect(await readFile(path.join(cwd, "cdk.tf.json"), "utf8")).toContain('"at": "main.ts:10"');
    expect(await succeed("terraform", ["plan", "-no-color"], { cwd, env })).toContain("No changes.");
  } finally {
    await close();
  }
});
