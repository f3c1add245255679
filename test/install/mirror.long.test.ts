/** Uses the folder of `tenantform mirror` like a network without internet access: on disk, for one run, and from a web server. */
import { createServer } from "node:https";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createCertificate } from "../../src/emulator/http/server";
import { version } from "../../src/version";
import { run, succeed } from "../support/program";
import { blockIn, here, packaged, release, zipOf } from "./support/release";
import { filesOf, serving } from "./support/server";

const source = "registry.terraform.io/tenantform/tenant";

let home: string;
let project: string;
let versions: string;
let cli: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "tenantform-test-"));
  project = path.join(home, "project");
  versions = path.join(home, "mirror", source);
  await mkdir(project);
  cli = await packaged(home);
});
afterEach(() => rm(home, { recursive: true }));

const mirror = (...args: string[]) =>
  run(process.execPath, [cli, "mirror", "../mirror", ...args], {
    cwd: project,
    env: { HOME: home },
  });

/** Returns the output of a successful call. */
async function mirrored(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await mirror(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Fails if the provider is missing, differs from the hashes of the mirror, or does not start. */
async function use(printed: string, settings: string, env: NodeJS.ProcessEnv = {}, init: string[] = []): Promise<void> {
  await rm(path.join(project, ".terraform"), { recursive: true, force: true });
  await writeFile(path.join(project, "main.tf"), `${blockIn(printed, "terraform")}\n${policy}`);
  await writeFile(path.join(home, "settings"), settings);
  const terraform = (...args: string[]) =>
    succeed("terraform", [...args, "-no-color"], {
      cwd: project,
      env: { HOME: home, TF_CLI_CONFIG_FILE: path.join(home, "settings"), ...env },
    });
  await terraform("init", ...init);
  expect(await terraform("validate")).toContain("Success!");
}

const policy = `
resource "tenant_rate_limit_policy" "a" {
  consumer_selector = "default"
  configuration {
    action = "allow"
  }
}
`;

test("mirrors the script for every system", async () => {
  const printed = await mirrored();
  expect((await readdir(path.join(versions, version))).toSorted()).toEqual(
    ["darwin", "linux", "windows"].flatMap((system) => [`${system}_amd64`, `${system}_arm64`]),
  );
  await use(printed, blockIn(printed, "provider_installation"));
});

test("mirrors the zips of a release in place of the script, and keeps other versions", async () => {
  await mirrored();
  const older = path.join(versions, "terraform-provider-tenant_0.0.1_linux_amd64.zip");
  await writeFile(older, "");
  await writeFile(path.join(versions, "0.0.1.json"), "{}");
  const { folder, digests } = await release(home, [here, "windows_arm64"]);
  const printed = await mirrored("--native", folder);
  expect(printed).toContain("Kept, because --clean was not given: 0.0.1");
  expect(await readdir(versions)).toEqual(
    [
      `0.0.1.json`,
      `${version}.json`,
      "index.json",
      path.basename(older),
      zipOf(here),
      zipOf("windows_arm64"),
    ].toSorted(),
  );
  expect(JSON.parse(await readFile(path.join(versions, "index.json"), "utf8"))).toEqual({
    versions: { "0.0.1": {}, [version]: {} },
  });
  const { archives } = JSON.parse(await readFile(path.join(versions, `${version}.json`), "utf8"));
  expect(archives.windows_arm64.hashes).toContain(`zh:${digests[zipOf("windows_arm64")]}`);
  await use(printed, blockIn(printed, "provider_installation"));
  await use(printed, "", {}, [`-plugin-dir=${path.join(home, "mirror")}`]);

  expect(await mirrored("--clean")).toContain("Removed: 0.0.1");
  expect(await readdir(versions)).toEqual([version]);
});

test("serves a network mirror whose hashes Terraform accepts", async () => {
  const { folder } = await release(home, [here]);
  const printed = await mirrored("--native", folder, "--platform", here);
  const { ca, ...certificate } = createCertificate(Date.now(), []);
  await serving(createServer(certificate, filesOf(path.join(home, "mirror"))), async (port) => {
    const settings = `provider_installation {\n network_mirror {\n url = "https://localhost:${port}/"\n }\n}\n`;
    const authority = path.join(home, "authority.pem");
    await writeFile(authority, ca);
    await use(printed, settings, { SSL_CERT_FILE: authority });
    const lock = await readFile(path.join(project, ".terraform.lock.hcl"), "utf8");
    const { archives } = JSON.parse(await readFile(path.join(versions, `${version}.json`), "utf8"));
    expect(lock).toContain(archives[here].hashes[0]);
  });
});

describe("is refused, and leaves existing files unchanged,", () => {
  const before = async () => {
    const { folder } = await release(home, [here]);
    await mirrored();
    return folder;
  };
  const refused = async (why: RegExp, ...args: string[]) => {
    const { code, stdout, stderr } = await mirror(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(why);
    expect(await readdir(versions)).toEqual([version]);
  };

  test("when the zip or the folder is missing", async () => {
    const folder = await before();
    await refused(/^Version .* has no zip for plan9_mips/, "--native", folder, "--platform", "plan9_mips");
    await refused(/nowhere does not exist: name the folder/, "--native", path.join(home, "nowhere"));
    await rm(path.join(folder, zipOf(here)));
    await refused(new RegExp(`${zipOf(here)} does not exist: copy it from the release`), "--native", folder);
  });
});
