// What loading the client costs a process that never makes a request.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

test("neither undici nor jose is loaded before the first request", () => {
  const root = join(__dirname, "../..");
  const program = `
    const { createTenant } = require("./src/tenant/tenant.ts");
    const tenant = createTenant({
      endpoint: "http://127.0.0.1:1",
      credentials: { kind: "access_token", accessToken: "t" },
      userAgent: "tests/1",
    });
    tenant.close().then(() => {
      const loaded = Object.keys(require.cache).filter((name) => /tenant|undici|jose/.test(name));
      console.log(JSON.stringify(loaded.map((name) => /(undici|jose)/.exec(name)?.[0] ?? "ours")));
    });
  `;
  const { PATH } = process.env;
  const printed = execFileSync(process.execPath, ["--import", "tsx", "-e", program], { cwd: root, env: { PATH } });
  expect([...new Set(JSON.parse(printed.toString()))]).toEqual(["ours"]);
});
