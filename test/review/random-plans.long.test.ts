/** No valid plan stops a command: random plans through the review in all formats, and `explain`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { review } from "../../src/review/commands/command";
import { explain } from "../../src/review/commands/explain";
import fc from "../support/random";
import { randomPlan } from "./support/random-plans";

const folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-random-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => path.join(folder, name);
const output = ["txt", "md", "json", "html", "sarif"].map((form) => at(`review.${form}`));
const edge = () => ({ stdin: Readable.from([]), environment: {} });

/** The exit codes, and what the commands say on standard error. */
async function outcomes(plan: string) {
  writeFileSync(at("plan.json"), plan);
  const file = at("plan.json");
  const said = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const shown = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const codes = [
      await review([file], { output }, "0.0.0", edge()),
      await review([file], { format: "annotations", logs: [at("log.json")] }, "0.0.0", edge()),
      await review([file], { sameAs: at("review.json") }, "0.0.0", edge()),
      await explain(file, { ip: "203.0.113.7", country: "KP" }, edge()),
      await explain(file, { before: true }, edge()),
    ];
    return { codes, said: codes.some((code) => ![0, 4].includes(code)) ? said.mock.calls.join("") : "" };
  } finally {
    said.mockRestore();
    shown.mockRestore();
  }
}

test("a valid plan stops no command", async () => {
  const event = { type: "s", date: "2026-11-20T10:00:00.000Z", ip: "203.0.113.7", user_agent: "curl/8.0" };
  writeFileSync(at("log.json"), JSON.stringify([event]));
  await fc.assert(
    fc.asyncProperty(randomPlan, async (plan) => {
      const { codes, said } = await outcomes(plan);
      expect({ codes, said }).toEqual({ codes: [0, 0, expect.anything(), 0, 0], said: "" });
      // The review of a plan compares with itself, or says what is not known.
      expect([0, 4]).toContain(codes[2]);
    }),
    { numRuns: 60 },
  );
});
