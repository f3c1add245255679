/** Reads the plan from the archive of an artifact. The archive may hold anything, so only the plan's bytes are unpacked. */
import { ArchiveError, openArchive, quoted, type Entry } from "../archive/archive";

/** The files that review.sh keeps. The checksum beside the plan proves nothing, as it comes from the same archive. */
const kept: readonly string[] = ["plan", "plan.sha256"];

/** Throws for an archive that holds anything but one `plan` and at most one `plan.sha256`, of at most `most` bytes together. */
export function planIn(archive: Buffer, most: number): Buffer {
  try {
    const entries = openArchive(archive, { entries: kept.length, bytes: most });
    const stranger = entries.find(({ name }) => !kept.includes(name));
    if (stranger) throw new ArchiveError(`it holds ${quoted(stranger.name)}`);
    return planAmong(entries).read();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new Error(`its archive is not one that review.sh makes: ${error.message}`, { cause: error });
  }
}

function planAmong(entries: readonly Entry[]): Entry {
  const plan = entries.find(({ name }) => name === "plan");
  if (!plan) throw new ArchiveError("it holds no plan");
  return plan;
}
