/** Checks that `Action` and `Match` return exactly the literals. */
import { TerraformVariable } from "cdktf";
import { Action, Match } from "../../src/constructs";
import { openProject } from "./support/project";

test("writes actions", () => {
  expect([Action.allow(), Action.block(), Action.log(), Action.redirect("https://example.com/")]).toEqual([
    { allow: true },
    { block: true },
    { log: true },
    { redirect: true, redirectUri: "https://example.com/" },
  ]);
});

test("puts addresses into the list of their family", () => {
  expect(Match.addresses("203.0.113.0/24", "2001:db8::/32", "::ffff:192.0.2.1")).toEqual({
    ipv4Cidrs: ["203.0.113.0/24"],
    ipv6Cidrs: ["2001:db8::/32", "::ffff:192.0.2.1"],
  });
  expect(Match.through("198.51.100.7")).toEqual({ connectingIpv4Cidrs: ["198.51.100.7"] });
});

test("refuses an unknown address, because its family is unknown", () => {
  const project = openProject();
  const { stringValue } = new TerraformVariable(project.stack, "address", {});
  expect(() => Match.addresses("203.0.113.7", stringValue)).toThrow(/Give it as ipv4Cidrs or ipv6Cidrs/);
  project.close();
});

test("combines signals, and entries of one signal", () => {
  expect(Match.both(Match.countries("DE"), Match.networks(64496), Match.countries("AT"), Match.anonymizers())).toEqual({
    geoCountryCodes: ["DE", "AT"],
    asns: [64496],
    auth0Managed: ["auth0.tor", "auth0.vpn", "auth0.proxy"],
  });
  expect(Match.hostnames("login.example.com")).toEqual({ hostnames: ["login.example.com"] });
});
