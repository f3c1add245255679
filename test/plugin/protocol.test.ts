import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { generateProtocol } from "../../src/plugin/protocol/generate";

test("the generated code equals the definitions", () => {
  const committed = path.join(__dirname, "../../src/plugin/protocol");
  const fresh = mkdtempSync(path.join(os.tmpdir(), "protocol-"));
  try {
    generateProtocol(fresh);
    const names = readdirSync(fresh);
    expect(names).toEqual(["goplugin.ts", "health.ts", "tfplugin6.ts"]);
    for (const name of names) {
      const [written, kept] = [fresh, committed].map((folder) => readFileSync(path.join(folder, name), "utf8"));
      expect(written).toBe(kept);
    }
  } finally {
    rmSync(fresh, { recursive: true });
  }
});
