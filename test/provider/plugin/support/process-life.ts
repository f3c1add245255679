/** Tests for the process of every provider: its start, its clients and its end. */
import { status } from "@grpc/grpc-js";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { createCertificate } from "../../../../src/provider/plugin/certificate";
import { processes } from "./program";

/** Declares the tests. `program` is the path of the executable. */
export function testProcessLife(program: () => string): void {
  const { start, greet } = processes(program);

  test("refuses an unknown client and continues to serve Terraform", async () => {
    const started = start();
    const stranger = await greet(started, createCertificate());
    await expect(stranger.ask("health", "check")).rejects.toMatchObject({ code: status.UNAVAILABLE });
    const client = await greet(started);
    expect(await client.ask("health", "check", { service: "plugin" })).toEqual({ status: 1 });
  });

  test("explains itself to a user who starts it by hand", async () => {
    const started = start({ env: { TF_PLUGIN_MAGIC_COOKIE: undefined } });
    expect(await started.exit).toBe(1);
    expect(started.output.stderr).toContain("This program is a Terraform provider");
    expect(started.output.stdout).toBe("");
  });

  test.each([
    ["4,5", "only 4,5"],
    [undefined, "none"],
  ])("names its requirement to a Terraform that offers protocol %s", async (offered, words) => {
    const started = start({ env: { PLUGIN_PROTOCOL_VERSIONS: offered } });
    expect(await started.exit).toBe(1);
    expect(started.output.stdout).toMatch(/^this provider speaks plugin protocol 6 [^\n]*\n$/);
    expect(started.output.stdout).toContain(`offers ${words}`);
  });

  test("prints where the user can read it why it cannot start", async () => {
    const started = start({ env: { TMPDIR: "/nowhere/at/all" } });
    expect(await started.exit).toBe(1);
    expect(started.output.stdout).toMatch(
      /^the temporary folder accepts no new folder for a socket[^\n]*\/nowhere\/at\/all[^\n]*\n$/,
    );
  });

  test("prints no control characters", async () => {
    const started = start({ env: { PLUGIN_PROTOCOL_VERSIONS: "4\u001b[2J\r|5" } });
    expect(await started.exit).toBe(1);
    expect(started.output.stdout).toContain("offers only 4 [2J 5\n");
  });

  test("uses a short path if the path of the temporary folder is too long for a socket", async () => {
    const started = start();
    const long = path.join(started.folder, "x".repeat(90));
    mkdirSync(long);
    const crowded = start({ env: { TMPDIR: long } });
    const client = await greet(crowded);
    expect(await client.ask("health", "check")).toEqual({ status: 1 });
    const [, , , address] = (await crowded.firstLine).split("|");
    expect(Buffer.byteLength(address!)).toBeLessThan(104);
    expect(statSync(path.dirname(address!)).mode & 0o777).toBe(0o700);
    client.close();
    expect(await crowded.exit).toBe(0);
    expect(existsSync(path.dirname(address!))).toBe(false);
    expect(readdirSync(long)).toEqual([]);
  });

  test("ends with the last connection, and removes its socket", async () => {
    const started = start();
    const client = await greet(started);
    await client.ask("health", "check");
    expect(readdirSync(started.folder)).toHaveLength(1);
    client.close();
    expect(await started.exit).toBe(0);
    expect(readdirSync(started.folder)).toEqual([]);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("ignores an interrupt, and ends after %s", async (signal) => {
    const started = start();
    const client = await greet(started);
    await client.ask("health", "check");
    started.child.kill("SIGINT");
    expect(await client.ask("provider", "stopProvider")).toEqual({ Error: "" });
    started.child.kill(signal);
    expect(await started.exit).toBe(0);
    expect(readdirSync(started.folder)).toEqual([]);
  });

  test("ends when the process that started it is killed", async () => {
    const parent = `
    const { spawn } = require("node:child_process");
    spawn(process.argv[1], [], { stdio: "inherit" });
  `;
    const started = start({ through: parent });
    await started.firstLine;
    expect(readdirSync(started.folder)).toHaveLength(1);
    started.child.kill("SIGKILL");
    await started.exit;
    expect(readdirSync(started.folder)).toEqual([]);
  });
}
