/** fast-check with the seed of the run. A failure names the command that repeats it. */
import fc from "fast-check";
import { relative } from "node:path";
import { seed } from "./seed";

fc.configureGlobal({ seed, reporter: report });

function report(details: fc.RunDetails<unknown>): void {
  const message = fc.defaultReportMessage(details);
  if (message === undefined) return;
  const { testPath, currentTestName = "" } = expect.getState();
  const file = testPath === undefined ? "" : ` ${relative(process.cwd(), testPath)}`;
  const long = file.includes(".long.") ? " --testPathIgnorePatterns /node_modules/ --testPathPatterns" : "";
  const command = `TENANTFORM_SEED=${details.seed} npx jest${long}${file} -t ${JSON.stringify(currentTestName)}`;
  throw new Error(`${message}\n\nTo repeat it: ${command}`, { cause: details.errorInstance });
}

export default fc;
