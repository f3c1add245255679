/**
 * Runs every shell block of README, docs and examples, and validates all of their HCL, with the named engines. Without a name, it
 * takes the `terraform` of this machine:
 *
 *   tsx test/examples/command-lines.ts [PROGRAM…]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { runPage, validateExamples, type Engine } from "./support/command-lines";
import type { Ended } from "../support/program";
import { root, shellBlocks } from "./support/shell-blocks";

function engineOf(program: string): Engine {
  const name = path.basename(program);
  if (name !== "terraform" && name !== "tofu") throw new Error(`${program} is neither terraform nor tofu.`);
  return { name, program };
}

const found = () => [execFileSync("which", ["terraform"], { encoding: "utf8" }).trim()];

function packedInto(folder: string): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" })) as [{ filename: string }];
  return path.join(folder, packed.filename);
}

/** Returns whether the step passed. */
async function step(name: string, run: () => Promise<Ended>): Promise<boolean> {
  const begun = process.hrtime.bigint();
  const { code, stdout, stderr } = await run();
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  console.log(`${name}: ${code === 0 ? "passed" : "FAILED"}, ${seconds.toFixed(1)} s`);
  if (code !== 0) console.log(`${stdout.slice(-3_000)}${stderr.slice(-3_000)}`);
  return code === 0;
}

async function main(): Promise<boolean> {
  const named = process.argv.slice(2);
  const engines = (named.length > 0 ? named : found()).map(engineOf);
  const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-package-"));
  const passed: boolean[] = [];
  try {
    const tarball = packedInto(folder);
    const blocks = shellBlocks();
    for (const engine of engines) {
      for (const page of new Set(blocks.map((block) => block.page))) {
        const own = blocks.filter((block) => block.page === page);
        passed.push(await step(`${engine.name} ${page}`, () => runPage(page, own, engine, tarball)));
      }
      passed.push(await step(`${engine.name} validates all HCL`, () => validateExamples(engine)));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return passed.every(Boolean);
}

void main().then((isFine) => {
  process.exitCode = isFine ? 0 : 1;
});
