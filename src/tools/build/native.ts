/** `npm run build:native [-- --target linux_arm64 … | all] [--runtime PATH]`: builds executables that need no Node. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import type { Plugin } from "esbuild";
import { executableName, platformHere } from "../../commands/install/product";
import { bundle, bundledResponses, dist, root, version, type Bundle } from "./bundle";
import { componentsOf, licenceText, writeComponents, type Component } from "./components";
import { withoutSignature } from "./mach-o";

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

async function compile(platform: string, code: string, bundles: readonly Bundle[], own?: string): Promise<string> {
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
  await writeComponents(path.dirname(outfile), [
    ...componentsOf(bundles.map(({ metafile }) => metafile)),
    await runtimeComponent(platform, own),
  ]);
  return outfile;
}

/**
 * The bundle in place of the file. Otherwise the start would make all functions of the modules that are loaded later, which takes 5 ms in
 * each process, also in one that only responds with the schema.
 */
const moduleOf = ({ code }: Bundle, filter: RegExp): Plugin => ({
  name: "loaded later",
  setup: ({ onLoad }) => onLoad({ filter }, () => ({ contents: code, loader: "js" })),
});

async function main(): Promise<void> {
  const { target, runtime } = parseArgs({
    options: { target: { type: "string", multiple: true, default: [here()] }, runtime: { type: "string" } },
  }).values;
  const targets = target.includes("all") ? Object.keys(runtimes) : target;
  const calls = await bundle("provider/tenant-calls.ts");
  const provider = await bundle("provider/main.ts", {
    define: { bundledResponses: await bundledResponses() },
    plugins: [moduleOf(calls, /[\\/]provider[\\/]tenant-calls\.ts$/)],
  });
  for (const platform of targets) {
    const outfile = await compile(platform, provider.code, [provider, calls], runtime && path.resolve(runtime));
    process.stdout.write(`${path.relative(root, outfile)}\n`);
  }
}

// The pinned Bun runtimes, downloaded from npm on demand.

const runtimeVersion = "1.4.5";

interface Runtime {
  /** Name on npm, below @oven. */
  readonly package: string;
  readonly integrity: string;
}

/** By Terraform's platform. For amd64, the runtime that every such processor can run. */
const runtimes: Readonly<Record<string, Runtime>> = {
  linux_amd64: {
    package: "bun-linux-x64-baseline",
    integrity: "sha512-s8yMwYcFnnrA178gji0gZbkE2WVDej/Ti1x770oPfihxyRxSMNhGhiAQNXV53aDeraZxksdvKV/RAdQBCd0qPA==",
  },
  linux_arm64: {
    package: "bun-linux-aarch64",
    integrity: "sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
  },
  linux_amd64_musl: {
    package: "bun-linux-x64-musl-baseline",
    integrity: "sha512-cWJhU8h0+MiUgpSt99sQhjxLIIosKEcKYdtKddohokUvAuN6jKOy7g7+QDTZTXtwHxz93wL3BX+L6wXVPDUH3A==",
  },
  linux_arm64_musl: {
    package: "bun-linux-aarch64-musl",
    integrity: "sha512-XCNc+WvvMAdNNb+OWTogpy+N9wm62fkVeEVLb6how0RZhW5LPi6c7BlkeVCuWps7XjEl2saFpHFa20/1E+PAHg==",
  },
  darwin_amd64: {
    package: "bun-darwin-x64-baseline",
    integrity: "sha512-zqfLA5A4B+hYMh5WYzYSot3uZ06FzhdP0OEwQisEzdirYtXGj5cQFlfy31BGfNsAsk1Gd/w/OxJ/jqqJ3cMclw==",
  },
  darwin_arm64: {
    package: "bun-darwin-aarch64",
    integrity: "sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==",
  },
  windows_amd64: {
    package: "bun-windows-x64-baseline",
    integrity: "sha512-/U3Dc74uGqE6EUqef7mPtg9KwJs7iJH4JHRMfIZIn18MrJh6Xz4gVvWDXRvzCL2j8wPlTnJVyrO4n7Qq4uM7TQ==",
  },
  windows_arm64: {
    package: "bun-windows-aarch64",
    integrity: "sha512-MiPFZnBNDnBXgr1oONc5pizC4fOLjnIOfNkYdFEnWzLmoFTg86naZIG3SvS7d/GglpQSAnCKMAzSjI/TAckiRw==",
  },
};

/**
 * Each of these variables would turn the executable into something else: Bun itself, a debugger, or a program with other options.
 * Bun has no switch against them, so the build overwrites their names with NUL bytes.
 */
const sealed = ["BUN_BE_BUN", "BUN_OPTIONS", "BUN_INSPECT"];

const store = path.join(root, "node_modules/.cache/tenantform/runtimes");

/** Path of the published runtime, which is also the compiler. Downloads the runtime if necessary. */
async function publishedRuntime(platform: string): Promise<string> {
  const runtime = runtimes[platform];
  if (!runtime)
    throw new Error(`there is no runtime for ${platform}; there is one for ${Object.keys(runtimes).join(", ")}`);
  const place = path.join(store, `${runtime.package}-${runtimeVersion}`);
  if (!existsSync(place)) await fetchRuntime(runtime, place);
  return path.join(place, "package/bin", platform.startsWith("windows") ? "bun.exe" : "bun");
}

/** The runtime as a component of the executable. */
async function runtimeComponent(platform: string, own?: string): Promise<Component> {
  const { package: name, integrity } = runtimes[platform]!;
  return {
    name: `@oven/${name}`,
    version: runtimeVersion,
    licence: "MIT AND LGPL-2.1-or-later",
    text: [licenceText("runtime").replaceAll("@version@", runtimeVersion), licenceText("LGPL-2.1")].join("\n\n"),
    integrity: own ? integrityOf(await readFile(own)) : integrity,
  };
}

/** Writes the runtime without the sealed variables to `file`. */
async function sealRuntime(published: string, file: string): Promise<void> {
  const runtime = await readFile(published);
  for (const variable of sealed) {
    let at = runtime.indexOf(variable);
    if (at < 0) throw new Error(`${published} does not contain ${variable}: look for its new name`);
    for (; at >= 0; at = runtime.indexOf(variable, at)) runtime[at] = 0;
  }
  await writeFile(file, runtime, { mode: 0o755 });
}

/** Unpacks only an archive with the pinned digest, and moves it to its place in one step. */
async function fetchRuntime({ package: name, integrity }: Runtime, place: string): Promise<void> {
  await mkdir(store, { recursive: true });
  const part = await mkdtemp(path.join(store, "part-"));
  try {
    const npm = ["pack", `@oven/${name}@${runtimeVersion}`, "--json", "--pack-destination", part];
    const { stdout } = await execute("npm", npm, { shell: process.platform === "win32" });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const archive = path.join(part, path.basename(filename.replace("/", "-").replace("@", "")));
    const found = integrityOf(await readFile(archive));
    if (found !== integrity)
      throw new Error(`@oven/${name}@${runtimeVersion} is ${found}, not ${integrity} as it should be`);
    await execute("tar", ["-xzf", archive, "-C", part]);
    await rm(archive);
    await rename(part, place);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

const integrityOf = (content: Buffer) => `sha512-${createHash("sha512").update(content).digest("base64")}`;

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
