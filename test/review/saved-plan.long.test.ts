/** Checks which Terraform shows a saved plan, and the environment of the programs that Terraform starts. */
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { executable, install, type Installation } from "../support/installation";
import { run } from "../support/program";
import { acl, block, change, planText } from "./support/plan";

const cli = path.join(__dirname, "../../dist/cli.js");

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-saved-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const variablesIn = (text: string) =>
  text
    .split("\n")
    .flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    .toSorted();

const secrets: NodeJS.ProcessEnv = Object.fromEntries(
  [
    ["TENANT_CLIENT_SECRET", "TENANT_CLIENT_ID", "TENANT_DOMAIN", "TENANT_CLIENT_PRIVATE_KEY", "AUTH0_CLIENT_SECRET"],
    ["AUTH0_DOMAIN", "GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ENV", "GITLAB_TOKEN", "CI_JOB_TOKEN", "CI_REGISTRY_PASSWORD"],
    ["ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    ["AWS_PROFILE", "ARM_CLIENT_SECRET", "GOOGLE_APPLICATION_CREDENTIALS", "TF_TOKEN_app_terraform_io", "TF_VAR_pin"],
    [
      "TF_HTTP_PASSWORD",
      "TF_ENCRYPTION",
      "NPM_TOKEN",
      "npm_config__auth",
      "DATABASE_URL",
      "PGPASSWORD",
      "SSH_AUTH_SOCK",
    ],
    ["MISE_GITHUB_TOKEN", "TFENV_REMOTE", "HTTPS_PROXY", "https_proxy", "SOME_NAME", "tenant_client_secret"],
  ]
    .flat()
    .map((name) => [name, "https://ada:pw@proxy.example"]),
);

describe("a folder with its own provider", () => {
  let installation: Installation;
  afterEach(() => installation.close());

  test("is reviewed without a secret in the environment of the program that it brings", async () => {
    const emulator = createEmulator();
    const tenant = await emulator.listen();
    installation = await install(`
      resource "tenant_network_acl" "scanners" {
        description = "Scanners"
        priority    = 10
        rule {
          action { block = true }
          match { ipv4_cidrs = ["192.0.2.0/24"] }
          scope = "tenant"
        }
      }`);
    try {
      const { directory, terraform } = installation;
      const version = path.basename(executable).split("_v")[1]!;
      const plugins = path.join(directory, "terraform.d/plugins/registry.terraform.io/tenantform/tenant", version);
      const [platform] = await readdir(plugins);
      const program = path.join(plugins, platform!, path.basename(executable));
      await rename(program, `${program}.real`);
      await writeFile(program, `#!/bin/sh\nenv > "${folder}/seen"\nexec "$0.real" "$@"\n`);
      await chmod(program, 0o755);
      await rm(path.join(directory, ".terraform.lock.hcl"));
      expect((await terraform(["init"])).code).toBe(0);
      const env = {
        TENANT_ENDPOINT: tenant.url,
        TENANT_CLIENT_ID: emulator.clientId,
        TENANT_CLIENT_SECRET: emulator.clientSecret,
      };
      const planned = await terraform(["plan", "-out=plan"], env);
      expect([planned.code, planned.code === 0 ? "" : planned.stderr]).toEqual([0, ""]);
      expect(await readFile(path.join(folder, "seen"), "utf8")).toContain(emulator.clientSecret);
      await rm(path.join(folder, "seen"));

      const reviewed = await run(
        process.execPath,
        [cli, "review", path.join(directory, "plan"), "--format", "json", "--tenant"],
        { cwd: folder, env: { ...secrets, TENANT_DOMAIN: undefined, TENANT_CLIENT_PRIVATE_KEY: undefined, ...env } },
      );
      expect([reviewed.code, reviewed.code === 0 ? "" : reviewed.stderr]).toEqual([0, ""]);
      expect(reviewed.stdout).toContain("Scanners");
      const seen = await readFile(path.join(folder, "seen"), "utf8");
      expect(seen).not.toMatch(new RegExp(`ada:pw|${emulator.clientSecret}|${emulator.clientId}|TENANT_|_TOKEN`));
    } finally {
      await tenant.close();
    }
  });
});

describe("the program that shows a plan", () => {
  const shown = planText([
    change("tenant_network_acl.x", null, acl(1, { action: block, match: { asns: [1] } }, { description: "Shown" })),
  ]);
  /** Notes that it ran, says its version, and shows the plan. */
  const terraformIn = async (place: string, name = "terraform") => {
    await mkdir(place, { recursive: true });
    const script = `env > '${place}/ran'\n[ "$1" = version ] || cat '${folder}/shown.json'`;
    await writeFile(path.join(place, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const ran = (place: string) => existsSync(path.join(place, "ran"));
  const review = (file: string, env: NodeJS.ProcessEnv, cwd = folder) =>
    run(process.execPath, [cli, "review", file, "--format", "json"], { cwd, env });
  beforeEach(async () => {
    await mkdir(path.join(folder, "pr"));
    await writeFile(path.join(folder, "shown.json"), shown);
    await writeFile(path.join(folder, "pr/plan"), "PK\u0003\u0004 and so on");
  });
  const system = "/usr/bin:/bin";

  test("and the search for it get no variable that may hold a secret", async () => {
    await terraformIn(path.join(folder, "bin"));
    const kept = { LANG: "C", LC_ALL: "C", TMPDIR: folder, TF_DATA_DIR: ".tf", ASDF_DIR: "/opt/asdf" };
    const env = { ...secrets, ...kept, NODE_OPTIONS: "--no-warnings", TF_CLI_ARGS: "-x", TF_CLI_ARGS_show: "-x" };
    const { code } = await review("pr/plan", { ...env, PATH: `${folder}/bin:${system}` });
    expect(code).toBe(0);
    const names = variablesIn(await readFile(path.join(folder, "bin/ran"), "utf8"));
    // The shell adds three of its own.
    const own = ["PWD", "SHLVL", "_", "OLDPWD"];
    expect(names.filter((name) => !own.includes(name))).toEqual(
      ["CHECKPOINT_DISABLE", "HOME", "PATH", ...Object.keys(kept)].toSorted(),
    );
  });

  test.each(["", ".", "./", "..", "bin", "../pr"])(
    "is not looked for in the plan's folder by the PATH entry %j",
    async (entry) => {
      const own = path.join(folder, "own");
      await terraformIn(own);
      const traps = ["pr", "pr/bin", "bin", "."].map((place) => path.join(folder, place));
      for (const trap of traps) await terraformIn(trap);
      for (const cwd of [folder, path.join(folder, "pr")]) {
        const { code, stdout } = await review(path.join(folder, "pr/plan"), { PATH: `${entry}:${own}:${system}` }, cwd);
        expect([code, stdout]).toEqual([0, expect.stringContaining("Shown")]);
      }
      expect(ran(own)).toBe(true);
      expect(traps.filter(ran)).toEqual([]);
    },
  );

  test("starts no program of the plan's folder by a search path of its own", async () => {
    const own = path.join(folder, "own");
    await mkdir(own);
    await writeFile(
      path.join(own, "terraform"),
      `#!/bin/sh\nhelper\n[ "$1" = version ] || cat '${folder}/shown.json'\n`,
      {
        mode: 0o755,
      },
    );
    await terraformIn(path.join(folder, "pr"), "helper");
    expect((await review("pr/plan", { PATH: `:.:${own}:${system}` })).code).toBe(0);
    expect(ran(path.join(folder, "pr"))).toBe(false);
  });

  test("is found from the folder of the person who names it by a relative path", async () => {
    await terraformIn(path.join(folder, "own"));
    await terraformIn(path.join(folder, "pr/own"));
    const { code } = await review("pr/plan", { PATH: system, TENANTFORM_TERRAFORM: "own/terraform" });
    expect([code, ran(path.join(folder, "own")), ran(path.join(folder, "pr/own"))]).toEqual([0, true, false]);
  });

  test("reads the settings of the person who reviews, not of the plan's folder, by a relative TF_CLI_CONFIG_FILE", async () => {
    await terraformIn(path.join(folder, "bin"));
    await review("pr/plan", { PATH: `${folder}/bin:${system}`, TF_CLI_CONFIG_FILE: "ci.tfrc" });
    expect(await readFile(path.join(folder, "bin/ran"), "utf8")).toContain(`TF_CLI_CONFIG_FILE=${folder}/ci.tfrc\n`);
  });

  test("takes a plan named like an option for a file", async () => {
    await terraformIn(path.join(folder, "bin"));
    await cp(path.join(folder, "pr/plan"), path.join(folder, "pr/-help"));
    await writeFile(
      path.join(folder, "bin/terraform"),
      `#!/bin/sh\n[ "$1" = version ] || { [ -f "$4" ] && [ "$4" = ./-help ] && cat '${folder}/shown.json'; }\n`,
    );
    const { code, stdout } = await review("pr/-help", { PATH: `${folder}/bin:${system}` });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Shown")]);
  });
});
