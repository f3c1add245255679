/** The provider's bundle loads only code that a stack needs; an executable for macOS without its signature agrees with itself. */
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { directImports } from "../../src/tools/build/direct-imports";
import { withoutSignature } from "../../src/tools/build/mach-o";

type Inputs = Metafile["inputs"];

const root = path.join(__dirname, "../..");

/** The files of the provider, with imports as in its bundle. */
async function inputsOfProvider(): Promise<Inputs> {
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

/** The files that load together with this one. */
function loadedWith(file: string, inputs: Inputs, loaded = new Set<string>()): ReadonlySet<string> {
  loaded.add(file);
  for (const { path: imported, kind, external } of inputs[file]!.imports) {
    if (!external && kind !== "dynamic-import" && !loaded.has(imported)) loadedWith(imported, inputs, loaded);
  }
  return loaded;
}

test("loads no analysis of network ACLs for a stack of rate limit policies", async () => {
  const inputs = await inputsOfProvider();
  const roots = ["provider/tenant-calls.ts", "provider/resources/rate-limit-policy/service.ts", "tenant/tenant.ts"];
  const loaded = new Set(roots.flatMap((file) => [...loadedWith(path.posix.join("src", file), inputs)]));
  expect(loaded).toContain("src/provider/resources/rate-limit-policy/review.ts");
  const heavy = [
    /^src\/judge\/access\/(proof|region|space)\.ts$/,
    // The state of a tenant has ACLs too.
    /^src\/judge\/impact\/network-acl\/(?!acl\.ts)/,
    /^src\/judge\/impact\/statement\/(lockout|judge|requests)\.ts$/,
  ];
  expect([...loaded].filter((file) => heavy.some((pattern) => pattern.test(file)))).toEqual([]);
});

test("loads no analysis to check a network ACL without expectations", async () => {
  const loaded = loadedWith("src/provider/resources/network-acl/definition.ts", await inputsOfProvider());
  expect([...loaded].filter((file) => /^src\/judge\/access\/(proof|region|space)\.ts$/.test(file))).toEqual([]);
});

/** A header, the last segment, an optional signature, one more command, and 64 bytes. The signature is in the last 16. */
function executable(signed: boolean): Buffer {
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
  expect(withoutSignature(executable(true))).toEqual(executable(false));
});

test("leaves an executable without a signature unchanged", () => {
  expect(withoutSignature(executable(false))).toEqual(executable(false));
});
