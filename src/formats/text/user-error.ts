import { statSync, type Stats } from "node:fs";

/** An error that the person at the terminal can fix. `usage`: an option is wrong. `input`: a plan or another file is. */
export class UserError extends Error {
  override readonly name = "UserError";
  constructor(
    message: string,
    readonly of: "usage" | "input" = "input",
  ) {
    super(message);
  }
}

/** Says why the system does not let the file be read. `remedy`: what to do, without a full stop. */
export function unreadFile(file: string, error: unknown, remedy: string): UserError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new UserError(
    `${file} ${code === "ENOENT" ? "does not exist" : `cannot be read (${code ?? message})`}: ${remedy}.`,
  );
}

/** undefined: there is no such file. */
export function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // From Node 22 on, a path below a file is one of these.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw unreadFile(file, error, "give another path");
  }
}

/** The value of an option that has a fixed list of values. Throws for another value. */
export function oneOf<Option extends string>(text: string, options: readonly Option[], flag: string): Option {
  const found = options.find((option) => option === text);
  if (found) return found;
  throw new UserError(`${flag} ${JSON.stringify(text)} is not known: choose one of ${options.join(", ")}.`, "usage");
}
