/** The sentences about ACLs and changes in outcome. */
import type { Change } from "../../src/access/access";
import type { PlannedAcl } from "../../src/impact/network-acl/acl";
import { changeWords, shadowWords, titleOf } from "../../src/impact/network-acl/words";
import { acl } from "./support/acls";

test("titles an ACL by its description, else its address, else its id", () => {
  const { address: _address, ...unmanaged } = acl(1, {}, { description: null });
  const { id: _id, ...nameless } = unmanaged;
  expect(titleOf(undefined)).toBe("No ACL");
  expect(titleOf(acl(1, {}))).toBe('"ACL 1" (priority 1)');
  expect(titleOf(acl(1, {}, { description: null }))).toBe("acl.1 (priority 1)");
  expect(titleOf(unmanaged)).toBe("acl_1 (priority 1)");
  expect(titleOf(nameless)).toBe("an ACL (priority 1)");
  expect(titleOf({ ...acl(1, {}), unplaced: true })).toBe('"ACL 1" (priority 1, perhaps another tenant\'s)');
  expect(titleOf(acl(1, {}, { priority: Symbol("unknown") }))).toBe('"ACL 1" (priority not known yet)');
  expect(titleOf(acl(1, {}, {}, { priority: true }))).toBe('"ACL 1" (priority (sensitive))');
});

test("says why an ACL can never match", () => {
  expect(shadowWords([])).toBe("no request has all that its own criteria demand");
  expect(shadowWords([acl(1, {}), acl(2, {})])).toBe('shadowed by "ACL 1" (priority 1) and "ACL 2" (priority 2)');
});

describe("a change in outcome", () => {
  const witness = { path: "/login", ip: "192.0.2.1", connecting_ip: "192.0.2.1", country: "DE" };
  const change = (more: object) =>
    ({
      before: { outcome: "blocked", acl: acl(1, {}) },
      after: { outcome: "allowed" },
      certainty: "certain",
      assumptions: ["p", "q"],
      witness,
      ...more,
    }) as unknown as Change<PlannedAcl>;
  const request = "A request such as /login from 192.0.2.1, country DE";
  const redirected = { after: { outcome: "redirected", redirect_uri: "https://a.example", acl: acl(2, {}) } };

  test.each<[object, string[], string]>([
    [{}, [], `${request}: was blocked ("ACL 1" (priority 1)), will be allowed (no ACL matches).`],
    [
      { certainty: "possible" },
      [],
      `${request}: was blocked ("ACL 1" (priority 1)), will be allowed (no ACL matches), if p and q.`,
    ],
    [
      { certainty: "not decided", witness: undefined },
      [],
      'Some requests perhaps: was blocked ("ACL 1" (priority 1)), will be allowed (no ACL matches) (not decided).',
    ],
    [
      redirected,
      [],
      `${request}: was blocked ("ACL 1" (priority 1)), will be redirected to https://a.example ("ACL 2" (priority 2)).`,
    ],
    [
      redirected,
      ["redirect_uri"],
      `${request}: was blocked ("ACL 1" (priority 1)), will be redirected ("ACL 2" (priority 2)).`,
    ],
    [
      {},
      ["geo_country_codes"],
      'A request such as /login from 192.0.2.1, country (sensitive): was blocked ("ACL 1" (priority 1)), will be allowed (no ACL matches).',
    ],
  ])("is worded: %#", (more, secrets, words) => {
    expect(changeWords(change(more), new Set(secrets))).toBe(words);
  });
});
