/** Peak memory of processes, on Linux. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const interval = 10;

/** Most megabytes of a running process so far; undefined on other systems. */
export function peakOf(pid: number | string): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/** Most megabytes of a provider in the directory during `work`. */
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
