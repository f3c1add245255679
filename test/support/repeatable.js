/** Chooses the seed of a run with TENANTFORM_SEED=fresh, one for all its tests, and names the command that repeats a failed test. */
const { randomInt } = require("node:crypto");
const { relative } = require("node:path");

const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const literal = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function commandFor(file, name) {
  const { TENANTFORM_SEED: seed } = process.env;
  const long = file.endsWith(".long.test.ts") ? " --testPathIgnorePatterns /node_modules/ --testPathPatterns" : "";
  return `${seed ? `TENANTFORM_SEED=${seed} ` : ""}npx jest${long} ${file} -t ${quoted(literal(name))}`;
}

module.exports = class {
  onRunStart() {
    if (process.env.TENANTFORM_SEED === "fresh") process.env.TENANTFORM_SEED = String(randomInt(1, 1_000_000_000));
    if (process.env.TENANTFORM_SEED)
      process.stderr.write(`This run uses TENANTFORM_SEED=${process.env.TENANTFORM_SEED}.\n`);
  }

  onTestResult({ path }, { testResults }) {
    for (const { status, fullName } of testResults) {
      if (status === "failed")
        process.stderr.write(`To repeat it: ${commandFor(relative(process.cwd(), path), fullName)}\n`);
    }
  }
};
