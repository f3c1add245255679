/** `npm start`, to its end and with a signal. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { start, type Running } from "../support/program";

const root = path.join(__dirname, "../..");

/** Folders that the program left in dist. Another `npm start` may be running. */
const leftBy = async ({ child }: Running) =>
  (await readdir(path.join(root, "dist"))).filter((name) => name.startsWith(`start-${child.pid}-`));

test("npm start shows refused edits, and leaves nothing behind", async () => {
  const running = start(process.execPath, [path.join(root, "dist/tools/demo.js")], { cwd: root });
  try {
    expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
    const text = stripVTControlCharacters(running.stdout);
    for (const refusal of [
      '"Only from the office" (priority 5) blocks the protected request "our CI"',
      "The rate limit policy would be destroyed",
      "2 of 3 members lose access to org_quickstart000001, and `max_removals` is 1.",
    ]) {
      expect(text).toContain(`Error: ${refusal}`);
    }
    expect(text).toContain("5 added, 0 changed, 0 destroyed.");
    expect(text).toContain("No changes.");
    expect(text).toContain("0 added, 3 changed, 1 destroyed.");
    expect(text).toContain("Done: nothing is left");
    expect(await leftBy(running)).toEqual([]);
  } finally {
    running.child.kill("SIGKILL");
    await running.ended;
  }
});

test.each(["SIGTERM", "SIGHUP"] as const)(
  "npm start ends at %s with a message, and leaves nothing behind",
  async (signal) => {
    const running = start(process.execPath, [path.join(root, "dist/tools/demo.js")], { cwd: root });
    try {
      await running.prints(/terraform init/);
      running.child.kill(signal);
      expect(await running.ended).toMatchObject({ code: 1, stderr: "Interrupted. Everything was removed.\n" });
      expect(await leftBy(running)).toEqual([]);
    } finally {
      running.child.kill("SIGKILL");
      await running.ended;
    }
  },
);
