/** Words the lines of a verdict. */
import type { Gap, Verdict, VerdictLine } from "../verdict";
import { isFailure, isUnreviewed } from "../facts";
import type { Code } from "../effect";
import { lineWords, sentence, shortened, signOf, type Sign } from "./words";

/** The parts of a line, of which a format links the code. */
export interface LineParts {
  readonly sign?: Sign;
  readonly words: string;
  readonly code?: Code;
  /** After the code. */
  readonly rest?: string;
}

export const verdictParts = ({ lines }: Verdict): LineParts[] => lines.map(partsOf);

/** `✖ Blocks sign-in for everyone. tenant_network_acl.draft is switched on. [TNF-ACL-TIGHTENED]` */
export function lineText({ sign, words, code, rest }: LineParts): string {
  const before = sign === undefined ? "" : `${sign} `;
  return `${before}${words}${code === undefined ? "" : ` [${code}]`}${rest ?? ""}`;
}

/** The lines as texts. */
export const summaryOf = (verdict: Verdict): string[] => verdictParts(verdict).map(lineText);

function partsOf(line: VerdictLine): LineParts {
  switch (line.kind) {
    case "effect": {
      const { effect, more } = line;
      const rest =
        more === undefined ? {} : { rest: ` ${more} more ${more === 1 ? "effect is" : "effects are"} listed below.` };
      return { sign: signOf(effect.level), words: lineWords(effect), code: effect.code, ...rest };
    }
    case "gap":
      return gapParts(line.gap, line.isAlone === true);
    case "nothing":
      return { sign: "✔", words: "No request, limit or member changes." };
    case "said":
      return { sign: line.sign, words: shortened(line.text) };
  }
}

function gapParts(gap: Gap, isAlone: boolean): LineParts {
  const isEffect = "code" in gap;
  const words = shortened(isEffect ? sentence(gap) : gap.text);
  const code = isEffect ? { code: gap.code } : {};
  if (isEffect && isFailure(gap)) return { sign: "✖", words, ...code };
  if (!isAlone) return { sign: "○", words, ...code };
  if (isEffect && isUnreviewed(gap)) return { sign: signOf(gap.level), words, ...code };
  return { sign: "○", words: `No effect was found. ${words}`, ...code };
}
