import { proxyFor } from "../../../src/tenant/http/connector";

const https = "https://acme.eu.auth0.com";

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128"],
  [{ https_proxy: "proxy:3128" }, "http://proxy:3128"],
  [{ HTTP_PROXY: "http://proxy:3128" }, undefined],
  [{ HTTPS_PROXY: "", https_proxy: "http://proxy:3128" }, "http://proxy:3128"],
  [{ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "*" }, undefined],
  [{ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "other.com, auth0.com" }, undefined],
  [{ HTTPS_PROXY: "http://proxy:3128", no_proxy: ".Auth0.com" }, undefined],
  [{ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "*.eu.auth0.com:443" }, undefined],
  [{ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "auth0.com:8443" }, "http://proxy:3128"],
  [{ HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "th0.com" }, "http://proxy:3128"],
])("chooses for %j the proxy %s", (environment, proxy) => {
  expect(proxyFor(https, environment)).toBe(proxy);
});

test("connects directly to this machine", () => {
  for (const origin of ["http://127.0.0.1:8080", "http://localhost:1", "http://[::1]:1"]) {
    expect(proxyFor(origin, { HTTP_PROXY: "http://proxy:3128" })).toBeUndefined();
  }
  expect(proxyFor("http://tenant:80", { HTTP_PROXY: "http://proxy:3128" })).toBe("http://proxy:3128");
});

test("takes the port of the protocol for an address without a port", () => {
  const environment = { HTTP_PROXY: "http://proxy:3128", HTTPS_PROXY: "http://proxy:3128" };
  const direct = ["http://tenant", "https://tenant", "http://tenant:443"].map((origin) =>
    ["tenant:80", "tenant:443"].map((exempt) => proxyFor(origin, { ...environment, NO_PROXY: exempt }) === undefined),
  );
  expect(direct).toEqual([
    [true, false],
    [false, true],
    [false, true],
  ]);
});

test("ignores entries of NO_PROXY without a name, even for a name that ends with a dot", () => {
  for (const exempt of ["", ",", " other ,", ".", "*.", ":443"]) {
    const environment = { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: exempt };
    expect(proxyFor("https://acme.example.", environment)).toBe("http://proxy:3128");
  }
});
