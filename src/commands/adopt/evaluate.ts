/** Runs a program in TypeScript in a process of its own. NODE_PATH has the packages of a stack that the project has not installed yet. */
import Module from "node:module";
import path from "node:path";

// From a clone, this package is in no folder of packages, but it finds itself.
const resolver = "_resolveFilename";
const loader = Module as unknown as { [resolver](request: string, ...from: unknown[]): string };
const resolve = loader[resolver];
loader[resolver] = (request, ...from) => {
  try {
    return resolve(request, ...from);
  } catch (error) {
    if (/^tenantform(?:\/|$)/.test(request)) return require.resolve(request);
    throw error;
  }
};

// Where Node loads TypeScript itself, it refuses enums.
delete require.extensions[".ts"];
require("sucrase/register/ts");

require(path.resolve(process.argv[2]!));
