/** The client as a whole: its cost at the start, its clock, and what it logs. */
import { generateKeyPairSync } from "node:crypto";
import { getEventListeners } from "node:events";
import path from "node:path";
import { inspect } from "node:util";
import { systemClock } from "../../src/tenant/clock";
import { TenantError } from "../../src/tenant/error";
import type { Level } from "../../src/tenant/log";
import type { Tenant } from "../../src/tenant/tenant";
import { succeed } from "../support/program";
import { aclBody, embed, type Embedded, policyBody, userIds } from "./support/embedded";
import { gate } from "./support/gate";
import { missing, scripted } from "./support/scripted";

const idOf: Record<string, (tenant: Tenant, id: string) => Promise<unknown>> = {
  "network ACL": ({ networkAcls }, id) => networkAcls.get(id),
  "network ACL to replace": ({ networkAcls }, id) => networkAcls.replace(id, aclBody(1)),
  "network ACL to delete": ({ networkAcls }, id) => networkAcls.delete(id),
  "rate limit policy": ({ rateLimitPolicies }, id) => rateLimitPolicies.get(id),
  "rate limit policy to change": ({ rateLimitPolicies }, id) => rateLimitPolicies.update(id, { action: "allow" }),
  "rate limit policy to delete": ({ rateLimitPolicies }, id) => rateLimitPolicies.delete(id),
  organization: ({ organizationMembers }, id) => organizationMembers.list(id),
  "organization of new members": ({ organizationMembers }, id) => organizationMembers.add(id, ["a"]),
  "organization of old members": ({ organizationMembers }, id) => organizationMembers.remove(id, ["a"]),
};

test.each(Object.entries(idOf))(
  "checks the id of a %s against the service's limits before a request",
  async (_, use) => {
    const { tenant, lines } = scripted(() => missing);
    for (const id of ["", ".", "..", "a\nb", "\ud800", "x".repeat(51)]) {
      await expect(use(tenant, id)).rejects.toMatchObject({ code: "invalid_id" });
    }
    await expect(use(tenant, "x".repeat(51))).rejects.toThrow(/cannot be the id of an? .*: it has 51 characters/);
    expect(lines).toEqual([]);
  },
);

test("encodes ids in paths", async () => {
  const { tenant, lines } = scripted(({ path: at }) =>
    at.endsWith("take=100") ? { body: { rate_limit_policies: [] } } : missing,
  );
  await tenant.rateLimitPolicies.get("a|b/c");
  expect(lines[1]).toBe("GET /rate-limit-policies/a%7Cb%2Fc");
});

test.each(["stop", "close"] as const)("ends calls that wait for the quota after %s", async (end) => {
  const arrival = gate();
  const { tenant } = scripted(
    () => {
      arrival.open();
      return { status: 429, headers: { "retry-after": "60" }, body: {} };
    },
    { clock: systemClock },
  );
  const reading = tenant.networkAcls.list();
  await arrival.opened;
  const other = tenant.networkAcls.get("acl_1");
  await tenant[end]();
  for (const waiting of [reading, other]) await expect(waiting).rejects.toMatchObject({ code: "stopped" });
});

test("leaves no listener on the signal after a sleep", async () => {
  const { signal } = new AbortController();
  await systemClock.sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("ends a sleep with the signal's reason, even if the signal aborted before", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(600_000, controller.signal);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(systemClock.sleep(1, controller.signal)).rejects.toThrow("enough");
});

test("does not end a sleep at once that is longer than the longest timer", async () => {
  const controller = new AbortController();
  const sleeping = systemClock.sleep(2 ** 31, controller.signal);
  await systemClock.sleep(10);
  controller.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
});

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

describe("log", () => {
  let embedded: Embedded;
  afterEach(() => embedded.close());

  interface Line {
    level: Level;
    message: string;
    fields: Record<string, unknown>;
  }

  function listen() {
    const lines: Line[] = [];
    const log = (level: Level, message: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, message, fields });
    return { lines, log };
  }

  test("shows no token, secret, key or assertion in a log or an error after any failure", async () => {
    const { lines, log } = listen();
    embedded = await embed({ seed: { organizations: [{ id: "org_1", members: userIds(20) }] } }, { log });
    const { emulator, client } = embedded;
    const key = await emulator.clientPrivateKey();
    const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 })
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
    const errors: unknown[] = [];
    const { clientId } = emulator;
    for (const credentials of [
      { kind: "client_secret", clientId, clientSecret: emulator.clientSecret },
      { kind: "client_secret", clientId, clientSecret: "wrong-secret-0123456789" },
      { kind: "private_key", clientId, privateKey: key },
      { kind: "private_key", clientId, privateKey: foreign },
      { kind: "private_key", clientId, privateKey: "broken-key-0123456789" },
      { kind: "access_token", accessToken: "foreign-token-0123456789" },
    ] as const) {
      const tenant = client({ credentials, timeouts: { exchange: 200 } });
      for (const fault of [{}, { status: 500 }, { reset: "after" }, { spoil: "malformed" }] as const) {
        const lift = emulator.faults.add({ times: 4, ...fault });
        const work = [
          tenant.networkAcls.create(aclBody(1 + errors.length)),
          tenant.rateLimitPolicies.create(policyBody(errors.length)),
          tenant.organizationMembers.add("org_1", userIds(3, 50)),
          tenant.networkAcls.list(),
        ];
        for (const outcome of await Promise.allSettled(work)) {
          if (outcome.status === "rejected") errors.push(outcome.reason);
        }
        lift();
      }
    }
    expect(errors.length).toBeGreaterThan(10);
    expect(errors.every((error) => error instanceof TenantError)).toBe(true);
    const told = inspect(
      { lines, errors },
      { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true },
    );
    const secrets = [
      emulator.clientSecret,
      "wrong-secret-0123456789",
      "broken-key-0123456789",
      "foreign-token-0123456789",
      ...[key, foreign].flatMap((pem) => pem.split("\n").filter((line) => line.length > 40)),
    ];
    for (const secret of secrets) expect(told.includes(secret)).toBe(false);
    // Tokens and assertions are JWTs, and every JWT begins with these characters.
    expect(told).not.toMatch(/eyJ[\w-]{10}/);
    expect(told).not.toMatch(/bearer /i);
    expect(told).toContain("POST /oauth/token");
  });
});
