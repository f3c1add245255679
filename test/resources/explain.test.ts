import { explain } from "../../src/resources/explain";
import { keepSecret } from "../../src/tenant/secrets";

test("shows the stack trace of a defect without secrets", () => {
  keepSecret("a-secret-of-the-tenant");
  const { code, detail } = explain(new Error("cannot read a-secret-of-the-tenant"));
  expect(code).toBe("TNF-DEFECT");
  expect(detail).toContain("cannot read (sensitive)\n    at ");
  expect(detail).not.toContain("a-secret-of-the-tenant");
});
