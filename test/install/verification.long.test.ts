/** `tenantform install --native` and `mirror --native` accept the zips whose SHA-256 the package knows, and nothing else. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { version } from "../../src/version";
import { craft, type Part } from "../archive/support/zip";
import { run } from "../support/program";
import { executable, here, packaged, release, replaceZip, zipOf } from "./support/release";
import { filesOf, serving } from "./support/server";

let home: string;
let cli: string;
let folder: string;
beforeEach(async () => {
  // The folder above it is checked too, so it must not be one that other programs use.
  home = path.join(await mkdtemp(path.join(os.tmpdir(), "tenantform-test-")), "home");
  await mkdir(home);
  cli = await packaged(home);
  ({ folder } = await release(home, [here]));
});
afterEach(() => rm(path.dirname(home), { recursive: true }));

const call = (...args: string[]) => run(process.execPath, [cli, ...args], { cwd: home, env: { HOME: home } });

async function accepted(from = folder): Promise<void> {
  const { code, stderr } = await call("install", "--native", from);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

/** The command refuses, and writes nothing. */
async function refused(why: RegExp, from = folder, command = ["install"]): Promise<void> {
  const { code, stdout, stderr } = await call(...command, "--native", from);
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(why) });
  expect(await readdir(home)).not.toContain(".terraform.d");
  expect(await readdir(home)).not.toContain("mirror");
}

const own: Part = { name: executable, content: "#!/bin/sh\n" };
const at = (name: string) => path.join(folder, name);

test("accepts a folder and a server with the zips of the package's release", async () => {
  await accepted();
  await serving(createServer(filesOf(folder)), (port) => accepted(`http://127.0.0.1:${port}/`));
});

describe("refuses", () => {
  test("a zip that was replaced", async () => {
    await writeFile(at(zipOf(here)), "forged");
    const why = /is not the zip of the release: its SHA-256 is [0-9a-f]{64}, not /;
    await refused(why);
    await refused(why, folder, ["mirror", "mirror"]);
    await serving(createServer(filesOf(folder)), (port) => refused(why, `http://127.0.0.1:${port}`));
  });

  test("everything, when the package comes from no release, and says how to get one", async () => {
    await rm(path.join(home, "package/dist/SHA256SUMS"));
    await refused(
      /comes from no release, so there are no executables for it: .*SHA256SUMS does not exist\. Run the command without --native/,
    );
  });

  test("a file that is too large for a release, without reading it", async () => {
    await truncate(at(zipOf(here)), 2 ** 33);
    await refused(/\.zip is larger than 268435456 bytes, so it is not a file of a release\./);
  });
});

test("follows no link in place of a folder, and replaces a link in place of a file", async () => {
  await accepted();
  const place = path.join(home, ".terraform.d/plugins/registry.terraform.io/tenantform/tenant", version, here);
  const outside = path.join(home, "outside");
  await mkdir(outside);
  await writeFile(path.join(outside, "LICENSE"), "mine");
  await rm(path.join(place, "LICENSE"));
  await symlink(path.join(outside, "LICENSE"), path.join(place, "LICENSE"));
  await accepted();
  expect(await readFile(path.join(place, "LICENSE"), "utf8")).toBe("terms");
  await rm(place, { recursive: true });
  await symlink(outside, place, "junction");
  const { code, stderr } = await call("install", "--native", folder);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${place} is a symbolic link`) });
  expect(await readFile(path.join(outside, "LICENSE"), "utf8")).toBe("mine");
  expect(await readdir(outside)).toEqual(["LICENSE"]);
});

test.each<[string, Uint8Array, RegExp]>([
  [
    "with an entry above its folder",
    craft([own, { name: "../../x" }]),
    /entry "..\/..\/x" could lead out of the folder/,
  ],
  ["with a file that no release has", craft([own, { name: "terraform.tfvars" }]), /is not a file of a release/],
  ["without its executable", craft([{ name: "LICENSE" }]), /terraform-provider-tenant_v\S+ is missing/],
  ["that is not a zip", Buffer.from("<html>"), /_\w+\.zip was refused: it does not end with .* Nothing was written\./],
])("refuses a zip %s that the package knows", async (_, zip, why) => {
  await replaceZip(home, zip);
  await refused(why);
});
