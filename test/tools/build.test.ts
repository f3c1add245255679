/** The provider's bundle loads only what a stack needs; an executable for macOS without its signature; names and contents of a release. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { unzipSync } from "fflate";
import { executableName } from "../../src/commands/install/product";
import { directImports } from "../../src/tools/build/direct-imports";
import { withoutSignature } from "../../src/tools/build/mach-o";
import { checksumsOf, contentsOf, manifest, namesOf, notesOf, sha256, zipOf } from "../../src/tools/release/files";
import { newFolder, root } from "../support/folder";
import { succeed } from "../support/program";

type Inputs = Metafile["inputs"];

/** The files of the provider, with imports as in its bundle. */
async function readInputs(): Promise<Inputs> {
  const { metafile } = await build({
    entryPoints: [path.join(root, "src/provider/tenant-calls.ts")],
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    plugins: [directImports(path.join(root, "src/judge/access/access.ts"))],
  });
  return metafile.inputs;
}

let inputs: Inputs;
beforeAll(async () => void (inputs = await readInputs()));

/** The files that load together with this one. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  loaded.add(file);
  for (const { path: imported, kind, external } of inputs[file]!.imports) {
    if (!external && kind !== "dynamic-import" && !loaded.has(imported)) loadedWith(imported, loaded);
  }
  return loaded;
}

test("loads no analysis of network ACLs for a stack of rate limit policies", () => {
  const roots = ["provider/tenant-calls.ts", "provider/resources/rate-limit-policy/service.ts", "tenant/tenant.ts"];
  const loaded = new Set(roots.flatMap((file) => [...loadedWith(path.posix.join("src", file))]));
  expect(loaded).toContain("src/provider/resources/rate-limit-policy/review.ts");
  const heavy = [
    /^src\/judge\/access\/(proof|region|space)\.ts$/,
    // The state of a tenant has ACLs too, and a key is known by the rules that name it.
    /^src\/judge\/impact\/network-acl\/(?!(acl|keys|words)\.ts)/,
    /^src\/judge\/impact\/statement\/(lockout|judge|requests)\.ts$/,
  ];
  expect([...loaded].filter((file) => heavy.some((pattern) => pattern.test(file)))).toEqual([]);
});

test("loads no analysis to check a network ACL without expectations", () => {
  const loaded = loadedWith("src/provider/resources/network-acl/definition.ts");
  expect([...loaded].filter((file) => /^src\/judge\/access\/(proof|region|space)\.ts$/.test(file))).toEqual([]);
});

/** A header, the last segment, an optional signature, one more command, and 64 bytes. The signature is in the last 16. */
function machO(signed: boolean): Buffer {
  const segment = Buffer.alloc(72);
  segment.writeUInt32LE(0x19, 0);
  segment.writeUInt32LE(72, 4);
  segment.write("__LINKEDIT", 8);
  const signature = Buffer.alloc(16);
  signature.writeUInt32LE(0x1d, 0);
  signature.writeUInt32LE(16, 4);
  const other = Buffer.from("2a00000008000000", "hex");
  const commands = Buffer.concat(signed ? [segment, signature, other] : [segment, other]);
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0xfeedfacf, 0);
  header.writeUInt32LE(signed ? 3 : 2, 16);
  header.writeUInt32LE(commands.length, 20);
  // Data after the commands starts at the same place, signed or not.
  const room = Buffer.alloc(128 - commands.length);
  const content = Buffer.alloc(signed ? 64 : 48, 7);
  const file = Buffer.concat([header, commands, room, content]);
  file.writeBigUInt64LE(160n, 32 + 40);
  file.writeBigUInt64LE(BigInt(content.length), 32 + 48);
  if (signed) file.writeUInt32LE(160 + 48, 32 + 72 + 8);
  return file;
}

test("restores the executable without its signature", () => {
  expect(withoutSignature(machO(true))).toEqual(machO(false));
});

test("leaves an executable without a signature unchanged", () => {
  expect(withoutSignature(machO(false))).toEqual(machO(false));
});

describe("a release", () => {
  let folder: string;
  beforeEach(() => void (folder = newFolder()));

  test("names files as the registry expects them", () => {
    const { zip, checksums, signature, manifest: told } = namesOf("1.2.3");
    expect(zip("windows_arm64")).toBe("terraform-provider-tenant_1.2.3_windows_arm64.zip");
    expect(checksums).toBe("terraform-provider-tenant_1.2.3_SHA256SUMS");
    expect(signature).toBe(`${checksums}.sig`);
    expect(told).toBe("terraform-provider-tenant_1.2.3_manifest.json");
    expect(JSON.parse(manifest)).toEqual({ version: 1, metadata: { protocol_versions: ["6.0"] } });
  });

  test("writes checksums like sha256sum, in the order of names", () => {
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    expect(sha256("")).toBe(empty);
    expect(checksumsOf({ b: empty, a: "1" })).toBe(`1  a\n${empty}  b\n`);
  });

  /** Mode and time of each file in the directory at the end of a zip. */
  function directoryOf(zip: Uint8Array): Record<string, { mode: number; time: number }> {
    const bytes = Buffer.from(zip);
    const found: Record<string, { mode: number; time: number }> = {};
    for (let at = bytes.indexOf("PK\x01\x02"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 4)) {
      const name = bytes.toString("utf8", at + 46, at + 46 + bytes.readUInt16LE(at + 28));
      found[name] = { mode: bytes.readUInt16LE(at + 40), time: bytes.readUInt32LE(at + 12) };
    }
    return found;
  }

  describe("a zip", () => {
    const text = (content: string, executable = false) => ({ content: Buffer.from(content), executable });

    test("has files with their modes, dated at the format's first day", () => {
      const zip = zipOf({ b: text("two", true), "a/c": text("three") });
      const contents = Object.entries(unzipSync(zip)).map(([name, content]) => [name, Buffer.from(content).toString()]);
      expect(contents).toEqual([
        ["a/c", "three"],
        ["b", "two"],
      ]);
      const time = 0x00216000;
      expect(directoryOf(zip)).toEqual({ "a/c": { mode: 0o100644, time }, b: { mode: 0o100755, time } });
    });

    test("has the same bytes for the same files, in any order, time zone and hour", async () => {
      const one = zipOf({ a: text("1"), b: text("2".repeat(10_000), true) });
      expect(zipOf({ b: text("2".repeat(10_000), true), a: text("1") })).toEqual(one);
      const program = `
      const { zipOf } = require(${JSON.stringify(path.join(root, "src/tools/release/files.ts"))});
      process.stdout.write(Buffer.from(zipOf({
        a: { content: Buffer.from("1"), executable: false },
        b: { content: Buffer.from("2".repeat(10000)), executable: true },
      })).toString("base64"));`;
      const args = ["--require", require.resolve("tsx/cjs"), "--eval", program];
      const elsewhere = await succeed(process.execPath, args, { cwd: folder, env: { TZ: "Pacific/Kiritimati" } });
      expect(elsewhere).toBe(Buffer.from(one).toString("base64"));
    });
  });

  test("makes only the executable in a zip executable, and not its texts", async () => {
    const executable = executableName("1.2.3", "windows_amd64");
    for (const name of [executable, "THIRD_PARTY_LICENSES", "sbom.cdx.json"])
      writeFileSync(path.join(folder, name), name);
    const files = await contentsOf(executable, { native: folder, licence: path.join(root, "LICENSE") });
    const marks = Object.entries(files).map(([name, one]) => [name, one.executable]);
    expect(Object.fromEntries(marks)).toEqual({
      LICENSE: false,
      THIRD_PARTY_LICENSES: false,
      "sbom.cdx.json": false,
      "terraform-provider-tenant_v1.2.3.exe": true,
    });
  });

  test("has the notes of a version with a date in the change log", () => {
    const changes = "# Changes\n\n## 1.2.3, 2026-01-31\n\n- New.\n\n## 1.2.2, not released yet\n\n- Old.\n";
    expect(["1.2.3", "1.2.2", "1.2"].map((version) => notesOf(changes, version))).toEqual([
      "- New.",
      undefined,
      undefined,
    ]);
  });
});
