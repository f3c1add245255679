/** Checks how large a saved plan inflates, before Terraform reads the plan. */
import { ArchiveError, openArchive } from "../archive/archive";
import { ReviewError } from "./error";

const mostEntries = 10_000;
/** Starts the end of a directory. */
const end = "PK\u0005\u0006";

export const isSavedPlan = (bytes: Buffer) => bytes.toString("latin1", 0, 4) === "PK\u0003\u0004";

/** Throws a ReviewError if the archive inflates to more, or if its directory declares a false size. */
export function requireSmall(bytes: Buffer, mostBytes: number, name: string): void {
  // Without a directory nothing can be inflated, and Terraform says what is wrong.
  if (!bytes.includes(end)) return;
  try {
    // Terraform inflates everything, even if the directory declares less.
    for (const entry of openArchive(bytes, { entries: mostEntries, bytes: mostBytes })) entry.read();
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new ReviewError(
      `${name} is not a saved plan that Terraform wrote: ${error.message}. Create the plan again with \`terraform plan -out\`.`,
    );
  }
}
