/** Diagnostics in the form that Terraform receives. */
import { attributePath } from "../../src/cty/path";
import { protocolDiagnostic } from "../../src/sdk/diagnostic";
import { linked } from "../support/message-link";

test("escapes control characters that a terminal would obey", () => {
  const { summary, detail } = protocolDiagnostic({
    path: [],
    severity: "error",
    code: ["TNF-PLAN-EFFECTS", "\u001b[31mred"],
    detail: "one\ntwo\tthree \u001b]0;title\u0007 \u009b2J \u202eev\u{e0041}\u061cil\r",
  });
  expect(summary).toBe("\\u001b[31mred");
  expect(detail).toBe(
    linked("one\ntwo\tthree \\u001b]0;title\\u0007 \\u009b2J \\u202eev\\udb40\\udc41\\u061cil\\u000d"),
  );
});

test("keeps text of every script unchanged", () => {
  const text = "Grüße, 世界, שלום, 👩‍👩‍👧";
  expect(
    protocolDiagnostic({ path: [], severity: "warning", code: ["TNF-PLAN-EFFECTS", text], detail: text }),
  ).toMatchObject({
    summary: text,
    detail: linked(text),
  });
});

test("links to the section of the message, also after a long detail", () => {
  const long = { path: [], severity: "error", code: "TNF-SERVICE-FAILED", detail: "x\n".repeat(50_000) } as const;
  expect(protocolDiagnostic(long).detail).toMatch(/\n\nhttps:\/\/\S+\/messages\.md#tnf-service-failed$/);
});

test("sends no attribute path when an error has none", () => {
  const at = (path: ReturnType<typeof attributePath>) =>
    protocolDiagnostic({ path, severity: "error", code: "TNF-STOPPED", detail: "" }).attribute;
  expect(at([])).toBeUndefined();
  expect(at(attributePath("rule"))).toEqual({ steps: [{ attributeName: "rule" }] });
});
