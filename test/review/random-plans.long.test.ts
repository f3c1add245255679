/** No valid plan stops a command: random plans through the review in all formats, and `explain`. */
import type { Edge } from "../../src/review/input/input";
import { review } from "../../src/review/commands/command";
import { explain } from "../../src/review/commands/explain";
import fc from "../support/random";
import { openFolder, printed } from "./support/command";
import { randomPlan } from "./support/random-plans";

const { at, put } = openFolder();
const output = ["txt", "md", "json", "html", "sarif"].map((form) => at(`review.${form}`));

test("a valid plan stops no command", async () => {
  const event = { type: "s", date: "2026-11-20T10:00:00.000Z", ip: "203.0.113.7", user_agent: "curl/8.0" };
  const logs = [put("log.json", [event])];
  await fc.assert(
    fc.asyncProperty(randomPlan, async (plan) => {
      const file = put("plan.json", plan);
      const commands: ((edge: Edge) => Promise<number>)[] = [
        (edge) => review([file], { output }, "0.0.0", edge),
        (edge) => review([file], { format: "annotations", logs }, "0.0.0", edge),
        // The review of a plan compares with itself, or says what is not known.
        (edge) => review([file], { sameAs: at("review.json") }, "0.0.0", edge),
        (edge) => explain(file, { ip: "203.0.113.7", country: "KP" }, edge),
        (edge) => explain(file, { before: true }, edge),
      ];
      for (const [index, command] of commands.entries()) {
        const { code, stderr } = await printed(command);
        if (code !== 0 && !(code === 4 && index === 2)) expect([index, code, stderr]).toEqual([index, 0, ""]);
      }
    }),
    { numRuns: 60 },
  );
});
