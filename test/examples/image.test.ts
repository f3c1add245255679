/** Checks the definition of the container image, because no test builds it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { run } from "../support/program";

const root = path.join(__dirname, "../..");

/** The instructions without comments, each on one line. */
async function instructions(): Promise<[string, string][]> {
  const text = await readFile(path.join(root, ".github/image/Containerfile"), "utf8");
  const lines = text
    .replace(/^#.*\n/gm, "")
    .replaceAll("\\\n", "")
    .trim()
    .split("\n");
  return lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

test("builds on a named version of Alpine, and runs as another user than root", async () => {
  const all = await instructions();
  expect(all.map(([name]) => name).join(" ")).toBe("ARG FROM COPY RUN ENV USER WORKDIR ENTRYPOINT CMD");
  const valueOf = Object.fromEntries(all);
  expect(valueOf["ARG"]).toMatch(/^BASE=alpine:\d+\.\d+$/);
  expect(valueOf["USER"]).toBe("tenantform");
});

test("its script is valid, and calls the command with options that exist", async () => {
  const [, script] = (await instructions()).find(([name]) => name === "RUN")!;
  expect(await run("sh", ["-n", "-c", script], { cwd: root })).toMatchObject({ code: 0, stderr: "" });
  const [, call] = /tenantform (install [^;]*);/.exec(script)!;
  const { stdout: help } = await run(process.execPath, ["dist/cli.js", "install", "--help"], { cwd: root });
  for (const [option] of call!.matchAll(/--[\w-]+/g)) expect(help).toContain(option);
  const [, settings] = /printf '([^']*)'/.exec(script)!;
  expect(settings).toContain('include = ["registry.terraform.io/tenantform/tenant"]');
});
