/** What Terraform is doing: the protocol does not tell, the command line of the process that has started this one does. */
import { readFileSync } from "node:fs";

export interface TerraformCommand {
  /** Such as `plan`; undefined where it cannot be told. */
  readonly name?: string;
  /** How many objects it asks about at a time. */
  readonly parallelism: number;
}

/** Of Terraform and OpenTofu, where nobody has said another. */
const usual = 10;

/** By the words of a command line, and by `TF_CLI_ARGS` and its like, which it goes before. */
export function commandIn(line: readonly string[], environment: Readonly<NodeJS.ProcessEnv> = {}): TerraformCommand {
  const name = line.slice(1).find((word) => /^[a-z]+$/.test(word));
  const inherited = ["TF_CLI_ARGS", `TF_CLI_ARGS_${name}`].flatMap((each) => environment[each]?.split(/\s+/) ?? []);
  return { name, parallelism: parallelismIn(line) ?? parallelismIn(inherited) ?? usual };
}

export function terraformCommand(): TerraformCommand {
  return commandIn(parentCommandLine(), process.env);
}

/** The last one counts, as for Terraform. */
function parallelismIn(words: readonly string[]): number | undefined {
  const told = words.flatMap((word, index) => {
    const [flag, value = words[index + 1]] = /^--?parallelism(?:=(.*))?$/s.exec(word) ?? [];
    return flag === undefined ? [] : [value];
  });
  const last = Number(told.at(-1));
  return Number.isSafeInteger(last) && last > 0 ? last : undefined;
}

function parentCommandLine(): string[] {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${process.ppid}/cmdline`, "utf8").split("\0");
    if (process.platform === "win32") return [];
    // Loaded where it is used alone: most systems tell without.
    const { execFileSync } = process.getBuiltinModule("node:child_process");
    return execFileSync("/bin/ps", ["-o", "args=", "-p", String(process.ppid)], { encoding: "utf8", env: {} }).split(
      /\s+/,
    );
  } catch {
    return [];
  }
}
