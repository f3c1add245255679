/** Text from elsewhere as source code, for every position that takes it. Nothing in it is an escape, a template or an end. */
import { isPrintable, printable } from "../text/printable";

/** In HCL, with its quotation marks. */
export const hclText = (text: string) => `"${hclInside(text)}"`;

/** In HCL within quotation marks, beside templates. */
export function hclInside(text: string): string {
  const escaped = [...wellFormed(text)].map((character) => short[character] ?? hclCharacter(character)).join("");
  return escaped.replace(templates, (found, run?: string) => {
    // The constructs read addresses too, and would take this for a reference.
    if (run === undefined) return found.replace("[", "\\u005b");
    // `$${` stands for `${`; what more of these characters before a brace would mean is not worth knowing.
    return run.length === 1 ? `${run}${run}{` : `${[...run].map(unicode).join("")}{`;
  });
}

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

const hclCharacter = (character: string) => (isPrintable(character) ? character : unicode(character));

function unicode(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** In a program: a string that the constructs and Terraform, which reads what it becomes, leave as it is. */
export const programText = (text: string) => literal(inert(text));

/** The same within backticks, beside expressions. */
export const programInside = (text: string) => literal(inert(text), "`").slice(1, -1).replaceAll("${", "\\${");

/** In a program: an address in HCL, which Terraform reads as it is. */
export const programAddress = literal;

/** In a comment of either language, on one line. */
export const commentText = (text: string) => printable(text.replace(/\s+/gu, " "));

/** The beginning of a template, and of what the constructs take for a reference. */
const templates = /(?<![$%])([$%]+)\{|TfToken\[/g;
/** Texts that stand for maps, and numbers that may stand for references, among the constructs. */
const mapTokens = /^(String|Any) Map Token Value$/;
/** Terraform drops a byte order mark that a text in JSON starts with. */
const firstMark = /^\ufeff/;
const numbers = /(?<![-|\d.+])[-|\d.+]+e[-|\d.eE+]+/g;
const leastToken = 1e280;

/** Without a meaning to the constructs, and with none to Terraform but its own. */
function inert(text: string): string {
  return wellFormed(text)
    .replace(templates, (found, run?: string) => {
      if (run === undefined) return found.replace("[", '${"["}');
      // Of more of these characters before a brace only an expression says for sure what it means.
      return run.length === 1 ? `${run}${run}{` : `\${${JSON.stringify(run)}}{`;
    })
    .replace(mapTokens, '$1 Map${" "}Token Value')
    .replace(firstMark, '${"\ufeff"}')
    .replace(numbers, (found) => (Math.abs(parseFloat(found)) < leastToken ? found : found.replace("e", '${"e"}')));
}

/** As JSON has it, with what cannot be seen written out; in single quotation marks where that takes fewer backslashes. */
function literal(text: string, mark = quoteFor(text)): string {
  const inside = [...JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')].map((character) => {
    if (character === mark) return `\\${mark}`;
    return isPrintable(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return `${mark}${inside.join("")}${mark}`;
}

function quoteFor(text: string): string {
  const count = (mark: string) => text.split(mark).length;
  return count('"') <= count("'") ? '"' : "'";
}

/** Terraform has no half of a surrogate pair: it reads U+FFFD, in a state as in a configuration. */
export const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, "\ufffd");
