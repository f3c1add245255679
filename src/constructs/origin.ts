/** Records the line of a program that creates a construct, so that reviews can point to it. */
import type { TerraformElement } from "cdktf";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package. */
const own = path.dirname(__dirname) + path.sep;

/** Adds `main.ts:41` to the comment of the resource in the file of the stack. Terraform and `Testing` ignore this comment. */
export function recordOrigin(construct: TerraformElement): void {
  const at = originIn(callStack(), process.cwd());
  if (at === undefined) return;
  const inherited = () =>
    Reflect.get(Object.getPrototypeOf(construct) as object, "constructNodeMetadata", construct) as object;
  Object.defineProperty(construct, "constructNodeMetadata", { get: () => ({ ...inherited(), tenantform: { at } }) });
}

/** As text, because Node and ts-node translate only the text to the lines of TypeScript. */
function callStack(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return typeof stack === "string" ? stack : "";
}

/** The innermost call in a file of the program, relative to the directory. undefined: no such call. */
export function originIn(stack: string, directory: string): string | undefined {
  const frames = stack.split("\n").flatMap((line) => frameIn(line) ?? []);
  // In a bundle, the first frame is in the file of the program.
  const [first] = frames;
  for (const { file, line } of frames) {
    const relative = path.relative(directory, file);
    const isInside = !path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..";
    const isOther = file === first!.file || file.startsWith(own) || relative.split(path.sep).includes("node_modules");
    if (isInside && !isOther) return `${relative.replaceAll(path.sep, "/")}:${line}`;
  }
  return undefined;
}

function frameIn(text: string): { readonly file: string; readonly line: string } | undefined {
  const [, named, line] = /^ +at (?:.*? \()?(.+?):(\d+):\d+\)?$/.exec(text) ?? [];
  if (named === undefined || line === undefined) return undefined;
  try {
    const file = named.startsWith("file:") ? fileURLToPath(named) : named;
    return path.isAbsolute(file) ? { file, line } : undefined;
  } catch {
    return undefined;
  }
}
