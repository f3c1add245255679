import type { NetworkAcl } from "../../src/tenant/network-acl";
import { PriorityTaken } from "../../src/tenant/priority-taken";

const wanted = { description: "mine", priority: 2 };

test("names the holder of a priority by name and id, or by the id alone", () => {
  const by = (description?: string) => new PriorityTaken(wanted, { id: "acl_1", priority: 2, description }, false, {});
  expect(by("theirs").message).toBe('Network ACL "theirs" (acl_1) already has priority 2, which "mine" needs.');
  expect(by().message).toBe('Network ACL acl_1 already has priority 2, which "mine" needs.');
});

test("says at which priority an ACL is that stepped aside", () => {
  const standing = { priority: 7 } as NetworkAcl;
  const { message } = new PriorityTaken(wanted, { id: "acl_1", priority: 2 }, false, {}, standing);
  expect(message).toBe('Network ACL acl_1 already has priority 2, which "mine" needs. "mine" has priority 7 for now.');
});
