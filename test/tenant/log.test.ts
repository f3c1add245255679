import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { TenantError } from "../../src/tenant/error";
import type { Level } from "../../src/tenant/log";
import { aclBody, embed, policyBody, userIds, type Embedded } from "./support/embedded";

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
  const told = inspect({ lines, errors }, { depth: 20, maxStringLength: null, maxArrayLength: null, showHidden: true });
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
