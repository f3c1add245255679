import type { NetworkAcl } from "../../src/tenant/network-acl";
import { PriorityTaken } from "../../src/tenant/priority-taken";

const wanted = { description: "mine", priority: 2 };

test("the holder of a place is told by name and id, by the id alone where no more is known", () => {
  const by = (description?: string) => new PriorityTaken(wanted, { id: "acl_1", priority: 2, description }, false, {});
  expect(by("theirs").message).toBe('Priority 2, wanted for "mine", is held by "theirs" (acl_1).');
  expect(by().message).toBe('Priority 2, wanted for "mine", is held by acl_1.');
});

test("one that has stepped aside is told to stand there", () => {
  const standing = { priority: 7 } as NetworkAcl;
  const { message } = new PriorityTaken(wanted, { id: "acl_1", priority: 2 }, false, {}, standing);
  expect(message).toBe('Priority 2, wanted for "mine", is held by acl_1; "mine" stands at priority 7 for now.');
});
