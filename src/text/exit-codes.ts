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

/** The end of the help of every command. */
export const helpOnExitCodes = `
Exit code 0: fine. 1: the answer is no (test: an expectation is broken or undecided; compare: different, or
not known; adopt: the plan is not empty or was not made; init: the project is not complete). 2: an error or wrong usage. 3: review:
an effect reaches --fail-on. 4: review: the plan does not make the changes of --same-as.`;
