/** The steps after init, with real Terraform: the tests, the plan, the review, and the adoption of a tenant. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createEmulator, type Emulator, type Seed } from "../../src/emulator/emulator";
import { run, type Ended } from "../support/program";
import { installInto, jestProgram, openProject, root, type Project } from "./support/project";

let project: Project;
beforeEach(() => {
  project = openProject();
  installInto(project.folder);
});
afterEach(() => project.close());

const cli = path.join(root, "dist/cli.js");
const succeeds = ({ code, stdout, stderr }: Ended) => {
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout;
};

test("a project for cdktf passes its test, and its plan is reviewed", async () => {
  succeeds(await project.init(["--language", "cdktf"]));
  expect((await project.node([jestProgram, "--ci"])).stderr).toContain("3 passed, 3 total");
  // Settings of a real tenant do not reach the plan, and nothing listens there.
  const real = { TENANT_ENDPOINT: "http://127.0.0.1:9", TENANT_ACCESS_TOKEN: "token" };
  expect(succeeds(await project.node(["plan.mjs"], real))).toBe(
    "Wrote plan.json, a plan on an empty embedded tenant.\n",
  );
  const review = succeeds(await project.node([cli, "review", "plan.json", "--format", "text"]));
  expect(review).toMatch(/^✖ high: Blocks sign-in, tokens and client registration for .*North Korea/m);
  expect(review).toContain("1 expectation holds");
});

test("a project for cdktn passes its test and the compiler", async () => {
  succeeds(await project.init(["--language", "cdktn"]));
  expect((await project.node([jestProgram, "--ci"])).stderr).toContain("3 passed, 3 total");
  succeeds(await project.node([path.join(root, "node_modules/typescript/bin/tsc")]));
});

const staff = "org_quickstart000001";
const seed = {
  network_acls: [
    {
      description: 'Кафе "Ü" ${x}',
      active: true,
      priority: 10,
      rule: { action: { block: true }, match: { geo_country_codes: ["KP"] }, scope: "authentication" },
    },
  ],
  organizations: [{ id: staff, name: "staff", members: ["auth0|ada"] }],
};

async function withTenant(
  use: (env: Record<string, string>, emulator: Emulator) => Promise<void>,
  contents: Seed = seed,
): Promise<void> {
  const emulator = createEmulator({ seed: contents });
  const { url, close } = await emulator.listen();
  const { clientId, clientSecret } = emulator;
  try {
    await use({ TENANT_ENDPOINT: url, TENANT_CLIENT_ID: clientId, TENANT_CLIENT_SECRET: clientSecret }, emulator);
  } finally {
    await close();
  }
}

test("--adopt writes the tenant in HCL, and the test plans without its state and imports", () =>
  withTenant(async (env) => {
    const adopted = succeeds(await project.init(["--adopt", "--language", "hcl"], env));
    expect(adopted).toContain("2 imported, 0 to add, 0 to change, 0 to destroy\n");
    expect(adopted).toMatch(/\n  npm test .*\n  terraform plan -out=plan .*\n  npx tenantform review plan /);
    expect(succeeds(await project.node(["--test", "--test-reporter=tap", "tenant.test.mjs"]))).toContain("# pass 2");
  }));

test("--adopt writes the tenant in TypeScript, and the test passes", () =>
  withTenant(async (env, emulator) => {
    const adopted = succeeds(await project.init(["--adopt", "--language", "cdktf"], env));
    expect(adopted).toContain("2 imported, 0 to add, 0 to change, 0 to destroy\n");
    expect((await project.node([jestProgram, "--ci"])).stderr).toContain("2 passed, 2 total");
    expect(emulator.requests.every(({ method, path: at }) => method === "GET" || at === "/oauth/token")).toBe(true);
  }));

test("--adopt of an empty tenant writes a stack in TypeScript that plans nothing", () =>
  withTenant(async (env) => {
    expect(succeeds(await project.init(["--adopt", "--language", "cdktf"], env))).toContain(
      "0 imported, 0 to add, 0 to change, 0 to destroy",
    );
    expect((await project.node([jestProgram, "--ci"])).stderr).toContain("2 passed, 2 total");
  }, {}));

/** Changes the project, and keeps a copy of the unchanged one as the base branch. Returns the folder of the copy. */
function pullRequest(change: () => void): string {
  const base = path.join(project.folder, "base");
  mkdirSync(base);
  for (const file of Object.keys(project.contents())) cpSync(path.join(project.folder, file), path.join(base, file));
  change();
  return base;
}

/** Runs the script of the job that plans. The review goes to `out`. */
const reviewed = (env: Record<string, string>, base: string) =>
  run("sh", ["review.sh", base, path.join(project.folder, "out"), "tenant"], { cwd: project.folder, env });

test.each([
  ["cdktf", "tenant.ts", /expectation\("embargo"\).*\n/],
  ["hcl", "main.tf", /expectation \{\n[^]*?\n  \}\n/],
])("the review of %s ends with 3 if a change drops an expectation and breaks it", (...row) =>
  withTenant(async (env) => {
    const [language, file, block] = row;
    succeeds(await project.init(["--language", language], { TENANT_DOMAIN: new URL(env.TENANT_ENDPOINT!).host }));
    // The tenant has another ACL with this priority.
    const own = project.read(file).replace(/(priority\s*[=:]) 10/, "$1 20");
    writeFileSync(path.join(project.folder, file), own);
    const base = pullRequest(() => {
      const weakened = own.replace(block, "").replace('["KP"]', '["IR"]').replace('countries("KP")', 'countries("IR")');
      expect(weakened).not.toBe(own);
      writeFileSync(path.join(project.folder, file), weakened);
    });
    const { code, stdout, stderr } = await reviewed(env, base);
    expect({ code, output: code === 3 ? "" : stdout + stderr }).toEqual({ code: 3, output: "" });
    expect(project.read("out/review.md")).toContain("embargo");
  }),
);

test.each(["hcl", "cdktf"])(
  "a plan of %s that the provider refuses has a review with the error first, and fails the job",
  (language) =>
    withTenant(async (env) => {
      succeeds(await project.init(["--language", language], { TENANT_DOMAIN: new URL(env.TENANT_ENDPOINT!).host }));
      const file = language === "hcl" ? "main.tf" : "tenant.ts";
      const base = pullRequest(() => {
        const own = project.read(file).replace(/(priority\s*[=:]) 10/, "$1 20");
        // Blocks everyone outside of North Korea, Terraform too.
        const walled = own
          .replace(/\bmatch \{/, "not_match {")
          .replace(/\bmatch: /, "notMatch: ")
          .replace(/(scope\s*[=:] )"authentication"/, '$1"tenant"');
        expect(walled).not.toBe(own);
        writeFileSync(path.join(project.folder, file), walled);
      });
      const { code, stdout, stderr } = await reviewed(env, base);
      expect({ code, output: code === 3 ? "" : stdout + stderr }).toEqual({ code: 3, output: "" });
      const review = project.read("out/review.md");
      expect(review).toMatch(
        /^<!-- tenantform:review tag=tenant .*\n### Review of .*\n\n\*\*✖ The plan failed: .*lock/m,
      );
      expect(review).toContain("Errors of `terraform plan`");
    }),
);
