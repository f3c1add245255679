/**
 * Applies the known harmless plans many times with Terraform or OpenTofu, on the embedded tenant that enforces its ACLs:
 *
 *   tsx test/resources/network-acl/engine-cases.ts TIMES [PROGRAM…]
 *
 * Each plan runs at -parallelism=1, 2 and 10. Fails if a write locks out, or if an apply ends otherwise than planned without an
 * error that says why. Uses the built provider.
 */
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { install, type Installation } from "../../support/installation";
import { cases, errorsIn, provider, terraform, type Case } from "./support/cases";
import { openTenant } from "./support/enforcing-tenant";

/** Whether the apply ended as planned. Throws if it ended otherwise without an expected error. */
async function isDone(one: Case, parallel: number, { directory, terraform: run }: Installation): Promise<boolean> {
  const { before = [], after, args = ["apply"], refused, always = false } = one;
  const { environment, lockouts, close } = await openTenant();
  const write = (stack: string) => writeFile(path.join(directory, "main.tf"), terraform + provider + stack);
  const apply = (words: readonly string[], more: readonly string[] = []) =>
    run([...words, "-auto-approve", ...more], environment);
  try {
    await rm(path.join(directory, "terraform.tfstate"), { force: true });
    for (const stack of before) {
      await write(stack);
      const { code, stderr } = await apply(["apply"]);
      if (code !== 0) throw new Error(`The first stack was not applied: ${stderr}`);
    }
    if (after !== undefined) await write(after);
    const { code, stderr } = await apply(args, [`-parallelism=${parallel}`]);
    const errors = errorsIn(stderr);
    const isExpected = code === 0 ? !always : errors.length > 0 && errors.every((words) => refused.test(words));
    if (!isExpected) throw new Error(`The apply ended with ${code}: ${stderr}`);
    const later = await run(
      ["plan", ...(args[0] === "destroy" ? ["-destroy"] : []), "-detailed-exitcode"],
      environment,
    );
    if (code === 0 && later.code !== 0) throw new Error(`The plan is not empty: ${later.stdout}${later.stderr}`);
    if (lockouts.length > 0) throw new Error(lockouts.join("\n"));
    return code === 0;
  } finally {
    await close();
  }
}

async function main([times = "20", ...programs]: readonly string[]): Promise<void> {
  for (const program of programs.length > 0 ? programs : ["terraform"]) {
    const installation = await install("", program);
    try {
      for (const [name, one] of Object.entries(cases)) {
        for (const parallel of [1, 2, 10]) {
          let done = 0;
          for (let run = 1; run <= Number(times); run++) {
            if (await isDone(one, parallel, installation)) done++;
          }
          const words = `${done} as planned, ${Number(times) - done} refused with the expected error`;
          process.stdout.write(`${program} -parallelism=${parallel}, an apply that ${name}: ${words}\n`);
        }
      }
    } finally {
      await installation.close();
    }
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
