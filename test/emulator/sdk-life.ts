/** A program that manages all three kinds of object with the public SDK, and prints the results. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

// The package of the working directory.
const { ManagementClient } = createRequire(path.join(process.cwd(), "program.js"))("auth0");

const { DOMAIN = "", CLIENT_ID = "", CLIENT_SECRET, KEY_FILE = "", ORGANIZATION = "" } = process.env;

const credentials =
  CLIENT_SECRET === undefined
    ? { clientAssertionSigningKey: readFileSync(KEY_FILE, "utf8") }
    : { clientSecret: CLIENT_SECRET };
const client = new ManagementClient({ domain: DOMAIN, clientId: CLIENT_ID, ...credentials });

async function networkAcls(): Promise<unknown> {
  const rule = { scope: "tenant", action: { block: true }, match: { ipv4_cidrs: ["192.0.2.0/24"] } };
  for (const priority of [1, 2, 3]) {
    await client.networkAcls.create({ description: `no ${priority}`, active: true, priority, rule });
  }
  const ids: string[] = [];
  for await (const acl of await client.networkAcls.list({ per_page: 2 })) ids.push(acl.id);
  const [first] = ids as [string];
  const put = await client.networkAcls.set(first, { description: "put", active: false, rule });
  const patched = await client.networkAcls.update(first, { description: "patched" });
  const got = await client.networkAcls.get(first);
  for (const id of ids) await client.networkAcls.delete(id);
  const gone = await client.networkAcls.get(first).then(
    () => "there",
    (error: unknown) => (error as { statusCode: number }).statusCode,
  );
  return [ids.length, put.priority, patched.description, got.description, got.rule, gone];
}

async function rateLimitPolicies(): Promise<unknown> {
  const kind = { resource: "oauth_authentication_api", consumer: "client" } as const;
  for (const consumer_selector of ["default", "cimd_clients", "third_party_clients"]) {
    await client.rateLimitPolicies.create({ ...kind, consumer_selector, configuration: { action: "block", limit: 9 } });
  }
  const selectors: string[] = [];
  const ids: string[] = [];
  for await (const policy of await client.rateLimitPolicies.list({ take: 2 })) {
    selectors.push(policy.consumer_selector);
    ids.push(policy.id);
  }
  const patched = await client.rateLimitPolicies.update(ids[0]!, { configuration: { action: "allow" } });
  const got = await client.rateLimitPolicies.get(ids[0]!);
  for (const id of ids) await client.rateLimitPolicies.delete(id);
  return [selectors, patched.configuration, got.configuration];
}

async function members(): Promise<unknown> {
  const { members: api } = client.organizations;
  const users = Array.from({ length: 25 }, (_, n) => `auth0|u${n}`);
  for (let at = 0; at < users.length; at += 10) await api.create(ORGANIZATION, { members: users.slice(at, at + 10) });
  const list = async () => {
    const found: string[] = [];
    for await (const member of await api.list(ORGANIZATION, { take: 10 })) found.push(member.user_id);
    return found.length;
  };
  const before = await list();
  await api.delete(ORGANIZATION, { members: users.slice(0, 10) });
  return [before, await list()];
}

async function main(): Promise<void> {
  const seen = { acls: await networkAcls(), policies: await rateLimitPolicies(), members: await members() };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
