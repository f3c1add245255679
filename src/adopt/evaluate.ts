/** Runs a program in TypeScript in its own process. The project needs no package except this one. */
import childProcess from "node:child_process";
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";
import { transform } from "sucrase";

type Loader = (
  module: { readonly [compile in "_compile"]: (code: string, file: string) => void },
  file: string,
) => void;

/** Node has no public names for these functions, but every loader of TypeScript uses them. */
const extensions = Reflect.get(Module, "_extensions") as Record<string, Loader>;
const resolveFilename = Reflect.get(Module, "_resolveFilename") as (request: string, ...rest: unknown[]) => string;

/** Packages of a stack. This package has them or finds them if the project does not. */
const provided = /^(cdktf|cdktn|constructs|tenantform)(\/|$)/;

function prepare(): void {
  const load: Loader = (module, file) => {
    const { code } = transform(readFileSync(file, "utf8"), {
      transforms: ["typescript", "imports"],
      filePath: file,
      preserveDynamicImport: true,
    });
    module["_compile"](code, file);
  };
  for (const ending of [".ts", ".cts", ".mts"]) extensions[ending] = load;
  const own = createRequire(__filename);
  let isOwn = false;
  const resolve: typeof resolveFilename = (request, ...rest) => {
    try {
      return resolveFilename.call(Module, request, ...rest);
    } catch (error) {
      if (isOwn || !provided.test(request)) throw error;
    }
    // This calls the function again.
    isOwn = true;
    try {
      return own.resolve(request);
    } finally {
      isOwn = false;
    }
  };
  Reflect.set(Module, "_resolveFilename", resolve);
}

/** The CDK runs `terraform version` for each import, which takes minutes for a thousand imports. */
function askVersionOnce(): void {
  const ask = childProcess.execSync;
  const known = new Map<string, ReturnType<typeof ask>>();
  const once = (command: string, options?: Parameters<typeof ask>[1]) => {
    if (!command.endsWith(" version")) return ask(command, options);
    const output = known.get(command) ?? ask(command, options);
    known.set(command, output);
    return output;
  };
  Reflect.set(childProcess, "execSync", once);
}

const [, , program] = process.argv;
prepare();
askVersionOnce();
createRequire(path.resolve("_"))(path.resolve(program!));
