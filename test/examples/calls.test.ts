/** The table of calls in docs/guides/how-it-works.md, beside what the client sends. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { embed } from "../tenant/support/embedded";

const page = readFileSync(path.join(__dirname, "../../docs/guides/how-it-works.md"), "utf8");
const [, changes = "", reads = ""] = page.split(/^## (?:From a change|What a plan|The token).*$/m);
const callsIn = (text: string) =>
  [...new Set([...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)].map(([, call]) => call!))].toSorted();

const organization = "org_9ybsU1dN2dKfDkBi";
const acl = {
  description: "a",
  active: true,
  priority: 1,
  rule: { action: { log: true as const }, match: { asns: [1] }, scope: "tenant" },
};
const policy = {
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "default",
  configuration: { action: "log", limit: 1 },
};

test("names each call that a change or a plan sends, and no other", async () => {
  const { tenant, lines, close } = await embed({
    seed: { organizations: [{ id: organization, name: "a", members: [] }] },
    flags: ["tenant_acl_hmac_signature"],
  });
  const sent = () =>
    [
      ...new Set(
        lines().map((line) =>
          line
            .replace(/ \d+$/, "")
            .replace(/\?.*/, "")
            .replace(/(acl|rlp|key|org)_\w+/, "{id}"),
        ),
      ),
    ].toSorted();
  try {
    const { networkAcls, networkAclKeys, rateLimitPolicies, organizationMembers } = tenant;
    await Promise.all([
      networkAcls.list(),
      networkAclKeys.list(),
      rateLimitPolicies.list(),
      organizationMembers.list(organization),
    ]);
    expect(callsIn(reads)).toEqual(sent());
    const { id } = await networkAcls.create(acl);
    await networkAcls.replace(id, { ...acl, active: false });
    await networkAcls.delete(id);
    const key = await networkAclKeys.create(
      { name: "edge", alg: "hmac-sha256", value: Buffer.alloc(32, 1).toString("base64") },
      "",
    );
    await networkAclKeys.delete(key.id);
    const { id: limit } = await rateLimitPolicies.create(policy);
    await rateLimitPolicies.update(limit, { action: "log", limit: 2 });
    await rateLimitPolicies.delete(limit);
    await organizationMembers.add(organization, ["auth0|a"]);
    await organizationMembers.remove(organization, ["auth0|a"]);
    expect(callsIn(changes)).toEqual(sent().filter((line) => !line.startsWith("GET ")));
  } finally {
    await close();
  }
});
