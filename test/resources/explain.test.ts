import { explain } from "../../src/resources/explain";
import { keepSecret } from "../../src/tenant/secrets";

test("shows the stack trace of a defect without secrets", () => {
  keepSecret("a-secret-of-the-tenant");
  const { summary, detail } = explain(new Error("cannot read a-secret-of-the-tenant"));
  expect(summary).toBe("A defect of the provider");
  expect(detail).toContain("cannot read (sensitive)\n    at ");
  expect(detail).not.toContain("a-secret-of-the-tenant");
});
