import { createLog, logLevel, type LogOptions } from "../../src/plugin/log";

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
])("takes for %j the level %s", (env, level) => {
  expect(logLevel(env)).toBe(level);
});

test("shows control characters as text, because Terraform prints messages and fields unchanged", () => {
  const { log, lines } = record({ level: "trace" });
  log("info", "id \u001b[2J\u009b1m", { path: "\u202ex", error: new Error("\u0007") });
  const { "@message": message, path, error } = JSON.parse(lines[0]!) as Record<string, string>;
  expect(message).toBe("id \\u001b[2J\\u009b1m");
  expect(path).toBe("\\u202ex");
  expect(error).toMatch(/^Error: \\u0007\n/);
});
