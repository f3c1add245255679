/** Reads what Terraform does from the command line of the parent process. */
import { readFileSync } from "node:fs";

export interface TerraformCommand {
  /** Such as `plan`; undefined if the system does not tell. */
  readonly name?: string | undefined;
  /** The number of calls that Terraform makes at a time; undefined if the name is. */
  readonly parallelism?: number | undefined;
  /** The saved plan that Terraform applies. */
  readonly planFile?: string | undefined;
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
  const planFile = name === "apply" ? planFileIn(line) : undefined;
  return { name, parallelism: parallelismIn(line) ?? parallelismIn(inherited) ?? standard, planFile };
}

/** Terraform takes one file, after the options. The last word may also be the value of an option, so the file may not exist. */
function planFileIn(line: readonly string[]): string | undefined {
  const last = line.findLast((word) => word !== "" && !word.startsWith("-"));
  return last === "apply" ? undefined : last;
}

/** Whether each configured process of this run sends an API call: it reads, creates or changes objects. */
export function sendsCalls(line: readonly string[] = parentCommandLine(), environment = process.env): boolean {
  const words = [line, [environment.TF_CLI_ARGS ?? "", environment.TF_CLI_ARGS_apply ?? ""]].flat().join(" ");
  // A destroy has a process that only plans.
  return commandIn(line).name === "apply" && !/(^|\s)--?(destroy|refresh=)/.test(words);
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

/** Identifies the parent process: its id, and when it started. Undefined if the system does not tell. */
export function parentProcess(): string | undefined {
  const { ppid, platform } = process;
  try {
    if (platform === "win32") return undefined;
    if (platform !== "linux") return `${ppid} ${psOfParent("lstart=").trim()}`;
    // The name of the program comes second, in parentheses, and may have spaces and parentheses. The 22nd field is the start.
    const fields = readFileSync(`/proc/${ppid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ");
    return fields[19] && `${ppid} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function parentCommandLine(): string[] {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${process.ppid}/cmdline`, "utf8").split("\0");
    if (process.platform === "win32") return [];
    return psOfParent("args=").split(/\s+/);
  } catch {
    return [];
  }
}

function psOfParent(column: string): string {
  // Linux does not need this module, and a start is measured in milliseconds.
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  return execFileSync("/bin/ps", ["-o", column, "-p", String(process.ppid)], { encoding: "utf8", env: {} });
}
