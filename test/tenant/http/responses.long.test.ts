/** Every operation gets every status, and accepts only documented responses. Statuses in use come with every kind of body. */
import { TenantError } from "../../../src/tenant/error";
import type { Exchange, RawResponse } from "../../../src/tenant/http/call";
import { createTenant, type Tenant } from "../../../src/tenant/tenant";
import { aclBody, policyBody } from "../support/embedded";

interface Operation {
  name: string;
  method: Exchange["method"];
  path: RegExp;
  /** The statuses that are documented as success. */
  documented: number[];
  work(tenant: Tenant): Promise<unknown>;
}

const rows: readonly [string, Exchange["method"], RegExp, number[], Operation["work"]][] = [
  ["ACL list", "GET", /\/network-acls\?/, [200], ({ networkAcls }) => networkAcls.list()],
  ["ACL read", "GET", /\/network-acls\/acl_1$/, [200], ({ networkAcls }) => networkAcls.get("acl_1")],
  ["ACL create", "POST", /\/network-acls$/, [201], ({ networkAcls }) => networkAcls.create(aclBody(1))],
  [
    "ACL replace",
    "PUT",
    /\/network-acls\/acl_1$/,
    [200],
    ({ networkAcls }) => networkAcls.replace("acl_1", aclBody(1), { priority: 1 }),
  ],
  ["ACL delete", "DELETE", /\/network-acls\/acl_1$/, [200, 204], ({ networkAcls }) => networkAcls.delete("acl_1")],
  ["policy list", "GET", /\/rate-limit-policies\?/, [200], ({ rateLimitPolicies }) => rateLimitPolicies.list()],
  [
    "policy read",
    "GET",
    /\/rate-limit-policies\/rlp_1$/,
    [200],
    ({ rateLimitPolicies }) => rateLimitPolicies.get("rlp_1"),
  ],
  [
    "policy create",
    "POST",
    /\/rate-limit-policies$/,
    [201],
    ({ rateLimitPolicies }) => rateLimitPolicies.create(policyBody(1)),
  ],
  [
    "policy update",
    "PATCH",
    /\/rate-limit-policies\/rlp_1$/,
    [200],
    ({ rateLimitPolicies }) => rateLimitPolicies.update("rlp_1", { action: "allow" }),
  ],
  [
    "policy delete",
    "DELETE",
    /\/rate-limit-policies\/rlp_1$/,
    [204],
    ({ rateLimitPolicies }) => rateLimitPolicies.delete("rlp_1"),
  ],
  ["members list", "GET", /\/members\?/, [200], ({ organizationMembers }) => organizationMembers.list("org_1")],
  [
    "members add",
    "POST",
    /\/members$/,
    [204],
    ({ organizationMembers }) => organizationMembers.add("org_1", ["auth0|1"]),
  ],
  [
    "members remove",
    "DELETE",
    /\/members$/,
    [204],
    ({ organizationMembers }) => organizationMembers.remove("org_1", ["auth0|1"]),
  ],
  ["token", "POST", /\/oauth\/token$/, [200], ({ networkAcls }) => networkAcls.list()],
];
const operations = rows.map(([name, method, path, documented, work]): Operation => ({
  name,
  method,
  path,
  documented,
  work,
}));

const bodies: Record<string, (status: number) => string> = {
  "no body": () => "",
  null: () => "null",
  "{}": () => "{}",
  html: () => "<html><body>Sign in to this network</body></html>",
  truncated: () => '[{"id":"acl_1","descr',
  "the service's error": (statusCode) => JSON.stringify({ statusCode, error: "e", message: "m" }),
};

/** The rest of an empty tenant. */
function wellAnswered({ path }: Exchange): RawResponse {
  const body = path.endsWith("/oauth/token")
    ? { access_token: "granted", expires_in: 86400 }
    : path.includes("/network-acls")
      ? []
      : path.includes("/members")
        ? { members: [], total: 0 }
        : { rate_limit_policies: [] };
  return { status: 200, headers: {}, text: JSON.stringify(body) };
}

/** A client of a tenant with this response to one operation, and the number of its requests. */
function tenantThat(operation: Pick<Operation, "method" | "path">, answer: RawResponse) {
  let now = 0;
  let asked = 0;
  const sleep = async (ms: number) => void (now += ms);
  const isMeant = ({ method, path }: Exchange) => method === operation.method && operation.path.test(path);
  const exchange = async (request: Exchange) => {
    if (!isMeant(request)) return wellAnswered(request);
    asked++;
    return answer;
  };
  const tenant = createTenant({
    endpoint: "https://acme.example",
    credentials: { kind: "client_secret", clientId: "me", clientSecret: "hush" },
    userAgent: "tests/1",
    random: () => 0.9,
    maxRetryWait: 60_000,
    clock: { now: () => now, sleep },
    transport: { exchange, stop() {}, async close() {} },
  });
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
async function outcomeOf(operation: Operation, answer: RawResponse): Promise<string> {
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
      statuses.map((status) => outcomeOf(operation, { status, headers: {}, text: textOf(status) })),
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
  const { tenant, asked } = tenantThat(operation, { status: 302, headers, text: "" });
  await expect(operation.work(tenant)).rejects.toMatchObject({
    code: "redirected",
    status: 302,
    message: expect.stringContaining("to https://…@portal.example/login\\u001b[31m?…. Tenantform follows no redirect."),
  });
  expect(asked()).toBe(1);
});
