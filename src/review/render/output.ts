/** Chooses the format of each output of a review. */
import path from "node:path";
import { oneOf } from "../error";

export const formats = ["text", "markdown", "json", "html", "sarif", "annotations"] as const;
export type Format = (typeof formats)[number];

export interface OutputFlags {
  readonly format?: string;
  /** One file, or several whose extensions name their formats. */
  readonly output?: string | readonly string[];
}

export interface Output {
  readonly format: Format;
  /** Undefined: standard output. */
  readonly file?: string;
}

const byExtension: Readonly<Record<string, Format>> = {
  ".txt": "text",
  ".md": "markdown",
  ".json": "json",
  ".html": "html",
  ".sarif": "sarif",
};

/** `--format` counts for all files. Without it, each extension names the format. */
export function outputsOf({ format, output = [] }: OutputFlags, isTerminal = process.stdout.isTTY): Output[] {
  const given = format === undefined ? undefined : oneOf(format, formats, "--format");
  const usual = isTerminal ? "text" : "markdown";
  const files = [output].flat();
  if (files.length === 0) return [{ format: given ?? usual }];
  return files.map((file) => ({ format: given ?? byExtension[path.extname(file).toLowerCase()] ?? usual, file }));
}
