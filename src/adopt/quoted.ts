/** Quotes text from elsewhere for source code, so that nothing in the text is an escape, a template or an end. */
import { isPrintable, printable } from "../text/printable";

/** In HCL, with its quotation marks. */
export const hclText = (text: string) => `"${hclInside(text)}"`;

/** In HCL within quotation marks, beside templates. */
export function hclInside(text: string): string {
  const escaped = [...wellFormed(text)].map((character) => short[character] ?? hclCharacter(character)).join("");
  return escaped.replace(templates, (found, run?: string) => {
    // The constructs also read addresses, and would mistake this for a reference.
    if (run === undefined) return found.replace("[", "\\u005b");
    // `$${` means `${`. More of these characters before a brace are escaped one by one.
    return run.length === 1 ? `${run}${run}{` : `${[...run].map(unicode).join("")}{`;
  });
}

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

const hclCharacter = (character: string) => (isPrintable(character) ? character : unicode(character));

function unicode(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** In a program: a string that neither the constructs nor Terraform change. */
export const programText = (text: string) => literal(inert(text));

/** The same within backticks, beside expressions. */
export const programInside = (text: string) => literal(inert(text), "`").slice(1, -1).replaceAll("${", "\\${");

/** In a program: an address in HCL, which Terraform reads as it is. */
export const programAddress = literal;

/** In a comment of either language, on one line. */
export const commentText = (text: string) => printable(text.replace(/\s+/gu, " "));

/** The start of a template, and the start of a reference of the constructs. */
const templates = /(?<![$%])([$%]+)\{|TfToken\[/g;
/** Texts that the constructs read as maps, and numbers that they may read as references. */
const mapTokens = /^(String|Any) Map Token Value$/;
/** Terraform drops a byte order mark that a text in JSON starts with. */
const firstMark = /^\ufeff/;
const numbers = /(?<![-|\d.+])[-|\d.+]+e[-|\d.eE+]+/g;
const leastToken = 1e280;

/** Means nothing to the constructs, and only itself to Terraform. */
function inert(text: string): string {
  return wellFormed(text)
    .replace(templates, (found, run?: string) => {
      if (run === undefined) return found.replace("[", '${"["}');
      // With more of these characters before a brace, only an expression is certain.
      return run.length === 1 ? `${run}${run}{` : `\${${JSON.stringify(run)}}{`;
    })
    .replace(mapTokens, '$1 Map${" "}Token Value')
    .replace(firstMark, '${"\ufeff"}')
    .replace(numbers, (found) => (Math.abs(parseFloat(found)) < leastToken ? found : found.replace("e", '${"e"}')));
}

/** As JSON has it, with escapes for invisible characters. Single quotation marks if they need fewer backslashes. */
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
