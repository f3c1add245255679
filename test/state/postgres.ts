/**
 * Runs two applies at once on one state in PostgreSQL: `tsx test/state/postgres.ts`. This needs an installed server, and
 * removes its folder at the end.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { createEmulator } from "../../src/emulator/emulator";
import { install } from "../support/installation";
import { start } from "../support/program";

/** Debian does not have the server's programs on the search path. */
function programs(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, "bin")) : [];
  const found = [...versions, ...process.env.PATH!.split(":")].find((folder) =>
    existsSync(path.join(folder, "initdb")),
  );
  if (found === undefined) throw new Error("PostgreSQL is not installed: there is no initdb");
  return found;
}

/** The server refuses to run as root. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid!() !== 0) return {};
  const id = (kind: string) => Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Listens on a socket in its folder, and on no port. */
async function startServer(folder: string) {
  const user = owner();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  const bin = programs();
  const data = path.join(folder, "data");
  const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" }, ...user };
  execFileSync(path.join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "terraform", "--no-sync"], {
    ...options,
    stdio: "pipe",
  });
  const args = ["-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"];
  const child = spawn(path.join(bin, "postgres"), args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      output += String(chunk);
      if (output.includes("ready to accept connections")) resolve();
    });
    ended.then(() => reject(new Error(output)), reject);
  });
  return {
    connection: `postgres://terraform@/postgres?host=${encodeURIComponent(folder)}&sslmode=disable`,
    async close() {
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** A tenant that delays every create until `goOn`. */
async function startTenant() {
  const emulator = createEmulator();
  let arrive!: () => void;
  let goOn!: () => void;
  let arrived!: Promise<void>;
  let released!: Promise<void>;
  const hold = () => {
    arrived = new Promise((resolve) => (arrive = resolve));
    released = new Promise((resolve) => (goOn = resolve));
  };
  hold();
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.method === "POST" && request.url!.startsWith("/api/")) {
        arrive();
        await released;
      }
      const { method = "GET", url = "/", headers } = request;
      const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
      const forwarded = new Request(`http://${headers.host}${url}`, {
        method,
        headers: headers as Record<string, string>,
        body,
      });
      const received = await emulator.fetch(forwarded);
      response.writeHead(received.status, Object.fromEntries(received.headers));
      response.end(Buffer.from(await received.arrayBuffer()));
    })().catch((error: Error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: {
      TENANT_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    },
    hold,
    arrived: () => arrived,
    goOn: () => goOn(),
    count: () => emulator.store.rateLimitPolicies.size,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const backend = `terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
  backend "pg" {
    schema_name = "tenant_production"
  }
}
`;
const configuration = (selectors: readonly string[]) =>
  backend +
  selectors
    .map((selector, index) => {
      const content = `consumer_selector = "${selector}"\n  configuration {\n    action = "allow"\n  }`;
      return `resource "tenant_rate_limit_policy" "policy${index}" {\n  ${content}\n}\n`;
    })
    .join("\n");

async function main(): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-test-")));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const database = await startServer(folder);
    closing.unshift(database.close);
    const tenant = await startTenant();
    closing.unshift(tenant.close);
    const env = { ...tenant.env, PG_CONN_STR: database.connection };
    const open = async (...selectors: string[]) => {
      const place = await install("");
      closing.unshift(place.close);
      writeFileSync(path.join(place.directory, "main.tf"), configuration(selectors));
      const { code, stdout, stderr } = await place.terraform(["init"], env);
      assert.equal(code, 0, stdout + stderr);
      return place;
    };
    const apply = ["apply", "-auto-approve", "-no-color"];
    const one = await open("default");
    const other = await open("default");

    const first = start("terraform", apply, { cwd: one.directory, env });
    await tenant.arrived();
    const refused = await other.terraform(["apply", "-auto-approve"], env);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Error acquiring the state lock/);
    console.log("a second apply is refused while the first one runs");

    const waiting = start("terraform", [...apply, "-lock-timeout=60s"], { cwd: other.directory, env });
    await waiting.prints(/Acquiring state lock/);
    tenant.goOn();
    assert.match((await first.ended).stdout, /1 added/);
    const waited = await waiting.ended;
    assert.match(waited.stdout, /0 added, 0 changed, 0 destroyed/, waited.stderr);
    assert.equal(tenant.count(), 1);
    console.log("a waiting apply continues after the first one, and creates nothing twice");

    tenant.hold();
    const third = await open("default", "third_party_clients");
    const killed = start("terraform", apply, { cwd: third.directory, env });
    await tenant.arrived();
    killed.child.kill("SIGKILL");
    tenant.goOn();
    await killed.ended.catch(() => {});
    const after = await other.terraform(["plan", "-lock-timeout=60s"], env);
    assert.equal(after.code, 0, after.stdout + after.stderr);
    console.log("the lock of a killed apply is released");
  } finally {
    for (const close of closing) await close();
  }
}

main().catch((error: Error) => {
  console.error(error);
  process.exitCode = 1;
});
