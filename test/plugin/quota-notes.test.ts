/** A later process of the user reads the quota that an earlier one noted. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { cacheFolder } from "../../src/plugin/cache-folder";
import { quotaNotes } from "../../src/plugin/quota-notes";

let home: string;
beforeEach(async () => (home = await mkdtemp(path.join(os.tmpdir(), "tenantform-quota-"))));
afterEach(() => rm(home, { recursive: true }));

const folderOf = () => cacheFolder("quota", { HOME: home });
const notes = (tenant: string) => quotaNotes(tenant, folderOf);
const file = () => path.join(folderOf()!, "quotas.json");

test("reads the last note of each tenant", () => {
  notes("a.example").write({ limit: 1 });
  notes("b.example").write({ limit: 2 });
  notes("a.example").write({ limit: 3 });
  expect([notes("a.example").read(), notes("b.example").read(), notes("c.example").read()]).toEqual([
    { limit: 3 },
    { limit: 2 },
    undefined,
  ]);
});

test("writes for this user alone, and no address of a tenant", async () => {
  notes("secret.example").write({ limit: 1 });
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect((await stat(folderOf()!)).mode & 0o777).toBe(0o700);
  expect(await readFile(file(), "utf8")).not.toContain("secret");
  expect(await readdir(folderOf()!)).toEqual(["quotas.json"]);
});

test("keeps the notes of the last 50 tenants", async () => {
  for (let tenant = 0; tenant < 55; tenant++) notes(`${tenant}.example`).write({ limit: tenant });
  expect(notes("4.example").read()).toBeUndefined();
  expect(notes("5.example").read()).toEqual({ limit: 5 });
  expect(JSON.parse(await readFile(file(), "utf8"))).toHaveLength(50);
});

test("replaces a file that has something else", async () => {
  for (const content of ["", "{", "null", "[1, [2], [{}, {}]]", "\u0000"]) {
    notes("a.example");
    await writeFile(file(), content);
    expect(notes("a.example").read()).toBeUndefined();
    notes("a.example").write({ limit: 1 });
    expect(notes("a.example").read()).toEqual({ limit: 1 });
  }
});

test("keeps no note in a folder that others can enter, and none without a home", async () => {
  await chmod(folderOf()!, 0o755);
  notes("a.example").write({ limit: 1 });
  expect(notes("a.example").read()).toBeUndefined();
  const homeless = quotaNotes("a.example", () => cacheFolder("quota", {}));
  homeless.write({ limit: 1 });
  expect(homeless.read()).toBeUndefined();
});
