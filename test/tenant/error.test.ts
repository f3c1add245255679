import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, isTenantError, TenantError, tenantErrorCodes } from "../../src/tenant/error";

test("the table in the code's documentation names every code once, in order", () => {
  const source = readFileSync(join(__dirname, "../../src/tenant/error.ts"), "utf8");
  const rows = [...source.matchAll(/^ \* \| (\w+) \| /gm)].map(([, code]) => code);
  expect(rows).toEqual(["code", ...tenantErrorCodes]);
});

test("answers become codes by what the service says, else by their status", () => {
  expect(codeOf(403, "insufficient_scope")).toBe("insufficient_scope");
  expect(codeOf(403)).toBe("forbidden");
  expect(codeOf(403, "something_new")).toBe("forbidden");
  expect(codeOf(400, "invalid_uri")).toBe("invalid_uri");
  expect(codeOf(404, "inexistent_organization")).toBe("not_found");
  expect([400, 401, 404, 408, 409, 429, 500, 504, 418].map((status) => codeOf(status))).toEqual([
    "invalid_body",
    "unauthorized",
    "not_found",
    "service_failed",
    "conflict",
    "rate_limited",
    "service_failed",
    "service_failed",
    "refused",
  ]);
});

test("an error is known by its class and, if asked, by its code", () => {
  const error = new TenantError("timeout", "late", { cause: "c" });
  expect(isTenantError(error)).toBe(true);
  expect(isTenantError(error, "conflict", "timeout")).toBe(true);
  expect(isTenantError(error, "conflict")).toBe(false);
  expect(isTenantError({ code: "timeout" })).toBe(false);
  expect(error.cause).toBe("c");
  expect("cause" in new TenantError("timeout", "late")).toBe(false);
});
