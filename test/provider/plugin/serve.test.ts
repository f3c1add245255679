/** The plugin process: what it prints and logs, real Terraform that starts it, and the tokens that it keeps for later processes of the user. */
import { X509Certificate } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { status } from "@grpc/grpc-js";
import { encode } from "@msgpack/msgpack";
import { keptTokens } from "../../../src/provider/plugin/kept-tokens";
import { createLog, logLevel, type LogOptions } from "../../../src/provider/plugin/log";
import { placeFor } from "../../../src/provider/plugin/serve";
import { run } from "../../support/program";
import { newFolder } from "../../support/folder";
import { bundleFixture, processes, temporaryFolder } from "./support/program";

describe("serve", () => {
  const place = temporaryFolder();
  const program = path.join(place, "provider.js");
  const { start, greet } = processes(() => program);

  beforeAll(() => bundleFixture(program));
  afterAll(() => rmSync(place, { recursive: true }));

  const note = (text: string) => ({ msgpack: encode({ text, id: null }) });

  test("prints the handshake in one line, and nothing else on stdout", async () => {
    const started = start();
    const client = await greet(started);
    const planned = await client.ask("provider", "planResourceChange", { proposedNewState: note("hello") });
    expect(planned).toMatchObject({ diagnostics: [] });
    await expect(client.ask("controller", "shutdown")).rejects.toMatchObject({ code: status.UNAVAILABLE });
    expect(await started.exit).toBe(0);
    expect(started.output.stderr).toBe("a forgotten line\n");

    const { stdout } = started.output;
    expect(stdout).toMatch(/^1\|6\|unix\|\/[^|\n]+\|grpc\|[A-Za-z0-9+/]+\n$/);
    const [, , , address, , proof] = stdout.trim().split("|");
    expect(address!.startsWith(path.join(started.folder, "plugin-"))).toBe(true);
    expect(new X509Certificate(Buffer.from(proof!, "base64")).subjectAltName).toBe("DNS:localhost");
  });

  test("turns an uncaught exception into the panic that Terraform looks for", async () => {
    const started = start();
    const client = await greet(started);
    const applied = client.ask("provider", "applyResourceChange", { plannedState: note("panic") });
    await expect(applied).rejects.toMatchObject({ code: status.UNAVAILABLE });
    expect(await started.exit).toBe(2);
    expect(started.output.stderr).toMatch(/^panic: Error: the fixture was told to\n {4}at /);
    expect(readdirSync(started.folder)).toEqual([]);
  });

  test("listens on a port if Terraform offers ports", () => {
    expect(placeFor("linux", {})).toEqual({ network: "unix" });
    expect(placeFor("win32", { PLUGIN_MIN_PORT: "10", PLUGIN_MAX_PORT: "20" })).toEqual({
      network: "tcp",
      firstPort: 10,
      lastPort: 20,
    });
  });
});

const now = () => new Date("2026-05-06T07:08:09.012Z");

function record(options: LogOptions) {
  const lines: string[] = [];
  return { log: createLog({ now, write: (line) => void lines.push(line), ...options }), lines };
}

test("writes one JSON line in the format of hclog", () => {
  const { log, lines } = record({ level: "info" });
  log("info", "Token fetched", { seconds: 3600, tenant: "acme.example" });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(JSON.parse(lines[0]!)).toEqual({
    "@level": "info",
    "@message": "Token fetched",
    "@module": "provider.tenant",
    "@timestamp": "2026-05-06T07:08:09.012000Z",
    seconds: 3600,
    tenant: "acme.example",
  });
});

test("drops lines below its level", () => {
  const { log, lines } = record({ level: "warn", module: "provider.note" });
  for (const level of ["trace", "debug", "info", "warn", "error"] as const) log(level, level);
  expect(lines.map((line) => JSON.parse(line)["@message"])).toEqual(["warn", "error"]);
  expect(JSON.parse(lines[0]!)["@module"]).toBe("provider.note");
});

test("keeps errors and big numbers readable, and protects its own fields", () => {
  const { log, lines } = record({ level: "trace" });
  log("error", "Failed", { error: new TypeError("no such field"), count: 2n ** 64n, "@level": "trace" });
  const line = JSON.parse(lines[0]!);
  expect(line.error).toContain("TypeError: no such field");
  expect(line.count).toBe("18446744073709551616");
  expect(line["@level"]).toBe("error");
});

test.each([
  [{}, "off"],
  [{ TF_LOG: "" }, "off"],
  [{ TF_LOG: "DEBUG" }, "debug"],
  [{ TF_LOG: "json" }, "trace"],
  [{ TF_LOG: "loud" }, "trace"],
  [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "error" }, "error"],
  [{ TF_LOG: "TRACE", TF_LOG_PROVIDER: "OFF" }, "off"],
])("takes for %j the level %s", (env, level) => expect(logLevel(env)).toBe(level));

test("shows control characters as text, because Terraform prints messages and fields unchanged", () => {
  const { log, lines } = record({ level: "trace" });
  log("info", "id \u001b[2J\u009b1m", { path: "\u202ex", error: new Error("\u0007") });
  const { "@message": message, path: at, error } = JSON.parse(lines[0]!) as Record<string, string>;
  expect(message).toBe("id \\u001b[2J\\u009b1m");
  expect(at).toBe("\\u202ex");
  expect(error).toMatch(/^Error: \\u0007\n/);
});

test.each([
  ["panic", ["The terraform-provider-fixture_v0.1.0 plugin crashed!", "panic: Error: the fixture was told to"]],
  [
    "throw",
    ["[ERROR] provider.terraform-provider-fixture_v0.1.0: ApplyResourceChange failed:", "@module=provider.tenant"],
  ],
])("Terraform starts an installed provider, and shows its %s", async (text, words) => {
  const [folder, home, sockets] = [newFolder(), newFolder(), newFolder()];
  const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  const plugins = path.join(folder, "terraform.d/plugins/registry.terraform.io/example/fixture/0.1.0", platform);
  mkdirSync(plugins, { recursive: true });
  bundleFixture(path.join(plugins, "terraform-provider-fixture_v0.1.0"));
  const required = 'terraform {\n required_providers {\n fixture = { source = "example/fixture" }\n }\n}\n';
  writeFileSync(path.join(folder, "main.tf"), `${required}resource "fixture_note" "one" {\n text = "${text}"\n}\n`);
  const env = { HOME: home, TMPDIR: sockets, TF_LOG_PROVIDER: "ERROR" };
  const terraform = (...args: string[]) => run("terraform", [...args, "-no-color"], { cwd: folder, env });
  expect(await terraform("init")).toMatchObject({ code: 0 });
  const { code, stderr } = await terraform("apply", "-auto-approve");
  expect(code).toBe(1);
  for (const each of words) expect(stderr).toContain(each);
  expect(readdirSync(sockets)).toEqual([]);
});

describe("kept tokens", () => {
  let home: string;
  beforeEach(() => void (home = newFolder()));

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
    const shortTag = parts.with(2, Buffer.from(parts[2]!, "base64").subarray(0, 4).toString("base64"));
    for (const broken of [shortTag, null, [], ["", "", "", ""], [1, 2, 3, 4], {}, "text", parts.slice(0, 3)]) {
      await writeFile(file(), JSON.stringify([[key, broken]]));
      expect(store()!.read()).toBeUndefined();
    }
  });

  test.each(["false", "off", " NO ", "0", "flase"])("TENANT_KEEP_TOKEN=%j keeps no token", async (value) => {
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
});
