/** Records the line of a program that creates a construct, so that reviews can point to it. */
import type { TerraformElement } from "cdktf";
import type { IConstruct } from "constructs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const origins = sharedMap<IConstruct, string>("origins");

/** Adds `main.ts:41` to the comment of a resource in the file of the stack. Terraform and `Testing` ignore this comment. */
export function recordOrigin(construct: TerraformElement): void {
  const at = originIn(callStack(), process.cwd());
  if (at === undefined) return;
  origins.set(construct, at);
  const inherited = () =>
    Reflect.get(Object.getPrototypeOf(construct) as object, "constructNodeMetadata", construct) as object;
  Object.defineProperty(construct, "constructNodeMetadata", { get: () => ({ ...inherited(), tenantform: { at } }) });
}

/** ` (main.ts:41)`; empty for a construct of other packages. */
export function originOf(construct: IConstruct): string {
  const at = origins.get(construct);
  return at === undefined ? "" : ` (${at})`;
}

/** The path and the line: `stack/office (main.ts:41)`. */
export const placeOf = (construct: IConstruct): string => construct.node.path + originOf(construct);

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
  // The first frame is in this folder or, in a bundle, in the file of the program.
  const first = frames[0]?.file ?? "";
  const own = path.dirname(first) + path.sep;
  const isBundled = frames.length > 0 && !/constructs[\\/]\w+\.[jt]s$|cdktn[\\/]index\.js$/.test(first);
  for (const { file, line } of frames) {
    const relative = path.relative(directory, file);
    const isInside = !path.isAbsolute(relative) && relative.split(path.sep)[0] !== "..";
    const isOurs = isBundled ? file === first : file.startsWith(own);
    const isOther = isOurs || relative.split(path.sep).includes("node_modules");
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

/**
 * The map of this name, which all copies of this package in the process share, as a monorepo may have them. Their classes differ, so nothing in it is compared by class. Values are plain
 * data and functions.
 */
export function sharedMap<Key extends object, Value>(name: string): WeakMap<Key, Value> {
  const key = Symbol.for(`tenantform/${name}`);
  const known = globalThis as { [key: symbol]: WeakMap<Key, Value> | undefined };
  return (known[key] ??= new WeakMap());
}
