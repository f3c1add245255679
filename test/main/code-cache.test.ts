/** What is kept of compiled code: only for its owner, and only as it was kept. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { codeCache } from "../../src/code-cache";

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), "code-cache-test-"));
});
afterEach(() => fs.rmSync(home, { recursive: true }));

const folder = () => path.join(home, ".cache/tenantform/code");
const open = (key = "one") => codeCache(key, { HOME: home });
const code = Buffer.from("compiled");

test("gives back what was kept, in a folder that only its owner may enter", () => {
  expect(open().read()).toBeUndefined();
  open().keep(code);
  expect(open().read()).toEqual(code);
  expect(open("other").read()).toBeUndefined();
  expect(fs.statSync(folder()).mode & 0o777).toBe(0o700);
  expect(fs.statSync(path.join(folder(), "one")).mode & 0o777).toBe(0o600);
});

test("goes where the user wants caches", () => {
  codeCache("one", { HOME: home, XDG_CACHE_HOME: path.join(home, "elsewhere") }).keep(code);
  expect(fs.readdirSync(path.join(home, "elsewhere/tenantform/code"))).toEqual(["one"]);
});

test.each(["", "relative/home", "/nowhere/at/all"])("keeps nothing without a home of one's own: %j", (strange) => {
  const cache = codeCache("one", { HOME: strange });
  cache.keep(code);
  expect(cache.read()).toBeUndefined();
  expect(fs.existsSync("relative")).toBe(false);
});

test.each<[string, (home: string) => NodeJS.ProcessEnv]>([
  ["a file in the place of a folder", (place) => (fs.writeFileSync(path.join(place, ".cache"), ""), { HOME: place })],
  ["a home that is no folder", () => ({ HOME: "/dev/null/home" })],
  ["a place that is no folder", (place) => ({ HOME: place, XDG_CACHE_HOME: "/dev/null" })],
  ["a name that is too long", (place) => ({ HOME: place, XDG_CACHE_HOME: `/${"x".repeat(300)}` })],
])("keeps nothing, and breaks nothing, with %s", (_what, spoil) => {
  const cache = codeCache("one", spoil(home));
  expect(cache.read()).toBeUndefined();
  cache.keep(code);
  expect(cache.read()).toBeUndefined();
});

test.each<[string, (file: string) => void]>([
  ["changed", (file) => fs.writeFileSync(file, Buffer.concat([fs.readFileSync(file), Buffer.of(0)]))],
  ["torn", (file) => fs.truncateSync(file, 20)],
  ["open to others", (file) => fs.chmodSync(file, 0o666)],
  ["a link", (file) => (fs.renameSync(file, `${file}.real`), fs.symlinkSync(`${file}.real`, file))],
  ["in a folder that is open to others", (file) => fs.chmodSync(path.dirname(file), 0o777)],
  ["a folder", (file) => (fs.rmSync(file), fs.mkdirSync(file))],
])("trusts nothing that is %s", (_what, spoil) => {
  open().keep(code);
  spoil(path.join(folder(), "one"));
  expect(open().read()).toBeUndefined();
});

test("writes nothing into a folder that is open to others", () => {
  fs.mkdirSync(folder(), { recursive: true });
  fs.chmodSync(folder(), 0o777);
  open().keep(code);
  expect(fs.readdirSync(folder())).toEqual([]);
});

test("does not grow with every version", () => {
  for (let version = 1; version <= 10; version++) open(`version-${version}`).keep(code);
  expect(fs.readdirSync(folder())).toHaveLength(6);
  expect(open("version-10").read()).toEqual(code);
});
