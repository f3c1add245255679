/** Selects the few environment variables for a program that comes from a reviewed folder or needs no secret. */
import path from "node:path";

/** Names in upper case, because Windows ignores the case. */
const passed: readonly RegExp[] = [
  /^(HOME|USER|LOGNAME|SHELL|TMPDIR|TMP|TEMP|LANG|LANGUAGE|TZ|TERM|NO_COLOR)$/,
  /^LC_[A-Z]+$/,
  /^XDG_(CACHE|CONFIG|DATA|STATE)_HOME$/,
  // Windows starts no program without these.
  /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA)$/,
  /^PROGRAMFILES(\(X86\))?$/,
  // Where Terraform finds its settings and its providers.
  /^(TF_CLI_CONFIG_FILE|TERRAFORM_CONFIG|TF_DATA_DIR|TF_REATTACH_PROVIDERS)$/,
  // Version managers, which start Terraform, or the Node that runs the provider.
  /^(TFENV|TOFUENV|TENV|ASDF|MISE|VOLTA|NODENV)_[A-Z_]+$/,
  // Libraries of systems that keep them in a place of their own.
  /^(LD_LIBRARY_PATH|NIX_LD|NIX_LD_LIBRARY_PATH)$/,
];

/** Files of the person who starts the review, so not relative to the folder with the plan. */
const settings: ReadonlySet<string> = new Set(["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG"]);

/** A version manager has variables for tokens as well. */
const secret = /TOKEN|SECRET|PASS|KEY|CREDENTIAL|AUTH|REMOTE/;

export function programEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).flatMap(([variable, value]) => {
    const name = variable.toUpperCase();
    if (!value || !passed.some((pattern) => pattern.test(name)) || secret.test(name)) return [];
    return [[variable, settings.has(name) ? path.resolve(value) : value]];
  });
  return { ...Object.fromEntries(kept), PATH: searchPath(environment).join(path.delimiter), CHECKPOINT_DISABLE: "1" };
}

/** The same environment with a search path that names no program in the working directory. */
export function withSearchPath(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => name.toUpperCase() !== "PATH");
  return { ...Object.fromEntries(others), PATH: searchPath(environment).join(path.delimiter) };
}

/** Absolute folders only: an empty or relative entry depends on the working directory. */
export function searchPath(environment: NodeJS.ProcessEnv): string[] {
  const [, folders = ""] = Object.entries(environment).find(([name]) => name.toUpperCase() === "PATH") ?? [];
  return folders.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
