/** The steps after init: tests, diff, deploy and destroy on an embedded tenant, and the pipeline, whose first pull request is green. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Ended } from "../../support/program";
import { listeningTenant } from "../../support/tenant";
import { installInto, openProject, type Project } from "./support/project";

const yaml = require("js-yaml") as { load(text: string): any };

let project: Project;
beforeEach(() => {
  project = openProject();
  installInto(project.folder);
});

const ended = ({ code, stdout, stderr }: Ended, expected = 0) => {
  expect({ code, output: code === expected ? "" : stdout + stderr }).toEqual({ code: expected, output: "" });
  return stdout;
};
const npx = async (...args: string[]) => ended(await project.run("npx", args, { FORCE_COLOR: "0" }));

test("a project in TypeScript is tested, deployed, reviewed and destroyed without an account and without settings", async () => {
  // Neither the test, the settings of jest nor the type of the modules are in the way of the stack's test.
  project.write(
    "package.json",
    '{ "name": "own", "type": "module", "scripts": { "test": "exit 1" }, "jest": { "testMatch": ["none"] } }',
  );
  ended(await project.init([]));
  ended(await project.run("npm", ["run", "check"]));
  ended(await project.run("npm", ["run", "test:tenant", "--", "--ci"]));
  expect(await npx("cdktf", "diff")).toContain("2 to add, 0 to change, 0 to destroy");
  await npx("tenantform", "review", "cdktf.out", "--fail-on", "high");
  expect(await npx("cdktf", "deploy", "--auto-approve")).toContain("2 added, 0 changed, 0 destroyed");
  // The tenant outlives a command.
  expect(await npx("cdktf", "destroy", "--auto-approve")).toContain("2 destroyed");
});

test("a project in HCL is tested, planned and reviewed without an account", async () => {
  ended(await project.init(["--language", "hcl"]));
  // Settings of a real tenant do not reach the plan, and nothing listens there.
  const real = { TENANT_ENDPOINT: "http://127.0.0.1:9", TENANT_ACCESS_TOKEN: "token" };
  expect(ended(await project.run(process.execPath, ["--test", "--test-reporter=tap"], real))).toContain("# pass 2");
  ended(await project.run(process.execPath, ["plan.mjs"], real));
  await npx("tenantform", "review", "plan.json", "--fail-on", "high");
});

/** Makes code of the comments that follow a line with a colon at its end. */
const uncommented = (text: string, mark: string) =>
  text.replace(
    new RegExp(`:\\n((?: *${mark} .*\\n)+)`, "g"),
    (_, lines: string) => `\n${lines.replaceAll(`${mark} `, "")}`,
  );

test("every line of code in a comment of the templates is valid", async () => {
  ended(await project.init(["--language", "typescript"]));
  const stack = project.read("tenant.ts");
  expect(uncommented(stack, "//")).toContain("\n      protectedRequest");
  project.write("tenant.ts", uncommented(stack, "//"));
  await npx("tsc");
  ended(await project.run("npx", ["jest", "--ci", "--config", "tenant.jest.json"]));

  ended(await project.init(["hcl", "--language", "hcl"]));
  const main = project.read("hcl/main.tf");
  expect(uncommented(main, "#")).toMatch(/\n  backend "s3" \{[^]*\n  protected_request \{/);
  project.write("hcl/main.tf", uncommented(main, "#"));
  ended(await project.run(process.execPath, ["hcl/plan.mjs"]));
});

test("a project for cdktn compiles and passes its test", async () => {
  ended(await project.init(["--language", "cdktn"]));
  await npx("tsc");
  ended(await project.run("npx", ["jest", "--ci", "--config", "tenant.jest.json"]));
});

const hostile = "`touch taken` $(touch taken) %s \\n::set-output name=a::b EOF";
/** In a string of both languages. */
const written = hostile.replaceAll("\\", "\\\\").replaceAll("`", "\\u0060").replaceAll("%", "\\u0025");

describe.each([
  ["typescript", "tenant.ts", /Action\.log\(\)/, "Action.block()"],
  ["hcl", "main.tf", / log = true/, " block = true"],
])("the pipeline of %s", (language, file, log, block) => {
  let env: Record<string, string>;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const tenant = await listeningTenant();
    close = tenant.close;
    const TENANT_DOMAIN = new URL(tenant.url).host;
    env = { ...tenant.env, TENANT_DOMAIN, GITHUB_WORKSPACE: path.join(project.folder, "..") };
    ended(await project.init(["--language", language], { TENANT_DOMAIN }));
  });
  afterEach(() => close());

  const out = () => path.join(project.folder, "out");
  const base = () => path.join(project.folder, "base");
  const reviewed = () => project.run("dash", ["review.sh", base(), out(), "tenant"], env);
  const edit = (from: RegExp | string, to: string) => {
    const text = project.read(file);
    expect(text.replace(from, () => to)).not.toBe(text);
    project.write(
      file,
      text.replace(from, () => to),
    );
  };
  const merge = () => {
    mkdirSync(base(), { recursive: true });
    for (const name of readdirSync(project.folder).filter((one) => /\.(ts|tf|json)$/.test(one))) {
      cpSync(path.join(project.folder, name), path.join(base(), name));
    }
  };
  const approve = () => {
    mkdirSync(path.join(base(), ".tenantform"), { recursive: true });
    cpSync(path.join(out(), "review.json"), path.join(base(), ".tenantform/approved.json"));
  };

  test("is green for the first pull request, red for a block, whose texts are no commands, and green again if the base branch approves that change alone", async () => {
    ended(await reviewed());
    merge();
    edit("Watch sign-ins from sanctioned countries", written);
    edit(log, block);
    const stdout = ended(await reviewed(), 3);
    // Commands of the runner.
    expect(stdout.split("\n").filter((line) => line.trimStart().startsWith("::"))).toEqual([]);
    expect(readFileSync(path.join(out(), "plan.txt"), "utf8")).toContain("set-output");
    approve();
    expect(ended(await reviewed())).toContain("The base branch approves exactly these changes.");
    edit('"KP", ', '"KP", "RU", ');
    ended(await reviewed(), 3);
    expect(readdirSync(project.folder)).not.toContain("taken");
  });

  test("fails for a refused plan, and shows the error first", async () => {
    merge();
    edit(log, block);
    edit(language === "hcl" ? "match {" : "match: ", language === "hcl" ? "not_match {" : "notMatch: ");
    edit(
      /(scope\s*[=:] )"authentication"\n|scope: "authentication" \}/,
      language === "hcl" ? 'scope = "tenant"\n' : 'scope: "tenant" }',
    );
    ended(await reviewed(), 3);
    expect(readFileSync(path.join(out(), "review.md"), "utf8")).toMatch(/^\*\*✖ .*(plan failed|[Rr]efused)/m);
  });

  test("finds a folder with any name, and says in one line that the tool is there", async () => {
    const { jobs } = yaml.load(project.read(".github/workflows/tenant.yml"));
    const { run: step } = jobs.comment.steps.find(({ id }: { id?: string }) => id === "tool");
    const folder = 'a "b" `c` %s \\n';
    project.write(`base/${folder}/package.json`, '{ "dependencies": { "tenantform": "0" } }');
    project.write("bin/npm", "#!/bin/sh\npwd\n");
    ended(await project.run("chmod", ["+x", "bin/npm"]));
    const PATH = `${path.join(project.folder, "bin")}:${process.env.PATH}`;
    const given = { PATH, FOLDER: folder, GITHUB_OUTPUT: path.join(project.folder, "outputs") };
    expect(ended(await project.run("dash", ["-e", "-c", step], given))).toBe(`${path.join(base(), folder)}\n`);
    expect(project.read("outputs")).toBe("installed=true\n");
    const missing = await project.run("dash", ["-e", "-c", step], { ...given, FOLDER: "none" });
    expect(ended(missing)).toBe("::notice::No comment: package.json of the base branch does not name tenantform.\n");
    expect(project.read("outputs")).toBe("installed=true\n");
  });
});
