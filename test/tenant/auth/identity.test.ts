/** The token names the tenant, the same for all its domains. */
import { tenantOf } from "../../../src/tenant/auth/token";

const canonical = "https://acme.eu.auth0.com/";

test.each([
  ["the canonical domain", { iss: canonical, aud: `${canonical}api/v2/` }],
  ["a custom domain", { iss: "https://login.example.com/", aud: `${canonical}api/v2/` }],
  ["several audiences", { iss: canonical, aud: [`${canonical}userinfo`, `${canonical}api/v2/`] }],
  ["another spelling", { iss: canonical, aud: "https://ACME.eu.auth0.com:443/api/v2" }],
  ["another audience", { iss: canonical, aud: "urn:management" }],
])("names the tenant by its canonical domain: %s", (_, claims) => {
  expect(tenantOf(claims)).toBe("acme.eu.auth0.com");
});

test("names an embedded tenant by its instance", () => {
  expect(tenantOf({ iss: "http://127.0.0.1:1/", aud: "http://127.0.0.1:1/api/v2/", instance: "ab" })).toBe(
    "embedded-ab",
  );
});

test.each([undefined, {}, { iss: 1, aud: [null] }, { iss: "acme", aud: "" }, { instance: "" }])(
  "knows no tenant of %j",
  (claims) => {
    expect(tenantOf(claims as never)).toBeUndefined();
  },
);
