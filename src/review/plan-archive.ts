/** Reads the plan from the archive of an artifact. The archive may hold anything, so only the plan's bytes are unpacked. */
import { ArchiveError, openArchive, quoted, type Entry } from "../archive/archive";

/** The files that the review job keeps. The checksum in the archive proves nothing, because it comes from the same archive. */
const kept: readonly string[] = ["plan", "plan.sha256"];

/** Throws if the archive holds other files than one `plan` and one `plan.sha256`, or inflates to more than `most` bytes. */
export function planIn(archive: Buffer, most: number): Buffer {
  try {
    const entries = openArchive(archive, { entries: kept.length, bytes: most });
    const other = entries.find(({ name }) => !kept.includes(name));
    if (other) throw new ArchiveError(`it holds ${quoted(other.name)}`);
    return planAmong(entries).read();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new Error(`its archive does not have the form that the review job writes: ${error.message}`, {
      cause: error,
    });
  }
}

function planAmong(entries: readonly Entry[]): Entry {
  const plan = entries.find(({ name }) => name === "plan");
  if (!plan) throw new ArchiveError("it has no plan");
  return plan;
}
