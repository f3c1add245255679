/** Findings are the results that a reviewer should look at. The table of codes has their titles and levels. */
import { levelOf, type FindingCode } from "../codes/codes";
import { levels, type Level } from "../codes/row";

export { levels, type Level };
export type Code = FindingCode;

export interface Finding {
  readonly code: Code;
  readonly level: Level;
  readonly address?: string;
  /** The name of its plan, if there are several plans. */
  readonly plan?: string;
  readonly text: string;
  /** Why it is not counted, as the person said. */
  readonly ignored?: string;
  /** It was so before the plan, which does not touch it. It is not counted. */
  readonly already?: true;
}

/** The subject of a finding: an address, and its plan if there are several. `level` replaces the level of the code. */
type About = Pick<Finding, "address" | "plan" | "already"> & { readonly level?: Level };

export function finding(code: Code, text: string, about: About = {}): Finding {
  const { address, plan, already, level = levelOf(code) } = about;
  return {
    code,
    level,
    text,
    ...(address !== undefined && { address }),
    ...(plan !== undefined && { plan }),
    ...(already && { already }),
  };
}

export function isAtLeast(level: Level, least: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(least);
}
