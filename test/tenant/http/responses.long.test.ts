/** Every operation gets every status, and accepts only documented responses. Statuses in use come with every kind of body. */
import { TenantError } from "../../../src/tenant/error";
import type { Exchange } from "../../../src/tenant/http/call";
import type { Tenant } from "../../../src/tenant/tenant";
import { aclBody, policyBody } from "../support/embedded";
import { scripted, type Reply } from "../support/scripted";

type Work = (tenant: Tenant) => Promise<unknown>;

/** With the statuses that are documented as success. */
const rows: readonly [string, Exchange["method"], RegExp, number[], Work][] = [
  ["ACL list", "GET", /\/network-acls\?/, [200], (at) => at.networkAcls.list()],
  ["ACL read", "GET", /\/network-acls\/acl_1$/, [200], (at) => at.networkAcls.get("acl_1")],
  ["ACL create", "POST", /\/network-acls$/, [201], (at) => at.networkAcls.create(aclBody(1))],
  [
    "ACL replace",
    "PUT",
    /\/network-acls\/acl_1$/,
    [200],
    (at) => at.networkAcls.replace("acl_1", aclBody(1), { priority: 1 }),
  ],
  ["ACL delete", "DELETE", /\/network-acls\/acl_1$/, [200, 204], (at) => at.networkAcls.delete("acl_1")],
  ["policy list", "GET", /\/rate-limit-policies\?/, [200], (at) => at.rateLimitPolicies.list()],
  ["policy read", "GET", /\/rate-limit-policies\/rlp_1$/, [200], (at) => at.rateLimitPolicies.get("rlp_1")],
  ["policy create", "POST", /\/rate-limit-policies$/, [201], (at) => at.rateLimitPolicies.create(policyBody(1))],
  [
    "policy update",
    "PATCH",
    /\/rate-limit-policies\/rlp_1$/,
    [200],
    (at) => at.rateLimitPolicies.update("rlp_1", { action: "allow" }),
  ],
  ["policy delete", "DELETE", /\/rate-limit-policies\/rlp_1$/, [204], (at) => at.rateLimitPolicies.delete("rlp_1")],
  ["members list", "GET", /\/members\?/, [200], (at) => at.organizationMembers.list("org_1")],
  ["members add", "POST", /\/members$/, [204], (at) => at.organizationMembers.add("org_1", ["auth0|1"])],
  ["members remove", "DELETE", /\/members$/, [204], (at) => at.organizationMembers.remove("org_1", ["auth0|1"])],
  ["token", "POST", /\/oauth\/token$/, [200], (at) => at.networkAcls.list()],
];
const operations = rows.map(([name, method, path, documented, work]) => ({ name, method, path, documented, work }));

type Operation = (typeof operations)[number];

const bodies: Record<string, (status: number) => string> = {
  "no body": () => "",
  null: () => "null",
  "{}": () => "{}",
  html: () => "<html><body>Sign in to this network</body></html>",
  truncated: () => '[{"id":"acl_1","descr',
  "the service's error": (statusCode) => JSON.stringify({ statusCode, error: "e", message: "m" }),
};

/** The rest of an empty tenant. */
function wellAnswered({ path }: Exchange): Reply {
  const body = path.endsWith("/oauth/token")
    ? { access_token: "granted", expires_in: 86400 }
    : path.includes("/network-acls")
      ? []
      : path.includes("/members")
        ? { members: [], total: 0 }
        : { rate_limit_policies: [] };
  return { body };
}

/** A client of a tenant with this response to one operation, and the number of its requests. */
function tenantThat(operation: Operation, answer: Reply) {
  let now = 0;
  let asked = 0;
  const sleep = async (ms: number) => void (now += ms);
  const { tenant } = scripted(
    (request) => {
      if (request.method !== operation.method || !operation.path.test(request.path)) return wellAnswered(request);
      asked++;
      return answer;
    },
    {
      credentials: { kind: "client_secret", clientId: "me", clientSecret: "hush" },
      random: () => 0.9,
      maxRetryWait: 60_000,
      clock: { now: () => now, sleep },
    },
  );
  return { tenant, asked: () => asked };
}

// The test makes thousands of errors, and nobody reads their stacks.
const { stackTraceLimit } = Error;
beforeAll(() => void (Error.stackTraceLimit = 0));
afterAll(() => void (Error.stackTraceLimit = stackTraceLimit));

const everyStatus = Array.from({ length: 500 }, (_, index) => 100 + index);
/** Registered ones, the ends of each class, and some that servers made up. */
const inUse = everyStatus.filter((status) => status % 100 <= 31 || status % 100 === 51 || status % 100 === 99);

/** The outcome of an operation for a status: `done` after success, else the error's code. */
async function outcomeOf(operation: Operation, answer: Reply): Promise<string> {
  try {
    const value = await operation.work(tenantThat(operation, answer).tenant);
    return value === undefined ? "done" : JSON.stringify(value);
  } catch (error) {
    return error instanceof TenantError ? error.code : `a defect: ${error}`;
  }
}

test.each(operations)("$name accepts only the documented statuses with the documented body", async (operation) => {
  const { documented, name } = operation;
  for (const [body, textOf] of Object.entries(bodies)) {
    const statuses = body === "the service's error" ? everyStatus : inUse;
    const outcomes = await Promise.all(
      statuses.map((status) => outcomeOf(operation, { status, body: textOf(status) })),
    );
    const having = (wanted: string) => statuses.filter((_, index) => outcomes[index] === wanted);
    const gone = body === "the service's error" ? [404] : [];
    const forgiving = /ACL (read|delete)|policy (read|delete)/.test(name);
    const empty = documented.includes(204) ? [204] : [];
    expect([body, having("done")]).toEqual([body, [...empty, ...(forgiving ? gone : [])]]);
    expect([body, having("not_found")]).toEqual([body, forgiving || name === "token" ? [] : gone]);
    const redirected = statuses.filter((status) => status >= 300 && status < 400);
    expect([body, having("redirected")]).toEqual([body, redirected]);
    expect(outcomes.filter((outcome) => /[^a-z_]/.test(outcome))).toEqual([]);
  }
});

test.each(operations)("$name neither follows nor repeats a redirect", async (operation) => {
  const headers = { location: "https://me:pass@portal.example/login\u001b[31m?token=hush" };
  const { tenant, asked } = tenantThat(operation, { status: 302, headers, body: "" });
  await expect(operation.work(tenant)).rejects.toMatchObject({
    code: "redirected",
    status: 302,
    message: expect.stringContaining("to https://…@portal.example/login\\u001b[31m?…. Tenantform follows no redirect."),
  });
  expect(asked()).toBe(1);
});
