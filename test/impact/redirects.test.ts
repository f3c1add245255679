/** Redirects that change their target: requests that go to another host, and targets without https. */
import { analyseAcls } from "../../src/impact/network-acl/analysis";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { judgeAcls } from "../../src/impact/network-acl/changes";
import { acl } from "./support/acls";

const redirect = (redirect_uri: unknown) => ({ action: { redirect: true, redirect_uri }, match: { asns: [1] } });
const effects = (before: readonly PlannedAcl[], after: readonly PlannedAcl[], hosts: readonly string[] = []) => {
  const own = new Set(hosts);
  return judgeAcls(analyseAcls({ before, after }, false, own), { before, after }, own);
};
const redirects = "Redirects sign-in and client registration";
const plain = '"ACL 1" (priority 1) redirects clients to a URI without https instead of one with https.';

test.each<[string, string, string[], [level: string, text: string][]]>([
  [
    "https://a.example/x",
    "https://evil.example/x",
    [],
    [["high", `${redirects} to evil.example, no longer to a.example, for requests with AS number 1.`]],
  ],
  [
    "https://a.example",
    "http://a.example",
    [],
    [
      ["high", plain],
      ["low", `${redirects} to a.example for requests with AS number 1.`],
    ],
  ],
  [
    "https://a.example",
    "http://b.example",
    [],
    [
      ["high", `${redirects} to b.example, no longer to a.example, for requests with AS number 1.`],
      ["high", plain],
    ],
  ],
  [
    "no url",
    "no other url",
    [],
    [["high", `${redirects} to no other url, no longer to no url, for requests with AS number 1.`]],
  ],
  [
    "https://a.example/x",
    "https://A.EXAMPLE/y",
    [],
    [["low", `${redirects} to a.example for requests with AS number 1.`]],
  ],
  ["http://a.example", "https://a.example", [], [["low", `${redirects} to a.example for requests with AS number 1.`]]],
  [
    "https://a.example",
    "https://b.example",
    ["b.example"],
    [["low", `${redirects} to b.example, no longer to a.example, for requests with AS number 1.`]],
  ],
])("from %s to %s with the own hosts %j", (from, to, hosts, found) => {
  const told = effects([acl(1, redirect(from))], [acl(1, redirect(to))], hosts);
  expect(new Set(told.map(({ code }) => code))).toEqual(new Set(["TNF-ACL-REDIRECT"]));
  expect(told.map(({ level, text }) => [level, text]).toSorted()).toEqual(found.toSorted());
});

test("is high although another ACL already redirects to that host", () => {
  const other = acl(2, { ...redirect("https://b.example"), match: { asns: [2] } });
  const found = effects([acl(1, redirect("https://a.example")), other], [acl(1, redirect("https://b.example")), other]);
  expect(found).toMatchObject([{ code: "TNF-ACL-REDIRECT", level: "high", address: "acl.1" }]);
});

test("does not show a sensitive target", () => {
  const sensitive = { rule: { action: { redirect_uri: true } } };
  const found = effects(
    [acl(1, redirect("https://a.example"), {}, sensitive)],
    [acl(1, redirect("https://b.example"), {}, sensitive)],
  );
  expect(found).toMatchObject([{ code: "TNF-ACL-REDIRECT", level: "high" }]);
  expect(JSON.stringify(found)).not.toMatch(/[ab]\.example/);
});
