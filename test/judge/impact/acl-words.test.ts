/** The words for a network ACL. Those for a request and its outcome are in words/shapes.test.ts. */
import { notKnown } from "../../../src/formats/cty/value";
import type { PlannedAcl } from "../../../src/judge/impact/network-acl/acl";
import { aclWords } from "../../../src/judge/impact/network-acl/words";
import { acl, block } from "./support/acls";
import { table } from "./support/table";

const secrets = (...names: string[]): ReadonlySet<string> => new Set(names);
const wall = acl(90, { action: block });

test("an ACL", () => {
  const { address: _address, ...unmanaged } = { ...wall, description: "" };
  const { id: _id, ...unnamed } = unmanaged;
  const cases: [string, PlannedAcl][] = [
    ["with a description", { ...wall, description: "Wall", id: "acl_1" }],
    ["with a long description", { ...wall, description: "d".repeat(120) }],
    ["without a description", { ...wall, description: "", address: "acl.a", id: "acl_1" }],
    ["without an address", unmanaged],
    ["without an id", unnamed],
    ["with a sensitive priority", { ...wall, secret: secrets("priority") }],
    ["with a sensitive rule", { ...wall, secret: secrets("ja3") }],
    ["with an unknown priority", { ...wall, priority: notKnown("priority") }],
    ["that may be another tenant's", { ...wall, tenantUnknown: true }],
  ];
  const found = table(cases, (one) => [aclWords(one)]);
  expect(found).toMatchInlineSnapshot(`
    "
    with a description: ACL "Wall" (priority 90)
    with a long description: ACL "ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd…" (priority 90)
    without a description: ACL acl.a (priority 90)
    without an address: ACL acl_90 (priority 90)
    without an id: an ACL (priority 90)
    with a sensitive priority: ACL "ACL 90" (priority (sensitive))
    with a sensitive rule: ACL "ACL 90" (priority 90)
    with an unknown priority: ACL "ACL 90" (priority not known yet)
    that may be another tenant's: ACL "ACL 90" (priority 90, perhaps another tenant's)
    "
  `);
});
