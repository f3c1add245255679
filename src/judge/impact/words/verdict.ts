/** Words the lines of a verdict. */
import type { Touched } from "../objects/facts";
import type { Gap, Verdict, VerdictLine } from "../verdict";
import { type Effect, isFailure, type Level } from "../effect";
import { counted } from "../../../formats/text/lists";
import { objectList, unjudgedWords } from "./row";
import type { Code } from "../../codes/codes";
import { lineWords, sentence, shortened, type Sign, signOf } from "./words";

/** The parts of a line, of which a format links the code. */
export interface LineParts {
  readonly sign?: Sign;
  /** The word that `--fail-on` takes. */
  readonly level?: Level;
  readonly words: string;
  readonly code?: Code;
}

export const verdictParts = ({ lines }: Verdict): LineParts[] => lines.map(partsOf);

/** `✖ critical: Blocks sign-in for everyone. tenant_network_acl.draft is switched on.` */
export const headText = ({ sign, level, words }: LineParts): string =>
  `${sign === undefined ? "" : `${sign} `}${level === undefined ? "" : `${level}: `}${words}`;

export const lineText = (line: LineParts): string =>
  headText(line) + (line.code === undefined ? "" : ` [${line.code}]`);

/** The lines as texts. */
export const summaryOf = (verdict: Verdict): string[] => verdictParts(verdict).map(lineText);

function partsOf(line: VerdictLine): LineParts {
  switch (line.kind) {
    case "effect": {
      const { code, level, ignored } = line.effect;
      const reason = ignored === undefined ? "" : reasonOf([line.effect]);
      return { sign: signOf(level), level, words: lineWords(line.effect) + reason, code };
    }
    case "gap":
      return gapParts(line.gap, line.isAlone === true);
    case "unjudged": {
      const [{ level, code }] = line.effects as [Effect];
      const sign = line.isAlone ? signOf(level) : "○";
      return { sign, level, words: shortened(unjudgedWords(line.effects)) + reasonOf(line.effects), code };
    }
    case "nothing":
      return { sign: "✔", words: shortened(nothingWords(line.touched)) };
  }
}

/** Whoever reads one line must see that a person ignores it. Empty: not all are ignored, and the list below says which. */
function reasonOf(effects: readonly Effect[]): string {
  const reasons = new Set(effects.map(({ ignored }) => ignored));
  return reasons.has(undefined) ? "" : ` (ignored: ${shortened([...reasons].join("; "))})`;
}

function gapParts(gap: Gap, isAlone: boolean): LineParts {
  const isEffect = "code" in gap;
  const words = shortened(isEffect ? sentence(gap) : gap.text);
  if (isEffect && isFailure(gap)) {
    const error = gap.facts.kind === "gap" && gap.facts.gap === "failed" ? gap.facts.error?.code : undefined;
    return { sign: "✖", words, code: error ?? gap.code };
  }
  const rest = isEffect ? { level: gap.level, code: gap.code } : {};
  if (!isAlone) return { sign: "○", words, ...rest };
  return { sign: "○", words: `Nothing that was read changes for people. ${words}`, ...rest };
}

/** `Nothing changes for people. 2 objects are created: auth0_client.a and auth0_role.b.` */
function nothingWords(touched: readonly Touched[]): string {
  const sentences = changes.flatMap((change) => {
    const own = touched.filter((one) => one.change === change);
    const verb =
      change === "changed" ? (own.length === 1 ? "changes" : "change") : `${own.length === 1 ? "is" : "are"} ${change}`;
    return own.length === 0 ? [] : [`${counted(own.length, "object")} ${verb}: ${objectList(own)}.`];
  });
  return ["Nothing changes for people.", ...sentences].join(" ");
}

const changes: readonly Touched["change"][] = ["created", "changed", "replaced", "destroyed", "imported"];
