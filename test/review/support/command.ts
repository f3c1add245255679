/** Runs the commands that read plans in this process, with files in a folder of their own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import type { Edge } from "../../../src/review/input/input";

/** The folder of a test file. */
export function openFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-review-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    at,
    /** Returns the path of the file. */
    put(name: string, content: unknown): string {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      const isRaw = typeof content === "string" || Buffer.isBuffer(content);
      writeFileSync(at(name), isRaw ? content : JSON.stringify(content));
      return at(name);
    },
    read: (name: string) => readFileSync(at(name), "utf8"),
  };
}

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The exit code of a command, and what it prints. */
export async function printed(command: (edge: Edge) => Promise<number>, edge: Partial<Edge> = {}): Promise<Printed> {
  const spies = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, "write").mockReturnValue(true));
  try {
    const code = await command({ stdin: Readable.from([]), environment: {}, ...edge });
    const [stdout = "", stderr = ""] = spies.map(({ mock }) => mock.calls.map(([text]) => String(text)).join(""));
    return { code, stdout, stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
