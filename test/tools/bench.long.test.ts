/** A small benchmark. */
import { cp, readdir, rename } from "node:fs/promises";
import path from "node:path";
import { version } from "../../src/version";
import { newFolder } from "../support/folder";
import { run } from "../support/program";

test("measures our provider beside another one, and leaves nothing behind", async () => {
  const directory = newFolder();
  // Our provider also takes the role of the other provider.
  const peer = path.join(directory, "peer");
  await cp(path.join(__dirname, "../../dist/plugin"), peer, { recursive: true });
  const named = (number: string) => path.join(peer, `terraform-provider-tenant_v${number}`);
  await rename(named(version), named("1.0.0"));
  const program = ["--import", require.resolve("tsx"), path.join(__dirname, "../../src/tools/bench/bench.ts")];
  const sizes = ["--policies", "2", "--acls", "", "--rounds", "1"];
  const args = [...program, ...sizes, "--peer", peer, "--peer-source", "tenantform/tenant"];
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: directory, env: { TMPDIR: directory } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "round 1 of 1 is measured\n" });
  for (const row of ["start, s", "create 2 x policy, s", "plan 2 x policy, s", "destroy 2 x policy, s"])
    expect(stdout).toMatch(new RegExp(`^${row}( +\\d+\\.\\d{3}){2,3}$`, "m"));
  // The loader of the sources has its own cache.
  expect((await readdir(directory)).filter((name) => !name.startsWith("tsx-"))).toEqual(["peer"]);
});
