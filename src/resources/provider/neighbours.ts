/** Other processes that one run of Terraform has started for the same tenant: it starts one for each provider configuration. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Neighbours {
  /** Whether another process works for the tenant, or did so while this one was there. */
  areThere(): boolean;
  leave(): void;
}

export interface Run {
  /** Where processes of one run find each other. */
  readonly temporary: string;
  /** Of Terraform. */
  readonly parent: number;
  readonly pid: number;
  /** Milliseconds since the epoch at which this process began. */
  readonly began: number;
}

/** Windows has no number for it, and gives each user a temporary folder of their own. */
const user = process.getuid?.() ?? "";
const prefix = `tenantform-${user}-`;

const thisRun = (): Run => ({
  temporary: os.tmpdir(),
  parent: process.ppid,
  pid: process.pid,
  began: performance.timeOrigin,
});

/**
 * Lets others of the run know that this process works for the tenant. Each has a file, which says when it left: Terraform ends a
 * process once its resources are planned, perhaps before another one is configured. Where files cannot be written, nobody knows of
 * anybody.
 */
export function announce(tenant: string, { temporary, parent, pid, began }: Run = thisRun()): Neighbours {
  const folder = path.join(temporary, `${prefix}${parent}`);
  const name = `${createHash("sha256").update(tenant).digest("hex").slice(0, 32)}-`;
  const own = `${name}${pid}`;
  const write = (left: string) => writeFileSync(path.join(folder, own), left, { mode: 0o600 });
  const isOpen = quietly(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isOurs(folder)) write("");
    return isOurs(folder);
  });
  const isThere = (file: string) => {
    const left = readFileSync(path.join(folder, file), "utf8");
    return left === "" ? isAlive(Number(file.slice(name.length))) : Number(left) > began;
  };
  return {
    areThere: () =>
      isOpen === true &&
      quietly(() => readdirSync(folder).some((file) => file.startsWith(name) && file !== own && isThere(file))) ===
        true,
    leave() {
      if (!isOpen) return;
      quietly(() => write(String(Date.now())));
      quietly(() => removeOld(temporary));
    },
  };
}

/** Folders of runs that are over. */
function removeOld(temporary: string): void {
  for (const name of readdirSync(temporary)) {
    const parent = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
    if (!Number.isInteger(parent) || isAlive(parent)) continue;
    const folder = path.join(temporary, name);
    quietly(() => isOurs(folder) && rmSync(folder, { recursive: true, force: true }));
  }
}

/** Anybody may make folders in the temporary one: what is another user's tells nothing. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && (user === "" || stats.uid === user);
}

/** One that was killed has left its file. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
