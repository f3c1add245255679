/** Draws the output of a terminal as SVG. Pure. */
import { stripVTControlCharacters } from "node:util";

interface Style {
  readonly colour?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
}

const colours: Readonly<Record<string, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  35: "#d2a8ff",
  36: "#79c0ff",
};
const size = { character: 8.43, line: 20, margin: 20, font: 14 };

/** `text` may have escapes for colours. `title` is for readers who cannot see the picture. */
export function pictureOf(text: string, title: string): string {
  const lines = text.replace(/^\n+|\n+$/g, "").split("\n");
  const longest = Math.max(...lines.map((line) => plain(line).length));
  const width = Math.ceil(longest * size.character) + 2 * size.margin;
  const height = lines.length * size.line + 2 * size.margin;
  const rows = lines.map((line, index) => {
    const y = size.margin + (index + 0.75) * size.line;
    return plain(line) === "" ? "" : `<text x="${size.margin}" y="${y}">${spans(line)}</text>\n`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n` +
    `<title>${escaped(title)}</title>\n` +
    `<rect width="100%" height="100%" rx="10" fill="#0d1117"/>\n` +
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace" font-size="${size.font}" ` +
    `fill="#e6edf3">\n${rows.join("")}</g>\n</svg>\n`
  );
}

const plain = stripVTControlCharacters;

function spans(line: string): string {
  const [first = "", ...rest] = line.split("\u001b[");
  let style: Style = {};
  const styled = rest.map((part) => {
    const end = part.indexOf("m");
    style = next(style, part.slice(0, end));
    return span(style, part.slice(end + 1));
  });
  return [span({}, first), ...styled].join("");
}

const span = (style: Style, text: string) => (text === "" ? "" : `<tspan${attributes(style)}>${escaped(text)}</tspan>`);

function next(style: Style, code: string): Style {
  if (code === "1") return { ...style, bold: true };
  if (code === "2") return { ...style, dim: true };
  if (code === "22") return { ...style, bold: false, dim: false };
  return { ...style, colour: colours[code] };
}

function attributes({ colour, bold, dim }: Style): string {
  return [
    colour ? ` fill="${colour}"` : "",
    bold ? ' font-weight="bold"' : "",
    dim && !colour ? ' fill="#8b949e"' : "",
  ].join("");
}

/** Includes blanks, because SVG would merge them. */
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", " ": "\u00a0" };
const escaped = (text: string) => text.replace(/[&<> ]/g, (character) => entities[character]!);
