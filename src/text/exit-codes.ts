/** The exit codes, the same in every command. */
export const exitCodes = {
  fine: 0,
  /** The answer is no. */
  no: 1,
  /** An error or wrong usage. */
  error: 2,
  /** `review` alone: an effect reaches --fail-on. */
  finding: 3,
  /** `review` alone: the plan does not make exactly the approved changes. */
  notApproved: 4,
} as const;

/** What the other exit codes of a command mean. */
const others: Readonly<Record<string, string>> = {
  adopt: "1: the plan is not empty, or was not made.",
  review: "3: an effect reaches --fail-on.\n4: the plan does not make the changes of --same-as.",
};

/** The end of the help of a command. */
export const helpOnExitCodes = (command: string) =>
  `\nExit codes:\n${["0: fine.", ...(others[command]?.split("\n") ?? []), "2: an error or wrong usage."]
    .toSorted()
    .map((line) => `  ${line}`)
    .join("\n")}`;
