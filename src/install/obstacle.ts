/** What stands in the way of files that are to be put somewhere, in words. */
import { statSync } from "node:fs";
import path from "node:path";

const denied = ["EACCES", "EPERM", "EROFS"];
const inTheWay = ["ENOTDIR", "EEXIST", "EISDIR"];

/** A place that cannot be written as it is, and what to do about that. */
export class ObstacleError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ObstacleError";
  }
}

/** Does the work; where the system refuses it a place, throws an ObstacleError. */
export async function placed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = "", path: place, dest = place } = error as NodeJS.ErrnoException & { dest?: string };
    if (dest === undefined) throw error;
    if (denied.includes(code)) {
      throw new ObstacleError(
        `${dest} may not be written (${code}): name another folder, or do it as who owns this one.`,
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

/** The place itself, or of what leads to it that which is there. */
function nearest(place: string): string {
  try {
    statSync(place);
    return place;
  } catch {
    const above = path.dirname(place);
    return above === place ? place : nearest(above);
  }
}
