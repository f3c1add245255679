/** The embedded tenant that a stack starts: found again, replaced when it is gone, and ended with its folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { embeddedTenant } from "../../src/constructs/embedded-tenant";
import { startCommand } from "../emulator/process";

let folder: string;
const given = { ...process.env };
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  process.env.CDKTF_OUTDIR = path.join(folder, "cdktf.out");
});
afterEach(() => {
  process.env = { ...given };
  rmSync(folder, { recursive: true, force: true });
});

const answers = (url = "") =>
  fetch(`${url}/.well-known/jwks.json`).then(
    ({ ok }) => ok,
    () => false,
  );

test("starts a tenant once, whose settings hold no secret, and which ends with its folder", async () => {
  const settings = embeddedTenant();
  expect(settings).toEqual({
    endpoint: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    clientId: expect.stringMatching(/^\w+$/),
    clientAssertionPrivateKeyFile: expect.stringMatching(/client-key\.pem$/),
  });
  expect(embeddedTenant()).toEqual(settings);
  rmSync(folder, { recursive: true });
  while (await answers(settings.endpoint)) await new Promise(setImmediate);
});

test("starts a new tenant if another one listens at the address of the file", async () => {
  const other = await startCommand("--quiet");
  const { TENANT_ENDPOINT: url } = other.exports;
  mkdirSync(process.env.CDKTF_OUTDIR!);
  const file = `# written by tenantform emulate, and removed when it ends\nTENANT_ENDPOINT=${url}\nTENANT_CLIENT_ID=x\nTENANT_CLIENT_SECRET=y\n`;
  writeFileSync(path.join(process.env.CDKTF_OUTDIR!, "embedded-tenant.env"), file);
  const { endpoint } = embeddedTenant();
  expect(endpoint).not.toBe(url);
  expect(await answers(endpoint)).toBe(true);
  await other.end("SIGTERM");
});

test.each(["TENANT_ENDPOINT", "TENANT_EMBEDDED_ENDPOINT"])("starts none if %s names one", (name) => {
  process.env[name] = "http://127.0.0.1:1";
  expect(embeddedTenant()).toEqual({});
});

test("says why it cannot start", () => {
  writeFileSync(process.env.CDKTF_OUTDIR!, "");
  expect(() => embeddedTenant()).toThrow(/^No embedded tenant for this stack\. .*cdktf\.out/);
});
