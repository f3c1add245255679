/** Finds retired words, long sentences and fragments in texts, and retired names in code. Pure: takes text, returns hits. */
import ts from "typescript";

export interface Hit {
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly problem: string;
  readonly text: string;
  /** Comments are reported on request only. */
  readonly isComment: boolean;
}

/** A piece of text that people read as one: a paragraph, a cell of a table, a string, a comment. */
interface Passage {
  readonly text: string;
  readonly offset: number;
  readonly isComment?: boolean;
}

const longest = 30;

/** Retired words with their replacements. Ordinary words are listed with the neighbour that makes them jargon. */
const retired: readonly (readonly [RegExp, string])[] = [
  [/\bcut(s|ting)? off\b/i, "blocked or redirected"],
  [/\bfare(s|d)?\b/i, "the outcome of a request"],
  [/\bdecid(e|es|ed|ing) (otherwise|differently)\b|\bnever decides?\b/i, "changes the outcome; unreachable"],
  [/\b(hold|holds|held|holding) (for|of)\b/i, "matches, applies to"],
  [/\bstand(s|ing)?\b(?!-| for\b)|\bstood\b/i, "is, appears, comes first"],
  [/\bother hands\b|\b(objects?|ACLs?|things?|keys?|policies) of others\b|\bstrangers?\b/i, "unmanaged object"],
  [/\bforeign\b/i, "unmanaged, other, untrusted"],
  [/\btwins?\b/i, "duplicate"],
  [/\bliving\b/i, "remote state, existing"],
  [/\bledgers?\b/i, "plan registry"],
  [/\bjourneys?\b/i, "attempt"],
  [/\blanes?\b/i, "rate-limit bucket"],
  [/\bdeeds?\b/i, "operation, call"],
  [/\bremark(s|ed)?\b/i, "warning, error, message"],
  [/\b(is|are|was|were|be|been|being|not) (told|said)\b|\btold\b/i, "say who reports: prints, warns, names"],
  [/\b(is|are|was|were) (not )?to (?!\d)[a-z]+(?<!zero|one|two)\b/i, "must, will; imperative for steps"],
  [/\b(has|have|had|having) (not )?to\b(?! do)/i, "must"],
  [/\bwants\b|\bwanted\b/i, "needs, must"],
  [/\b(take|takes|taken|taking|took) (it |them |this |these )?over\b|\btaken-over\b|\btakeover\b/i, "adopt, import"],
  [/\bin whatever\b|\bwhatever (it|they|the)\b/i, "any, every"],
  [/\bopen questions?\b|\bthe question\b/i, "assumption"],
  [/\breadings\b/i, "assumptions, responses"],
  [/\banswer(s|ed|ing)?\b/i, "response, responds with, outcome"],
  [/\bno more than\b/i, "at most"],
  [/\bbehind another\b/i, "shadowed by"],
  [/\banew\b|\bamiss\b|\bmend(s|ed|ing)?\b|\bbeside\b|\bby way of\b|\bsuch as are\b/i, "plain words"],
  [/\b(is|are) believed\b|\bbelieves?\b/i, "trusted if, verified"],
  [/\bwithout a word\b|\bin other words\b|\bthe same words\b/i, "silently, the same message"],
  [/\bgives? way\b|\bgo(es)? its way\b|\bon its way\b/i, "plain words"],
  [/\bthere is to\b|\bso far as\b|\bthe very same\b/i, "identical, existing"],
];

/** A clause that starts without its noun. */
const fragments: readonly (readonly [RegExp, string])[] = [
  [/^["'(*_]*(who|whom|what|whoever|whatever|of)\b(?!.*\?["')*_]*$)/i, "sentence starts with a free-standing word"],
  [/[;:(—–]\s*(who|whom|what|whoever|whatever|of)\b(?!.*\?)/i, "clause starts with a free-standing word"],
  [/,\s+(whom|what|whoever|whatever|of)\b(?!.*\?)/i, "clause starts with a free-standing word"],
  [/\b(of|by|for|from|with|on|at|than|like|through|without) (whom|what|whoever|whatever)\b/i, "name the thing"],
];

/** Words that no name in src may contain, with the replacement. */
const retiredNames: Readonly<Record<string, string>> = {
  ledger: "plan registry",
  twin: "duplicate",
  twins: "duplicates",
  journey: "attempt",
  lane: "bucket",
  lanes: "buckets",
  deed: "operation",
  deeds: "operations",
  remark: "warning",
  remarks: "warnings",
  living: "remote",
  fares: "outcome",
  asking: "exchange",
  incoming: "state import",
  stranger: "unmanaged",
  strangers: "unmanaged",
  foreign: "unmanaged",
  told: "reported",
  said: "text",
  wants: "needs",
  question: "assumption",
  questions: "assumptions",
  readings: "assumptions, responses",
  doubt: "warning",
  doubts: "warnings",
  answer: "response",
  answers: "responses",
  answered: "responded",
  beside: "next to",
  hands: "owner",
  silence: "quiet period",
};

/** Names that are retired only as a whole. */
const retiredWhole: Readonly<Record<string, string>> = {
  mark: "objectKey",
  takenOver: "adopted",
  holds: "matches",
};

/** File names that do not say what the file does, in addition to those of `retiredNames`. */
const retiredFiles: Readonly<Record<string, string>> = {
  ...retiredWhole,
  looking: "lookup",
  parts: "lazy",
  reading: "response, value",
  taken: "conflicts",
  "taken-over": "adopted",
};

/** Uses that stay, each with a reason. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  [/\bstand-?(alone|in)\b/i, "an ordinary compound"],
  [/\bstandard\b/i, "an ordinary word"],
  [/\bwhat to do\b/i, "an ordinary phrase"],
  [/(?:\b[A-Z]{2}\b(?: \d+)?,?\s*){9,}/, "a table of country codes"],
  [/\ba an all allow allowed\b.*/, "a list of words"],
  [/\bactions authentication_methods\b.*/, "a list of scopes"],
];

/** Names that stay because other programs read them: fields of the embedded tenant's control endpoints. */
const publicNames: Readonly<Record<string, readonly string[]>> = { "src/emulator/page/control.ts": ["holds"] };

export function hitsInMarkdown(source: string): Hit[] {
  return hitsIn(source, markdownPassages(source));
}

/** `titlesOnly`: of strings, those alone that name a test. */
export function hitsInTypeScript(name: string, source: string, titlesOnly = false): Hit[] {
  const tree = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const names = titlesOnly ? [] : hitsInNames(tree);
  return [...hitsIn(source, stringPassages(tree, titlesOnly)), ...hitsIn(source, commentPassages(tree)), ...names];
}

export function hitsInPath(file: string): Hit[] {
  const base = file
    .split("/")
    .at(-1)!
    .replace(/\.\w+$/, "");
  const write = retiredFiles[base] ?? retiredWordIn(base.split("-"));
  return write === undefined ? [] : [{ line: 1, problem: `file name: write "${write}"`, text: base, isComment: false }];
}

/** Comments of HCL are read in the docs, so they count. */
export function hitsInHcl(source: string): Hit[] {
  const comments = source.matchAll(/(?:^[ \t]*(?:#|\/\/)[^\n]*\n?)+|(?:#|\/\/) [^\n]*$/gm);
  const passages = [...comments].map(({ 0: text, index }) => ({
    text: text.replace(/^[ \t]*(#|\/\/)/gm, "").replace(/`[^`]+`/g, "`x`"),
    offset: index,
  }));
  return hitsIn(source, passages);
}

function hitsIn(source: string, passages: readonly Passage[]): Hit[] {
  return passages.flatMap(({ text, offset, isComment = false }) => {
    const line = source.slice(0, offset).split("\n").length;
    // Data has no words.
    const sentences = /\p{Ll}/u.test(text) ? sentencesOf(text) : [];
    return sentences.flatMap((sentence) =>
      problemsOf(sentence).map((problem) => ({
        line: line + lineWithin(text, sentence),
        problem,
        text: sentence,
        isComment,
      })),
    );
  });
}

function lineWithin(text: string, sentence: string): number {
  const start = text.replaceAll("\n", " ").indexOf(sentence.slice(0, 20));
  return start < 0 ? 0 : text.slice(0, start).split("\n").length - 1;
}

/** The problems of one sentence. */
export function problemsOf(sentence: string): string[] {
  const text = exceptions.reduce((left, [pattern]) => left.replace(pattern, "…"), sentence);
  const words = text.split(/[\s—–]+/).filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;
  return [
    ...(words > longest ? [`${words} words: split it`] : []),
    ...retired.flatMap(([pattern, write]) => {
      const found = pattern.exec(text);
      return found ? [`"${found[0]}": write ${write}`] : [];
    }),
    // A short piece of a template is no sentence yet.
    ...(words <= 3 && text.includes("…") ? [] : fragments).flatMap(([pattern, problem]) => {
      const found = pattern.exec(text);
      return found ? [`${problem}: "${found[0].trim()}"`] : [];
    }),
  ];
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*[-*•] )/)
    .flatMap((block) => block.replace(/\s+/g, " ").split(/(?<=[.!?]["')*_`]*)\s+(?=[^\sa-z])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Paragraphs, items, headings and cells. Code stays out: a span of code counts as one word. */
function markdownPassages(source: string): Passage[] {
  const blank = (text: string) => text.replace(/[^\n]/g, " ");
  const prose = source
    .replace(/^---\n.*?\n---\n/s, blank)
    .replace(/^( *)(```|~~~).*?^\1\2[^\n]*$/gms, blank)
    .replace(/<!--.*?-->/gs, blank)
    .replace(/`[^`]+`/g, (code) => code.replace(/[^\n`]/g, "x"))
    .replace(/\]\([^)\s]+\)/g, (link) => `]${" ".repeat(link.length - 1)}`)
    .replace(/<[^>\n]+>/g, blank);
  const passages: Passage[] = [];
  let open: { text: string; offset: number } | undefined;
  const close = () => {
    if (open) passages.push(open);
    open = undefined;
  };
  let offset = 0;
  for (const line of prose.split("\n")) {
    if (/^\s*\|/.test(line)) {
      close();
      let at = offset;
      for (const cell of line.split("|")) {
        passages.push({ text: cell, offset: at });
        at += cell.length + 1;
      }
    } else if (/^\s*$/.test(line)) close();
    else {
      if (/^\s*(#+|[-*]|\d+\.|>) /.test(line)) close();
      const text = line.replace(/^\s*(#+|[-*]|\d+\.|>) /, "");
      open = open ? { ...open, text: `${open.text}\n${text}` } : { text, offset };
      if (line.startsWith("#")) close();
    }
    offset += line.length + 1;
  }
  close();
  return passages;
}

/** Strings of two words or more; those put together by `+` or a template are one text, with `…` for what is computed. */
function stringPassages(tree: ts.SourceFile, titlesOnly: boolean): Passage[] {
  const passages: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (titlesOnly && ts.isCallExpression(node) && !/^(test|it|describe)\b/.test(node.expression.getText())) return;
    const text = ts.isExpression(node) ? textOf(node) : undefined;
    if (text === undefined) return void ts.forEachChild(node, visit);
    if (/\S\s+\S/.test(text) && !isCode(text)) {
      passages.push({ text: text.replace(/<\/?[a-z!][^<>]*>/g, " "), offset: node.getStart() });
    }
    visitComputed(node, visit);
  };
  visit(tree);
  return passages;
}

/** A style, a script or a configuration inside a string. */
const isCode = (text: string) => /[{};]\n/.test(text);

function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join("");
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : (left ?? "…") + (right ?? "…");
}

function visitComputed(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isTemplateExpression(node)) node.templateSpans.forEach((span) => visit(span.expression));
  else if (ts.isBinaryExpression(node)) {
    for (const side of [node.left, node.right]) {
      if (textOf(side) === undefined) visit(side);
      else visitComputed(side, visit);
    }
  }
}

function commentPassages(tree: ts.SourceFile): Passage[] {
  const passages: Passage[] = [];
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, withoutLiterals(tree));
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token !== ts.SyntaxKind.SingleLineCommentTrivia && token !== ts.SyntaxKind.MultiLineCommentTrivia) continue;
    const text = scanner
      .getTokenText()
      .replace(/^\/\*\*?|\*\/$|^\/\//g, "")
      .replace(/^\s*\* ?/gm, "")
      .replace(/@example.*$/s, "")
      .replace(/^\|.*$/gm, (row) => row.replaceAll("|", "\n\n"))
      .replace(/`[^`]+`/g, "`x`");
    passages.push({ text, offset: scanner.getTokenStart(), isComment: true });
  }
  return passages;
}

/** The source with blank literals, because the scanner alone cannot tell the rest of a template from code. */
function withoutLiterals(tree: ts.SourceFile): string {
  let { text } = tree;
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node)) {
      const [start, end] = [node.getStart(), node.getEnd()];
      text = text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, " ") + text.slice(end);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return text;
}

/** Names where they are declared, so that each counts once. */
function hitsInNames(tree: ts.SourceFile): Hit[] {
  const hits: Hit[] = [];
  const visit = (node: ts.Node) => {
    const name = ts.isIdentifier(node) && isDeclared(node) ? node.text : undefined;
    const isPublic = name !== undefined && publicNames[tree.fileName]?.includes(name);
    const write = name === undefined || isPublic ? undefined : writeFor(name);
    if (write !== undefined) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      hits.push({ line, problem: `name: write "${write}"`, text: name!, isComment: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return hits;
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  return "name" in parent && parent.name === node && !ts.isPropertyAccessExpression(parent);
}

const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_]+/);
const retiredWordIn = (words: readonly string[]) => words.map((word) => retiredNames[word]).find(Boolean);
const writeFor = (name: string) =>
  Object.hasOwn(retiredWhole, name) ? retiredWhole[name] : retiredWordIn(wordsOf(name));
