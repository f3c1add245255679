/** `tenantform install --native` and `mirror --native` accept the zips that the release key signed, and nothing else. */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { version } from "../../src/version";
import { craft, type Part } from "../archive/support/zip";
import { run } from "../support/program";
import {
  checksums,
  digestOf,
  executable,
  here,
  linesOf,
  packaged,
  release,
  replaceZip,
  signature,
  signDigests,
  zipOf,
} from "./support/release";
import { filesOf, serving } from "./support/server";

let home: string;
let cli: string;
let folder: string;
let digests: Readonly<Record<string, string>>;
beforeEach(async () => {
  // The folder above it is checked too, so it must not be one that other programs use.
  home = path.join(await mkdtemp(path.join(os.tmpdir(), "tenantform-test-")), "home");
  await mkdir(home);
  cli = await packaged(home);
  ({ folder, digests } = await release(home, [here]));
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

test("accepts a folder and a server with files that the key signed", async () => {
  await accepted();
  await serving(createServer(filesOf(folder)), (port) => accepted(`http://127.0.0.1:${port}/`));
});

describe("refuses", () => {
  test("a zip and its checksum that were both replaced", async () => {
    const forged = Buffer.from("forged");
    await writeFile(at(zipOf(here)), forged);
    await writeFile(at(checksums), linesOf({ [zipOf(here)]: digestOf(forged) }));
    const why = /^The release key of this package did not sign \S+_SHA256SUMS: .*_SHA256SUMS\.sig does not match it\./;
    await refused(why);
    await refused(why, folder, ["mirror", "mirror"]);
    await serving(createServer(filesOf(folder)), (port) => refused(why, `http://127.0.0.1:${port}`));
  });

  test("checksums without a signature, or with one that is empty, broken, or by another key", async () => {
    const made = await readFile(at(signature));
    await rm(at(signature));
    await refused(/_SHA256SUMS\.sig does not exist: copy it from the release/);
    for (const content of [Buffer.alloc(0), made.subarray(1), Buffer.concat([made, made]), Buffer.from("garbled")]) {
      await writeFile(at(signature), content);
      await refused(/^The release key of this package did not sign /);
    }
    await signDigests(folder, linesOf(digests), generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey);
    await refused(/^The release key of this package did not sign /);
  });

  test("checksums of another version, although the key signed them", async () => {
    const older = zipOf(here).replace(version, "0.0.1");
    await signDigests(folder, linesOf({ [older]: digests[zipOf(here)]! }));
    await refused(new RegExp(`lists ${older}, which is not a file of version ${version}\\.`));
  });

  test("signed checksums that can be read in two ways", async () => {
    const line = linesOf(digests);
    const twice = linesOf({ [zipOf(here)]: digestOf(Buffer.from("other")) });
    for (const lines of [line + twice, `${line}note\n`, `\n${line}`, line.replace("  ", " *"), line.toUpperCase()]) {
      await signDigests(folder, lines);
      await refused(/has a line that is not a checksum, or two checksums for one file\./);
    }
    for (const name of [`../${zipOf(here)}`, `${zipOf(here)}\r`, `x/${zipOf(here)}`]) {
      await signDigests(folder, linesOf({ [name]: digests[zipOf(here)]! }));
      await refused(/has a line that is not a checksum/);
    }
    await signDigests(folder, line.slice(0, -1));
    await refused(/is incomplete: its last line does not end\./);
    await signDigests(folder, "");
    await refused(/is incomplete: its last line does not end\./);
  });

  test("signed checksums that differ from those of this package's release", async () => {
    await writeFile(path.join(home, "package/dist/SHA256SUMS"), linesOf(digests));
    await accepted();
    await rm(path.join(home, ".terraform.d"), { recursive: true });
    await replaceZip(folder, craft([{ name: executable, content: "from an earlier build" }]));
    await refused(/is signed, but differs from the copy in this package\./);
  });

  test("everything, when the package has no key, and says how to get one", async () => {
    await rm(path.join(home, "package/dist/release-key.pem"));
    await refused(
      /comes from no release, so there are no executables for it: .*release-key\.pem does not exist\. Run the command without --native/,
    );
  });

  test("a file that is too large for a release, without reading it", async () => {
    await truncate(at(checksums), 2 ** 33);
    await refused(/_SHA256SUMS is larger than 65536 bytes: it is not a file of a release\./);
    await signDigests(folder, linesOf(digests));
    await truncate(at(zipOf(here)), 2 ** 33);
    await refused(/\.zip is larger than 268435456 bytes: it is not a file of a release\./);
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
])("refuses a signed zip %s", async (_, zip, why) => {
  await replaceZip(folder, zip);
  await refused(why);
});
