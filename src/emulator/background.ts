/** Keeps one embedded tenant for a file running, beyond the command that asks for it: for `embeddedTenant()` of the constructs. */
import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseEnv } from "node:util";
import { flags } from "./auth/scope";

/** A person may think for a while before they approve an apply. */
const idleMinutes = "60";

/** Starts a tenant unless that of the file answers, and prints the variables in the file. `program`: the command line of this package. */
export async function background(file: string, program: string): Promise<void> {
  const found = await readFile(file, "utf8").catch(() => "");
  if (!(await answers(parseEnv(found)))) await begin(path.resolve(file), program);
  process.stdout.write(await readFile(file, "utf8"));
}

/** Another program may listen at the address now. */
async function answers({ TENANT_ENDPOINT: url, ...env }: NodeJS.Dict<string>): Promise<boolean> {
  if (url === undefined) return false;
  const grant = { grant_type: "client_credentials", audience: `${url}/api/v2/` };
  const client = { client_id: env.TENANT_CLIENT_ID, client_secret: env.TENANT_CLIENT_SECRET };
  const response = await fetch(`${url}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...grant, ...client }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
  return response?.ok === true;
}

/** Resolves when the tenant has written the file, and rejects with what it said if it ends before. */
async function begin(file: string, program: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const features = flags.flatMap((flag) => ["--flag", flag]);
  const args = [program, "emulate", "--quiet", "--detach", "--idle", idleMinutes, "--write-env", file, ...features];
  // Not in the folder of the command, which would otherwise stay in use.
  const child = spawn(process.execPath, args, {
    cwd: path.dirname(file),
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  child.unref();
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (/^# to stop it/m.test(said)) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`The embedded tenant did not start: ${said.trim()}`)));
  });
  child.removeAllListeners("exit");
  child.stderr.destroy();
}
