/** Quotes untrusted text for source code, so that no part of it is an escape, a template or an end. */
import { isPrintable, printable, wrap } from "../../formats/text/printable";
import { wellFormed } from "../../formats/cty/value";

/** For HCL. */
export function hclText(text: string): string {
  const escaped = [...wellFormed(text)].map((character) => short[character] ?? hclCharacter(character)).join("");
  const inside = escaped.replace(templates, (found, run?: string) => {
    // The constructs also read addresses, and would mistake this for a reference.
    if (run === undefined) return found.replace("[", "\\u005b");
    // `$${` means `${`. With more of these characters before a brace, each needs an escape.
    return run.length === 1 ? `${run}${run}{` : `${[...run].map(unicode).join("")}{`;
  });
  return `"${inside}"`;
}

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };

const hclCharacter = (character: string) => (isPrintable(character) ? character : unicode(character));

function unicode(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** For a program: a string that neither the constructs nor Terraform change. */
export const programText = (text: string) => literal(inert(text));

/** For a program: an address of HCL, which Terraform reads unchanged. */
export const programAddress = literal;

const commentWidth = 96;

/** Each sentence starts on a new line and is wrapped at blanks. No text can end the comment. */
export function commented(sign: string, sentences: readonly string[]): string[] {
  return sentences
    .flatMap((sentence) => wrap(printable(sentence.replace(/\s+/gu, " ").trim()), commentWidth))
    .map((line) => `${sign} ${line}`);
}

/** The start of a template, and the start of a reference of the constructs. */
const templates = /(?<![$%])([$%]+)\{|TfToken\[/g;
/** The constructs read these texts as maps, and some numbers as references. */
const mapTokens = /^(String|Any) Map Token Value$/;
/** Terraform removes a byte order mark at the start of a text in JSON. */
const byteOrderMark = /^\ufeff/;
/** In JSON, Terraform evaluates no expression after such a carriage return. A sign before the expression would escape it. */
const loneReturns = /(?<![$%])[$%]*\r(?!\n)/g;
const numbers = /(?<![-|\d.+])[-|\d.+]+e[-|\d.eE+]+/g;
const leastToken = 1e280;

/** Has no meaning for the constructs, and means only itself for Terraform. */
function inert(text: string): string {
  return wellFormed(text)
    .replace(templates, (found, run?: string) => {
      if (run === undefined) return found.replace("[", '${"["}');
      // With more of these characters before a brace, only an expression is safe.
      return run.length === 1 ? `${run}${run}{` : `\${${JSON.stringify(run)}}{`;
    })
    .replace(mapTokens, '$1 Map${" "}Token Value')
    .replace(byteOrderMark, '${"\ufeff"}')
    .replace(numbers, (found) => (Math.abs(parseFloat(found)) >= leastToken ? found.replace("e", '${"e"}') : found))
    .replace(loneReturns, (found) => `\${${JSON.stringify(found)}}`);
}

/** A text in JSON as Terraform reads it: the inverse of {@link programText}. Other expressions stay as they are. */
export const terraformText = (text: string) =>
  text.replace(escapes, (_found, expression?: string, sign = "") =>
    expression === undefined ? `${sign}{` : (JSON.parse(expression) as string),
  );

const escapes = /\$\{("(?:[^"\\\p{Cc}]|\\(?:["\\nrt]|u[\da-fA-F]{4}))*")\}|([$%])\2\{/gu;

/** As JSON, with escapes for invisible characters. Uses single quotation marks if they need fewer backslashes. */
function literal(text: string): string {
  const count = (quote: string) => text.split(quote).length;
  const quote = count('"') <= count("'") ? '"' : "'";
  const inside = [...JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')].map((character) => {
    if (character === quote) return `\\${quote}`;
    return isPrintable(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });
  return `${quote}${inside.join("")}${quote}`;
}
