/** The cost of loading the client in a process that never makes a request. */
import path from "node:path";
import { succeed } from "../support/program";

test("does not load jose before the first request", async () => {
  const program = `
    const { createTenant } = require("./src/tenant/tenant.ts");
    const tenant = createTenant({
      endpoint: "http://127.0.0.1:1",
      credentials: { kind: "access_token", accessToken: "t" },
      userAgent: "tests/1",
    });
    tenant.close().then(() => {
      const loaded = Object.keys(require.cache).filter((name) => /tenant|jose/.test(name));
      console.log(JSON.stringify(loaded.map((name) => /jose/.exec(name)?.[0] ?? "ours")));
    });
  `;
  const cwd = path.join(__dirname, "../..");
  const printed = await succeed(process.execPath, ["--import", "tsx", "-e", program], { cwd });
  expect([...new Set(JSON.parse(printed))]).toEqual(["ours"]);
});
