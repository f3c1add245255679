/** What people read of a configuration, a plan or an error, and its form in Terraform's protocol. */
import type { Path } from "../cty/path";
import {
  Diagnostic_Severity,
  type AttributePath,
  type Diagnostic as ProtocolDiagnostic,
} from "../plugin/protocol/tfplugin6";

/** Something wrong, or dangerous, about a configuration. */
export interface Diagnostic {
  /** Empty where no attribute is meant. */
  readonly path: Path;
  readonly severity: "error" | "warning";
  /** One line. */
  readonly summary: string;
  /** What is wrong, with which value, and what to do instead. */
  readonly detail: string;
}

/** What was asked for cannot be had, and the asker can mend it. */
export class DiagnosticError extends Error {
  constructor(
    readonly summary: string,
    readonly detail: string,
    readonly path: Path = [],
  ) {
    super(`${summary}: ${detail}`);
  }
}

export function protocolDiagnostic({ severity, summary, detail, path }: Diagnostic): ProtocolDiagnostic {
  return {
    severity: severity === "error" ? Diagnostic_Severity.ERROR : Diagnostic_Severity.WARNING,
    summary: printable(summary),
    detail: printable(detail),
    attribute: path.length > 0 ? protocolPath(path) : undefined,
  };
}

/** Control characters, and those that turn the direction of writing or cannot be seen; not joiners of letters and emoji. */
const unprintable = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** With what a terminal would obey written out: what comes from outside is shown, and does nothing. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
}

export function isError({ severity }: ProtocolDiagnostic): boolean {
  return severity === Diagnostic_Severity.ERROR;
}

export function protocolPath(path: Path): AttributePath {
  return {
    steps: path.map((step) => {
      if ("attribute" in step) return { attributeName: step.attribute };
      return "index" in step ? { elementKeyInt: step.index } : { elementKeyString: step.key };
    }),
  };
}
