/** What people read, as it goes to Terraform. */
import { attributePath } from "../../src/cty/path";
import { protocolDiagnostic } from "../../src/sdk/diagnostic";

test("what a terminal would obey is shown as text", () => {
  const { summary, detail } = protocolDiagnostic({
    path: [],
    severity: "error",
    summary: "\u001b[31mred",
    detail: "one\ntwo\tthree \u001b]0;title\u0007 \u009b2J \u202eev\u{e0041}\u061cil\r",
  });
  expect(summary).toBe("\\u001b[31mred");
  expect(detail).toBe("one\ntwo\tthree \\u001b]0;title\\u0007 \\u009b2J \\u202eev\\udb40\\udc41\\u061cil\\u000d");
});

test("words of every script stay as they are", () => {
  const text = "Grüße, 世界, שלום, 👩‍👩‍👧";
  expect(protocolDiagnostic({ path: [], severity: "warning", summary: text, detail: text })).toMatchObject({
    summary: text,
    detail: text,
  });
});

test("an error without a place has no path", () => {
  const at = (path: ReturnType<typeof attributePath>) =>
    protocolDiagnostic({ path, severity: "error", summary: "", detail: "" }).attribute;
  expect(at([])).toBeUndefined();
  expect(at(attributePath("rule"))).toEqual({ steps: [{ attributeName: "rule" }] });
});
