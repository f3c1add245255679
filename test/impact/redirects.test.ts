/** Findings about the targets of redirects. */
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { redirectFindings } from "../../src/impact/network-acl/redirects";
import { acl } from "./support/acls";

const redirect = (redirect_uri: unknown) => ({ action: { redirect: true, redirect_uri }, match: { asns: [1] } });
const findings = (before: readonly PlannedAcl[], after: readonly PlannedAcl[], hosts: readonly string[] = []) =>
  redirectFindings({ before, after }, new Set(hosts));

describe("a redirect that changes its target", () => {
  const moved = (from: string, to: string, hosts: readonly string[] = []) =>
    findings([acl(1, redirect(from))], [acl(1, redirect(to))], hosts).map(({ level, text }) => [level, text]);

  test("is high if the host or the encryption changes", () => {
    expect(moved("https://a.example/x", "https://evil.example/x")).toEqual([
      ["high", '"ACL 1" (priority 1) redirects clients to another host: from a.example to evil.example.'],
    ]);
    expect(moved("https://a.example", "http://a.example")).toEqual([
      ["high", '"ACL 1" (priority 1) redirects clients to a URI without https instead of one with https.'],
    ]);
    expect(moved("https://a.example", "http://b.example")).toEqual([
      ["high", expect.stringMatching(/another host: from a\.example to b\.example, and .* without https/)],
    ]);
    expect(moved("no url", "no other url")).toHaveLength(1);
    expect(moved("https://a.example", "no url")[0]![1]).toContain("another host: from a.example to an unreadable host");
  });

  test("is no finding on the same host, with https again, or to a host of the tenant", () => {
    expect(moved("https://a.example/x", "https://A.EXAMPLE/y")).toEqual([]);
    expect(moved("http://a.example", "https://a.example")).toEqual([]);
    expect(moved("https://a.example", "https://b.example", ["b.example"])).toEqual([]);
    expect(moved("https://a.example", "http://b.example", ["b.example"])).toHaveLength(1);
  });

  test("is high although another ACL already redirects to that host", () => {
    const other = acl(2, { ...redirect("https://b.example"), match: { asns: [2] } });
    const found = findings(
      [acl(1, redirect("https://a.example")), other],
      [acl(1, redirect("https://b.example")), other],
    );
    expect(found).toMatchObject([{ code: "TNF-ACL-REDIRECT", level: "high", address: "acl.1" }]);
  });

  test("does not show a sensitive target", () => {
    const sensitive = { rule: { action: { redirect_uri: true } } };
    const [found] = findings(
      [acl(1, redirect("https://a.example"), {}, sensitive)],
      [acl(1, redirect("https://b.example"), {}, sensitive)],
    );
    expect(found!.text).toContain("another host: from (sensitive) to (sensitive).");
  });
});
