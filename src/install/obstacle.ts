/** Explains why a file cannot be written. */
import { statSync } from "node:fs";
import path from "node:path";

const denied = ["EACCES", "EPERM", "EROFS"];
const inTheWay = ["ENOTDIR", "EEXIST", "EISDIR"];

/** The place cannot be written. The message says what to do. */
export class ObstacleError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ObstacleError";
  }
}

/** Does the work. Throws an ObstacleError if the system refuses to write. */
export async function placed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "", path: place, dest = place } = error as NodeJS.ErrnoException & { dest?: string };
    if (dest === undefined) throw error;
    if (denied.includes(code)) {
      throw new ObstacleError(
        `${dest} cannot be written (${code}): name another folder, or run the command as the owner of this one.`,
        {
          cause: error,
        },
      );
    }
    if (inTheWay.includes(code)) {
      throw new ObstacleError(`${nearest(dest)} is in the way (${code}): move it, or name another folder.`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** The place, or its nearest parent that exists. */
function nearest(place: string): string {
  try {
    statSync(place);
    return place;
  } catch {
    const above = path.dirname(place);
    return above === place ? place : nearest(above);
  }
}
