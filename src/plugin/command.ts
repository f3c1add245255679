/** Reads the subcommand of Terraform, such as `plan`, from the command line of the parent process. */
import { readFileSync } from "node:fs";

/** Undefined if the system does not tell. So it may only decide what a plan looks up, never what it refuses. */
export function terraformCommand(): string | undefined {
  return commandIn(parentCommandLine());
}

export function commandIn(line: readonly string[]): string | undefined {
  return line.slice(1).find((word) => /^[a-z]+$/.test(word));
}

function parentCommandLine(): string[] {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${process.ppid}/cmdline`, "utf8").split("\0");
    if (process.platform === "win32") return [];
    // Linux does not need this module, and a start is measured in milliseconds.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    const args = ["-o", "args=", "-p", String(process.ppid)];
    return execFileSync("/bin/ps", args, { encoding: "utf8", env: {} }).split(/\s+/);
  } catch {
    return [];
  }
}
