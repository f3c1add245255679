/** No secret in logs and errors. */
import fc from "../support/random";
import { generateKeyPairSync } from "node:crypto";
import { inspect } from "node:util";
import { TenantError } from "../../src/tenant/error";
import { keepSecret, legible, legibleLog, type Level } from "../../src/tenant/secrets";
import type { TenantOptions } from "../../src/tenant/tenant";
import { aclBody, embed, type Embedded, policyBody, userIds } from "./support/embedded";
import { scripted } from "./support/scripted";

test("hides a secret in every form in which it can be echoed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 8, maxLength: 60 }), fc.string(), (secret, around) => {
      // A value of mostly blanks is not a secret.
      fc.pre(!around.includes(secret) && secret.trim().length >= 6);
      keepSecret(secret);
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        expect(legible(`${around} ${form} ${around}`)).toContain("(sensitive)");
      }
    }),
  );
});

test("hides every line of a key", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  keepSecret(pem);
  const [, line] = pem.split("\n");
  expect(legible(`cannot read ${line}`)).toBe("cannot read (sensitive)");
  expect(legible(pem.replaceAll("\n", ""))).not.toContain(line);
  const head = "-----BEGIN PRIVATE KEY-----";
  expect(legible(`no ${head}`)).toBe(`no ${head}`);
});

test("hides a secret as a whole if another secret is a part of it", () => {
  keepSecret("inner-secret");
  keepSecret("outer-inner-secret-outer");
  expect(legible("with outer-inner-secret-outer and inner-secret")).toBe("with (sensitive) and (sensitive)");
});

test("hides a secret without the blanks around it", () => {
  keepSecret("  padded secret\t");
  keepSecret("q7x9z2");
  expect(legible("with padded secret and q7x9z2")).toBe("with (sensitive) and (sensitive)");
});

test("does not hide values that are too short to be a secret", () => {
  keepSecret("a", "the", undefined, "");
  expect(legible("all the words")).toBe("all the words");
});

test("shows control characters as text", () => {
  expect(legible("\u001b[31mred\u001b[0m\r\n\u0007\u009b1m \u202ea\u{e0041}bc\u2066")).toBe(
    "\\u001b[31mred\\u001b[0m\\u000d\\n\\u0007\\u009b1m \\u202ea\\udb40\\udc41bc\\u2066",
  );
  expect(legible("Zürich, 東京, 👩‍💻, ok")).toBe("Zürich, 東京, 👩‍💻, ok");
});

test("applies to all errors and log lines", () => {
  keepSecret("hidden-value-1");
  const details = { serviceCode: "\u001b[1mx", requestId: "hidden-value-1" };
  expect(new TenantError("conflict", "it is hidden-value-1\u001b[2J", details)).toMatchObject({
    message: "it is (sensitive)\\u001b[2J",
    serviceCode: "\\u001b[1mx",
    requestId: "(sensitive)",
  });
  const lines: unknown[] = [];
  legibleLog((...line) => lines.push(line))("info", "with hidden-value-1", { a: "hidden-value-1", b: 1 });
  expect(lines).toEqual([["info", "with (sensitive)", { a: "(sensitive)", b: 1 }]]);
});

test("hides secrets that the service echoes", async () => {
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const privateKey = key.export({ type: "pkcs8", format: "pem" }).toString();
  const told: string[] = [];
  const tell = (options: Pick<TenantOptions, "credentials"> & { endpoint?: string }, refuseToken: boolean) =>
    scripted(
      ({ path, headers, body }) => {
        if (path.endsWith("/oauth/token") && !refuseToken) return { body: { access_token: "granted-token-42" } };
        const echo = JSON.stringify({ headers, body, endpoint: options.endpoint });
        return { status: 400, body: { message: echo, error: echo, errorCode: echo } };
      },
      { log: (...line) => told.push(JSON.stringify(line)), ...options },
    ).tenant.networkAcls.list();
  const clients = [
    { kind: "client_secret", clientId: "me", clientSecret: 'secret-with-"quotes"-and-ü' },
    { kind: "private_key", clientId: "me", privateKey },
    { kind: "access_token", accessToken: "ready-token-77" },
  ] as const;
  for (const credentials of clients) {
    for (const refuseToken of [true, false]) {
      const endpoint = "https://me:pass%20word-99@acme.example";
      const error: Error = await tell({ credentials, endpoint }, refuseToken).catch((reason) => reason);
      expect(error).toBeInstanceOf(TenantError);
      told.push(error.message, JSON.stringify(error));
    }
  }
  const all = told.join("\n");
  expect(all).toContain("(sensitive)");
  expect(all).not.toMatch(/secret-with|granted-token|ready-token|pass%20word|pass word|eyJ[\w-]{10}/);
  for (const line of privateKey.split("\n").filter((each) => each.length > 40)) expect(all).not.toContain(line);
});

let embedded: Embedded;

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
