/** Builds the request that has the given facts. */
import { apiOf, requestOf } from "../../src/access/request";

test("uses the address as connecting address if none is given", () => {
  const ip = "203.0.113.7";
  expect(requestOf("/api/v2/", { ip })).toEqual({ api: "management", ip, connecting_ip: ip });
  const connecting_ip = "198.51.100.7";
  expect(requestOf("/authorize", { ip, connecting_ip })).toEqual({ api: "authentication", ip, connecting_ip });
  expect(requestOf("/authorize", { ip, connecting_ip: undefined })).toMatchObject({ connecting_ip: ip });
});

test("leaves out unknown facts without a replacement", () => {
  const facts = { ip: "203.0.113.7", connecting_ip: Symbol(), country: Symbol(), managed: ["auth0.tor", Symbol()] };
  expect(requestOf("/api/v2/", facts)).toEqual({ api: "management", ip: "203.0.113.7" });
});

test("assigns every spelling of a path to the same API", () => {
  const management = [
    "/api/v2",
    "/api/v2/",
    "api/v2/users",
    "/api/v2/users?x=/authorize",
    "/scim/v2",
    "/%61pi/v2",
    "/%61%70%69/%762/x",
    "/./api/v2",
    "/x/../api/v2",
    "/x/%2e%2E/api/v2",
    "/x/.%2e/api/v2",
    "\\\\api\\v2".slice(1),
    "/api\\v2",
    "/../api/v2",
    "https://acme.example/api/v2/x",
    "HTTP://acme.example:1/%61pi/v2",
    "https://acme.example\\api/v2",
  ];
  const authentication = [
    "/authorize",
    "",
    "/",
    "/api",
    "/API/v2",
    "/api/v3",
    "/apiv2",
    "//api/v2",
    "/api//v2",
    "/%2561pi/v2",
    "/api%2Fv2",
    "/api/v2/..",
    "/api/v2/%2e%2e/x",
    "/authorize?x=/api/v2",
    "/authorize#/api/v2",
    "https://acme.example/?/api/v2",
    "/api;x/v2",
    "/api/v2;x",
    "https://acme.example",
    "/%zz",
  ];
  for (const path of management) expect([path, apiOf(path)]).toEqual([path, "management"]);
  for (const path of authentication) expect([path, apiOf(path)]).toEqual([path, "authentication"]);
  for (const path of ["/oidc/register", "/oidc/%72egister/", "/x/../oidc/register?y"]) {
    expect([path, apiOf(path)]).toEqual([path, "dynamic_client_registration"]);
  }
});
