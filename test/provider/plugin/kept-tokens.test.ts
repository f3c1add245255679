/** A later process of the user reads the token that an earlier one fetched with the same credentials, and nobody else does. */
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { keptTokens } from "../../../src/provider/plugin/kept-tokens";

let home: string;
beforeEach(async () => (home = await mkdtemp(path.join(os.tmpdir(), "tenantform-tokens-"))));
afterEach(() => rm(home, { recursive: true }));

const token = { token: "header.payload.signature", scope: "read:clients", until: 1 };
const folder = () => path.join(home, ".cache/tenantform/token");
const file = () => path.join(folder(), "tokens.json");
const store = (subject = "acme.example/client", secret = "a secret", env = {}) =>
  keptTokens(subject, secret, { HOME: home, ...env });

test("gives the token to the same credentials alone", () => {
  store()!.write(token);
  expect(store()!.read()).toEqual(token);
  expect(store("acme.example/client", "another secret")!.read()).toBeUndefined();
  expect(store("other.example/client")!.read()).toBeUndefined();
});

test("writes nothing that another person can use", async () => {
  store()!.write(token);
  const text = await readFile(file(), "utf8");
  for (const part of ["payload", "read:clients", "acme", "client", "a secret"]) {
    expect(text).not.toContain(part);
    expect(text).not.toContain(Buffer.from(part).toString("base64").slice(0, -2));
  }
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect((await stat(folder())).mode & 0o777).toBe(0o700);
});

test("reads nothing from a file that was changed", async () => {
  store()!.write(token);
  const [[key, parts]] = JSON.parse(await readFile(file(), "utf8")) as [[string, string[]]];
  for (const [index, part] of parts.entries()) {
    const bytes = Buffer.from(part, "base64");
    bytes[0]! ^= 1;
    const changed = parts.with(index, bytes.toString("base64"));
    await writeFile(file(), JSON.stringify([[key, changed]]));
    expect(store()!.read()).toBeUndefined();
  }
  for (const broken of [null, [], ["", "", "", ""], [1, 2, 3, 4], {}, "text", parts.slice(0, 3)]) {
    await writeFile(file(), JSON.stringify([[key, broken]]));
    expect(store()!.read()).toBeUndefined();
  }
});

test("accepts no shortened authentication tag", async () => {
  store()!.write(token);
  const [[key, parts]] = JSON.parse(await readFile(file(), "utf8")) as [[string, string[]]];
  const short = Buffer.from(parts[2]!, "base64").subarray(0, 4).toString("base64");
  await writeFile(file(), JSON.stringify([[key, parts.with(2, short)]]));
  expect(store()!.read()).toBeUndefined();
});

test.each(["false", "off", " NO ", "0"])("TENANT_KEEP_TOKEN=%j keeps no token", async (value) => {
  expect(store(undefined, undefined, { TENANT_KEEP_TOKEN: value })).toBeUndefined();
  expect(await readdir(home)).toEqual([]);
});

test("keeps no token without a home", () => {
  const homeless = keptTokens("subject", "secret", {})!;
  homeless.write(token);
  expect(homeless.read()).toBeUndefined();
});

test("leaves no half-written file if the file cannot be replaced", async () => {
  await mkdir(file(), { recursive: true, mode: 0o700 });
  await chmod(folder(), 0o700);
  store()!.write(token);
  expect(await readdir(folder())).toEqual(["tokens.json"]);
});

describe("a cache that another user could replace", () => {
  const cache = () => path.join(home, "shared/cache");
  const kept = () => {
    const one = store(undefined, undefined, { XDG_CACHE_HOME: cache() })!;
    one.write(token);
    return one.read();
  };
  beforeEach(() => mkdir(cache(), { recursive: true, mode: 0o700 }));

  test.each([
    ["nobody else writes on the way", 0o755, token],
    ["everybody writes, but only the owner of an entry replaces it", 0o1777, token],
    ["the group writes on the way", 0o775, undefined],
    ["everybody writes on the way", 0o757, undefined],
  ])("keeps tokens as the mode demands: %s", async (_case, mode, found) => {
    await chmod(path.join(home, "shared"), mode);
    expect(kept()).toEqual(found);
  });

  test("is found behind a link", async () => {
    await rename(path.join(home, "shared"), path.join(home, "real"));
    await symlink("real", path.join(home, "shared"));
    expect(kept()).toEqual(token);
    await chmod(path.join(home, "real"), 0o777);
    expect(kept()).toBeUndefined();
  });

  test("keeps no token in a cache of another user", () => {
    expect(kept()).toEqual(token);
    const somebodyElse = jest.spyOn(process, "getuid").mockReturnValue(process.getuid!() + 1);
    expect(kept()).toBeUndefined();
    somebodyElse.mockRestore();
  });
});
