/** Saved plans: which Terraform shows them, without a secret in its environment. */
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as hcl from "../support/hcl";
import { executable, install } from "../support/installation";
import { run } from "../support/program";
import { listeningTenant } from "../support/tenant";
import { acl, block } from "./support/objects";
import { change, planText } from "./support/plan";

const cli = path.join(__dirname, "../../dist/cli.js");

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(os.tmpdir(), "tenantform-saved-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const inFolder = (name: string) => path.join(folder, name);
const write = async (files: Readonly<Record<string, string | Buffer>>) => {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(inFolder(name)), { recursive: true });
    await writeFile(inFolder(name), content);
  }
};
const shown = planText([
  change("tenant_network_acl.x", null, acl(1, { action: block, match: { asns: [1] } }, { description: "Shown" })),
]);
/** Notes that it ran, says its version, and shows the plan. */
const terraformAt = async (place: string, name = "terraform", more = "") => {
  await write({ "shown.json": shown });
  await mkdir(place, { recursive: true });
  const script = `env > '${place}/ran'\n${more}\n[ "$1" = version ] && exec echo Terraform v1.11.4\ncat '${folder}/shown.json'`;
  await writeFile(path.join(place, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
};
const ran = (place: string) => existsSync(path.join(place, "ran"));
const review = (args: readonly string[], env: NodeJS.ProcessEnv, cwd = folder, command = "review") =>
  run(process.execPath, [cli, command, ...args], { cwd, env });

const secrets: NodeJS.ProcessEnv = Object.fromEntries(
  [
    "TENANT_CLIENT_SECRET TENANT_CLIENT_ID TENANT_DOMAIN TENANT_CLIENT_PRIVATE_KEY AUTH0_CLIENT_SECRET AUTH0_DOMAIN",
    "GITHUB_TOKEN GH_TOKEN GITHUB_ENV GITLAB_TOKEN CI_JOB_TOKEN CI_REGISTRY_PASSWORD ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_URL AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_PROFILE ARM_CLIENT_SECRET",
    "GOOGLE_APPLICATION_CREDENTIALS TF_TOKEN_app_terraform_io TF_VAR_pin TF_HTTP_PASSWORD TF_ENCRYPTION NPM_TOKEN",
    "npm_config__auth DATABASE_URL PGPASSWORD SSH_AUTH_SOCK MISE_GITHUB_TOKEN TFENV_REMOTE HTTPS_PROXY https_proxy",
    "SOME_NAME tenant_client_secret",
  ]
    .flatMap((line) => line.split(" "))
    .map((name) => [name, "https://ada:pw@proxy.example"]),
);

test("a folder with its own provider is reviewed without a secret in the environment of the program that it brings", async () => {
  const tenant = await listeningTenant();
  const { directory, terraform, close } = await install(
    hcl.acl("scanners", { action: "block", match: 'ipv4_cidrs = ["192.0.2.0/24"]', description: "Scanners" }),
  );
  try {
    const version = path.basename(executable).split("_v")[1]!;
    const plugins = path.join(directory, "terraform.d/plugins/registry.terraform.io/tenantform/tenant", version);
    const [platform] = await readdir(plugins);
    const program = path.join(plugins, platform!, path.basename(executable));
    await rename(program, `${program}.real`);
    await writeFile(program, `#!/bin/sh\nenv > "${folder}/seen"\nexec "$0.real" "$@"\n`);
    await chmod(program, 0o755);
    await rm(path.join(directory, ".terraform.lock.hcl"));
    expect((await terraform(["init"])).code).toBe(0);
    const { env } = tenant;
    const { clientId, clientSecret } = tenant.emulator;
    expect((await terraform(["plan", "-out=plan"], env)).code).toBe(0);
    expect(await readFile(inFolder("seen"), "utf8")).toContain(clientSecret);
    await rm(inFolder("seen"));
    const reviewed = await review([path.join(directory, "plan"), "--format", "json", "--tenant"], {
      ...secrets,
      TENANT_DOMAIN: undefined,
      TENANT_CLIENT_PRIVATE_KEY: undefined,
      ...env,
    });
    expect([reviewed.code, reviewed.code === 0 ? "" : reviewed.stderr]).toEqual([0, ""]);
    expect(reviewed.stdout).toContain("Scanners");
    const seen = await readFile(inFolder("seen"), "utf8");
    expect(seen).not.toMatch(new RegExp(`ada:pw|${clientSecret}|${clientId}|TENANT_|_TOKEN`));
  } finally {
    await Promise.all([tenant.close(), close()]);
  }
});

describe("the program that shows a plan", () => {
  const system = "/usr/bin:/bin";
  beforeEach(() => write({ "pr/plan": "PK\u0003\u0004 and so on" }));

  test("and the search for it get no variable that may hold a secret", async () => {
    await terraformAt(inFolder("bin"));
    const kept = { LANG: "C", LC_ALL: "C", TMPDIR: folder, TF_DATA_DIR: ".tf", ASDF_DIR: "/opt/asdf" };
    const env = { ...secrets, ...kept, NODE_OPTIONS: "--no-warnings", TF_CLI_ARGS: "-x", TF_CLI_ARGS_show: "-x" };
    const { code } = await review(["pr/plan"], {
      ...env,
      TF_CLI_CONFIG_FILE: "ci.tfrc",
      PATH: `${folder}/bin:${system}`,
    });
    expect(code).toBe(0);
    const lines = (await readFile(inFolder("bin/ran"), "utf8")).split("\n");
    // The settings of the person who reviews, not of the plan's folder.
    expect(lines).toContain(`TF_CLI_CONFIG_FILE=${folder}/ci.tfrc`);
    const names = lines.flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []).toSorted();
    // The shell adds some of its own.
    expect(names.filter((name) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name))).toEqual(
      ["CHECKPOINT_DISABLE", "HOME", "PATH", "TF_CLI_CONFIG_FILE", ...Object.keys(kept)].toSorted(),
    );
  });

  test.each(["", ".", "./", "..", "bin", "../pr"])(
    "is not looked for in the plan's folder by the PATH entry %j",
    async (entry) => {
      const own = inFolder("own");
      const traps = ["pr", "pr/bin", "bin", "."].map(inFolder);
      // Nor does it start a program of that folder by a search path of its own.
      await terraformAt(own, "terraform", "helper");
      for (const trap of traps) await terraformAt(trap);
      await terraformAt(inFolder("pr"), "helper");
      for (const cwd of [folder, inFolder("pr")]) {
        const { code, stdout } = await review([inFolder("pr/plan")], { PATH: `${entry}:${own}:${system}` }, cwd);
        expect([code, stdout]).toEqual([0, expect.stringContaining("Shown")]);
      }
      expect([ran(own), traps.filter(ran)]).toEqual([true, []]);
    },
  );

  test("is found from the folder of the person who names it by a relative path", async () => {
    await terraformAt(inFolder("own"));
    await terraformAt(inFolder("pr/own"));
    const { code } = await review(["pr/plan"], { PATH: system, TENANTFORM_TERRAFORM: "own/terraform" });
    expect([code, ran(inFolder("own")), ran(inFolder("pr/own"))]).toEqual([0, true, false]);
  });

  test.each<[string, string, RegExp]>([
    ["half a gigabyte", "exec head -c 536870912 /dev/zero", /is larger than 128 MB: .*\n$/],
    ["an error", "echo 'Error: no provider. See there.' >&2; exit 1", /says: Error: no provider\. Give .*\n$/],
  ])("ends the command with 2 and one line if it shows %s", async (_what, script, said) => {
    await terraformAt(inFolder("bin"), "terraform", `[ "$1" = version ] || { ${script}; }`);
    const { code, stdout, stderr } = await review(["pr/plan"], { TENANTFORM_TERRAFORM: inFolder("bin/terraform") });
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(said)]);
  });

  test("takes a plan named like an option for a file", async () => {
    await terraformAt(
      inFolder("bin"),
      "terraform",
      '[ "$1" = version ] || [ -f "$4" ] && [ "$4" = ./-help ] || [ "$1" = version ] || exit 1',
    );
    await cp(inFolder("pr/plan"), inFolder("pr/-help"));
    const { code, stdout } = await review(["pr/-help"], { PATH: `${folder}/bin:${system}` });
    expect([code, stdout]).toEqual([0, expect.stringContaining("Shown")]);
  });
});
