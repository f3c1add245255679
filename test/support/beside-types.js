/** `npm test`: the given program of tests, and beside it the compiler, whose errors stand last. Fails if either fails. */
const { spawn } = require("node:child_process");

const [, , runner, ...options] = process.argv;
const start = (program, args, stdio) => spawn(process.execPath, [require.resolve(program), ...args], { stdio });
const endOf = (child) => new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));

const compiler = start("typescript/bin/tsc", ["-p", "test"], ["ignore", "pipe", "inherit"]);
let errors = "";
compiler.stdout.on("data", (part) => (errors += part));
const tests = start(`${runner}/bin/${runner}`, options, "inherit");
void Promise.all([endOf(compiler), endOf(tests)]).then(([types, failed]) => {
  if (types !== 0) console.error(`${errors}\nThe types have errors. To check them again: npx tsc -p test`);
  process.exitCode = types || failed;
});
