/** `npm run build:native [-- --target linux_arm64 … | all] [--runtime PATH]`: builds executables that need no Node. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { executableName, platformHere } from "../../install/product";
import { bundle, bundledResponses, dist, root, version, type Bundle } from "./bundle";
import { componentsOf, writeComponents } from "./components";
import { withoutSignature } from "./mach-o";
import { publishedRuntime, runtimeComponent, runtimes, sealRuntime } from "./runtimes";

const execute = promisify(execFile);

/** The executable reads no settings from Terraform's working directory. */
const closed = ["dotenv", "bunfig", "tsconfig", "package-json"].map((kind) => `--no-compile-autoload-${kind}`);

/** On Alpine, the build needs the runtime for musl, and its result the packages libstdc++ and libgcc. */
const here = () => `${platformHere()}${hasGnuLibrary() ? "" : "_musl"}`;

function hasGnuLibrary(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return process.platform !== "linux" || header.glibcVersionRuntime !== undefined;
}

/**
 * A provider runs for moments, so optimized code costs more than it saves. Plans and applies of 1 to 4,000 objects take a third
 * less processor time and 8 MB less with this threshold.
 */
const patientCompiler = "--compile-jit-policy=100";

async function compile(platform: string, { code, metafile }: Bundle, own?: string): Promise<string> {
  const outfile = path.join(dist, "native", platform, executableName(version, platform));
  await mkdir(path.dirname(outfile), { recursive: true });
  const compiler = await publishedRuntime(here());
  const runtime = own ?? (await publishedRuntime(platform));
  const target = `--target=${runtimes[platform]!.package}`;
  const flags = ["--compile", "--bytecode", "--format=cjs", patientCompiler, target, ...closed];
  // An empty directory and environment, so that no user configuration affects the executable.
  const cwd = await mkdtemp(path.join(os.tmpdir(), "native-"));
  try {
    await writeFile(path.join(cwd, "provider.js"), code);
    await sealRuntime(runtime, path.join(cwd, "runtime"));
    const inputs = ["--compile-executable-path", "runtime", "provider.js"];
    await execute(compiler, ["build", ...flags, ...inputs, "--outfile", outfile], { cwd, env: {} });
  } finally {
    await rm(cwd, { recursive: true });
  }
  if (platform === "darwin_amd64") await writeFile(outfile, withoutSignature(await readFile(outfile)));
  await writeComponents(path.dirname(outfile), [...componentsOf([metafile]), await runtimeComponent(platform, own)]);
  return outfile;
}

async function main(): Promise<void> {
  const { target, runtime } = parseArgs({
    options: { target: { type: "string", multiple: true, default: [here()] }, runtime: { type: "string" } },
  }).values;
  const targets = target.includes("all") ? Object.keys(runtimes) : target;
  const provider = await bundle("main.ts", { define: { bundledResponses: await bundledResponses() } });
  for (const platform of targets) {
    const outfile = await compile(platform, provider, runtime && path.resolve(runtime));
    process.stdout.write(`${path.relative(root, outfile)}\n`);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
