/** The request that facts are of. */
import { requestOf } from "../../src/access/request";

test("whoever asks connects by itself, where nothing else is said", () => {
  const ip = "203.0.113.7";
  expect(requestOf("/api/v2/", { ip })).toEqual({ api: "management", ip, connecting_ip: ip });
  const connecting_ip = "198.51.100.7";
  expect(requestOf("/authorize", { ip, connecting_ip })).toEqual({ api: "authentication", ip, connecting_ip });
  expect(requestOf("/authorize", { ip, connecting_ip: undefined })).toMatchObject({ connecting_ip: ip });
});

test("what is not known yet is left out, and nothing takes its place", () => {
  const facts = { ip: "203.0.113.7", connecting_ip: Symbol(), country: Symbol(), managed: ["auth0.tor", Symbol()] };
  expect(requestOf("/api/v2/", facts)).toEqual({ api: "management", ip: "203.0.113.7" });
});
