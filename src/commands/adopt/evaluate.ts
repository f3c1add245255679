/** Runs a program in TypeScript in a process of its own. NODE_PATH has the packages of a stack that the project has not installed yet. */
import path from "node:path";

// Where Node loads TypeScript itself, it refuses enums.
delete require.extensions[".ts"];
require("sucrase/register/ts");

require(path.resolve(process.argv[2]!));
