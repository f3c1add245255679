/** Peak memory of processes, on Linux. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const interval = 10;

/** Megabytes. */
export interface Memory {
  /** All pages of the process, including those that it shares with other processes. */
  readonly resident: number;
  /** The same, but a page counts only by the process's share of it. */
  readonly proportional: number;
}

/** Peak of the pages so far, and their shares now; undefined on other systems. */
export function memoryOf(pid: number | string): Memory | undefined {
  const kilobytes = (file: string, name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/${file}`, "utf8"))?.[1]) / 1024;
  try {
    const memory = { resident: kilobytes("status", "VmHWM"), proportional: kilobytes("smaps_rollup", "Pss") };
    return Number.isNaN(memory.resident + memory.proportional) ? undefined : memory;
  } catch {
    return undefined;
  }
}

/** The most of both. */
export function most(one: Memory | undefined, other: Memory | undefined): Memory | undefined {
  if (!one || !other) return one ?? other;
  return {
    resident: Math.max(one.resident, other.resident),
    proportional: Math.max(one.proportional, other.proportional),
  };
}

/** The most memory of a provider in the directory during `work`. */
export async function peakDuring(directory: string, work: () => Promise<unknown>): Promise<Memory | undefined> {
  let peak: Memory | undefined;
  const look = () => {
    for (const pid of providersIn(directory)) peak = most(peak, memoryOf(pid));
  };
  const looking = setInterval(look, interval);
  try {
    await work();
  } finally {
    clearInterval(looking);
  }
  return peak;
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
