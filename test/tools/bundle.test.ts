/** The provider's bundle loads only code that a stack needs. */
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { directImports } from "../../src/tools/build/direct-imports";

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
