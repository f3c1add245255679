/** How much memory processes took at most, where the system tells (Linux). */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const interval = 10;

/** Megabytes that a living process has had at most so far; undefined where nobody knows. */
export function peakOf(pid: number | string): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Megabytes that a provider, started by a Terraform in the directory, took at most while `work` went on. */
export async function peakDuring(directory: string, work: () => Promise<unknown>): Promise<number | undefined> {
  let peak = 0;
  const look = () => {
    for (const pid of providersIn(directory)) peak = Math.max(peak, peakOf(pid) ?? 0);
  };
  const looking = setInterval(look, interval);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  return peak > 0 ? peak : undefined;
}

function providersIn(directory: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === directory &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("terraform-provider-")
      );
    } catch {
      return false;
    }
  });
}
