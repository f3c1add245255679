/** Reads what Terraform does from the command line of the parent process. */
import { readFileSync } from "node:fs";

export interface TerraformCommand {
  /** Such as `plan`; undefined if the system does not tell. */
  readonly name?: string | undefined;
  /** The number of calls that Terraform makes at a time; undefined if the name is. */
  readonly parallelism?: number | undefined;
}

/** The default of Terraform and OpenTofu. */
const standard = 10;

export function terraformCommand(): TerraformCommand {
  return commandIn(parentCommandLine(), process.env);
}

/** The command line overrides `TF_CLI_ARGS` and its like. */
export function commandIn(line: readonly string[], environment: Readonly<NodeJS.ProcessEnv> = {}): TerraformCommand {
  const name = line.slice(1).find((word) => /^[a-z]+$/.test(word));
  if (name === undefined) return {};
  const inherited = ["TF_CLI_ARGS", `TF_CLI_ARGS_${name}`].flatMap((each) => environment[each]?.split(/\s+/) ?? []);
  return { name, parallelism: parallelismIn(line) ?? parallelismIn(inherited) ?? standard };
}

/** Terraform uses the last one. */
function parallelismIn(words: readonly string[]): number | undefined {
  const values = words.flatMap((word, index) => {
    const [flag, value = words[index + 1]] = /^--?parallelism(?:=(.*))?$/s.exec(word) ?? [];
    return flag === undefined ? [] : [value];
  });
  const last = Number(values.at(-1));
  return Number.isSafeInteger(last) && last > 0 ? last : undefined;
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
