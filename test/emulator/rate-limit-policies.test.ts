import { createTenant, type Tenant } from "./client";

const policy = {
  resource: "oauth_authentication_api",
  consumer: "client",
  consumer_selector: "client_id:abc",
  configuration: { action: "block", limit: 5 },
};

const create = (tenant: Tenant, selector: string) =>
  tenant.call("POST", "/rate-limit-policies", { ...policy, consumer_selector: selector });

test("responds in the recorded forms from creation to deletion of a policy", async () => {
  const tenant = await createTenant();
  const created = await tenant.call("POST", "/rate-limit-policies", {
    ...policy,
    configuration: { redirect_uri: "https://a.example/", action: "redirect", limit: 0 },
  });
  expect(created.status).toBe(201);
  expect(Object.keys(created.body)).toEqual([
    "id",
    "resource",
    "consumer",
    "consumer_selector",
    "configuration",
    "created_at",
    "updated_at",
  ]);
  expect(Object.keys(created.body.configuration)).toEqual(["limit", "action", "redirect_uri"]);
  const { id } = created.body;
  expect(id).toMatch(/^rlp_\w{21}$/);
  const path = `/rate-limit-policies/${id}`;
  expect((await tenant.call("GET", path)).body).toEqual(created.body);

  const patched = await tenant.call("PATCH", path, { configuration: { action: "allow" } });
  expect(patched.body).toEqual({
    ...created.body,
    configuration: { action: "allow" },
    updated_at: expect.any(String),
  });
  const deleted = await tenant.call("DELETE", path);
  expect([deleted.status, deleted.text]).toEqual([204, ""]);
  for (const method of ["GET", "DELETE"]) {
    expect((await tenant.call(method, path)).body).toEqual({
      statusCode: 404,
      error: "Not Found",
      message: "The rate limit policy does not exist.",
    });
  }
});

test("writes times with up to six decimals and no trailing zeros", async () => {
  const tenant = await createTenant({ now: () => Date.parse("2026-08-01T10:20:30.5Z") });
  const [first, second] = [await create(tenant, "default"), await create(tenant, "cimd_clients")];
  expect(first.body.created_at).toMatch(/^2026-08-01T10:20:30\.5\d{0,4}[1-9]?Z$/);
  expect(second.body.created_at).toMatch(/^2026-08-01T10:20:30\.500\d{0,2}[1-9]Z$/);
  const whole = await createTenant({ now: () => Date.parse("2026-08-01T10:20:30Z") });
  expect((await create(whole, "default")).body.created_at).toBe("2026-08-01T10:20:30Z");
});

test.each([
  [{ ...policy, resource: "x" }, /No enum match for: x' on property resource\.$/],
  [{ ...policy, consumer: "user" }, /No enum match for: user' on property consumer\.$/],
  [{ ...policy, consumer_selector: "x".repeat(256) }, /String is too long \(256 chars\), maximum 255/],
  [{ ...policy, consumer_selector: "everybody" }, /on property consumer_selector\.$/],
  [{ ...policy, configuration: { action: "block" } }, /Missing required property: limit/],
  [{ ...policy, configuration: { action: "block", limit: 10001 } }, /Value 10001 is greater than maximum 10000/],
  [{ ...policy, configuration: { action: "block", limit: 1.5 } }, /Expected type integer but found type number/],
  [{ ...policy, configuration: { action: "allow", limit: 1 } }, /Additional properties not allowed: limit/],
  [{ ...policy, configuration: { action: "redirect", limit: 1 } }, /Missing required property: redirect_uri/],
  ...["http://a.example", "https://", "https:/a.example", "https://u:p@a.example", "https://a b", "HTTPS\\a"].map(
    (redirect_uri): [object, RegExp] => [
      { ...policy, configuration: { action: "redirect", limit: 1, redirect_uri } },
      /Object didn't pass validation for format strict-https-uri/,
    ],
  ),
  [{ ...policy, id: "rlp_1" }, /Additional properties not allowed: id/],
])("refuses %j", async (body, message) => {
  const tenant = await createTenant();
  const response = await tenant.call("POST", "/rate-limit-policies", body);
  expect(response.body).toMatchObject({
    statusCode: 400,
    errorCode: "invalid_body",
    message: expect.stringMatching(message),
  });
});

test("changes only the configuration", async () => {
  const tenant = await createTenant();
  const { body } = await create(tenant, "default");
  const response = await tenant.call("PATCH", `/rate-limit-policies/${body.id}`, policy);
  expect(response.body.message).toMatch(/Additional properties not allowed: resource,consumer,consumer_selector/);
});

test("refuses a second policy for the same resource, consumer and selector", async () => {
  const tenant = await createTenant();
  await create(tenant, "default");
  const response = await create(tenant, "default");
  expect(response.body).toMatchObject({
    statusCode: 409,
    message: "A rate limit policy with the same resource, consumer, and consumer_selector already exists.",
  });
});

const selectors = (body: { rate_limit_policies: { consumer_selector: string }[] }) =>
  body.rate_limit_policies.map(({ consumer_selector }) => consumer_selector);

test("lists by cursor, without next on the last page, even if policies are deleted in between", async () => {
  const tenant = await createTenant();
  for (let n = 1; n <= 5; n++) await create(tenant, `client_id:${n}`);
  const first = await tenant.call("GET", "/rate-limit-policies?take=2");
  expect(selectors(first.body)).toEqual(["client_id:1", "client_id:2"]);
  await tenant.call("DELETE", `/rate-limit-policies/${first.body.rate_limit_policies[1].id}`);
  const second = await tenant.call("GET", `/rate-limit-policies?take=2&from=${encodeURIComponent(first.body.next)}`);
  expect(selectors(second.body)).toEqual(["client_id:3", "client_id:4"]);
  const third = await tenant.call("GET", `/rate-limit-policies?take=2&from=${encodeURIComponent(second.body.next)}`);
  expect(selectors(third.body)).toEqual(["client_id:5"]);
  expect(third.body).not.toHaveProperty("next");
  const filtered = await tenant.call("GET", "/rate-limit-policies?consumer=client&consumer_selector=client_id%3A4");
  expect(selectors(filtered.body)).toEqual(["client_id:4"]);
  expect((await tenant.call("GET", "/rate-limit-policies?from=rubbish")).body.errorCode).toBe("invalid_query_string");
  expect((await tenant.call("GET", "/rate-limit-policies?take=0")).status).toBe(400);
});

test("refuses an id that is too long with 400, and one of another form with 404", async () => {
  const tenant = await createTenant();
  const body = { configuration: { action: "allow" } };
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const sent = method === "PATCH" ? body : undefined;
    const long = await tenant.call(method, `/rate-limit-policies/rlp_${"1".repeat(23)}`, sent);
    expect(long.body).toMatchObject({ statusCode: 400, errorCode: "invalid_uri" });
    expect((await tenant.call(method, "/rate-limit-policies/x", sent)).status).toBe(404);
  }
});
