import { explain } from "../../src/resources/explain";
import { keepSecret } from "../../src/tenant/secrets";

test("a defect is shown with its lines, and without the secrets that they may hold", () => {
  keepSecret("a-secret-of-the-tenant");
  const { summary, detail } = explain(new Error("cannot read a-secret-of-the-tenant"));
  expect(summary).toBe("A defect of the provider");
  expect(detail).toContain("cannot read (sensitive)\n    at ");
  expect(detail).not.toContain("a-secret-of-the-tenant");
});
