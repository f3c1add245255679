import type { NetworkAcl } from "../../src/tenant/network-acl";
import { PriorityTaken } from "../../src/tenant/priority-taken";

const wanted = { description: "mine", priority: 2 };

test("the holder of a place is told by name and id, by the id alone where no more is known", () => {
  const by = (description?: string) => new PriorityTaken(wanted, { id: "acl_1", priority: 2, description }, false, {});
  expect(by("theirs").message).toBe('Network ACL "theirs" (acl_1) already has priority 2, which "mine" needs.');
  expect(by().message).toBe('Network ACL acl_1 already has priority 2, which "mine" needs.');
});

test("one that has stepped aside is told to stand there", () => {
  const standing = { priority: 7 } as NetworkAcl;
  const { message } = new PriorityTaken(wanted, { id: "acl_1", priority: 2 }, false, {}, standing);
  expect(message).toBe('Network ACL acl_1 already has priority 2, which "mine" needs. "mine" has priority 7 for now.');
});
