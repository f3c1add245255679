/** Nobody reads a sentence: what `impact/words` renders is shown as it is, and never searched, cut, changed or put into another case. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const src = path.join(__dirname, "../../src");

/** The functions that render. */
const renders =
  "sentence|brief|briefLine|line|lineWords|lineText|withCauses|causesAlone|who|summaryOf|factWords|changeWords";
const reads =
  "includes|startsWith|endsWith|replace|replaceAll|match|matchAll|search|split|slice|indexOf|charAt|toUpperCase|toLowerCase";
/** A call of a rendering function whose result is read, and a regular expression that reads it. */
const violations = [
  new RegExp(String.raw`\b(?:${renders})\([^()]*\)!?\.(?:${reads})\(`),
  new RegExp(String.raw`\.(?:test|exec)\((?:${renders})\(`),
  // The words of facts, of a line of the verdict and of a judgement.
  new RegExp(
    String.raw`\b(?:facts|effect|effects\[\d\]|verdict|judged|judgement)!?\.(?:text|words|because|summary)!?\.(?:${reads})\(`,
  ),
];

const rooms = ["impact", "review", "resources", "testing"];

test("no file outside impact/words reads what it renders", () => {
  const found = rooms
    .flatMap((room) =>
      readdirSync(path.join(src, room), { recursive: true, encoding: "utf8" }).map((file) => path.join(room, file)),
    )
    .filter((file) => file.endsWith(".ts") && !file.startsWith(path.join("impact", "words")))
    .flatMap((file) =>
      readFileSync(path.join(src, file), "utf8")
        .split("\n")
        .flatMap((text, index) =>
          violations.some((one) => one.test(text)) ? [`${file}:${index + 1}: ${text.trim()}`] : [],
        ),
    );
  expect(found).toEqual([]);
});

test.each([
  'if (sentence(effect).includes("blocked")) return;',
  "const title = line(one).slice(2);",
  "return /blocked/.test(sentence(effect));",
  'effect.text.startsWith("The plan failed")',
])("it finds %s", (text) => {
  expect(violations.some((one) => one.test(text))).toBe(true);
});
