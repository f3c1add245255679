/** What the options of several commands share. */
import type { EventEmitter } from "node:events";
import { InvalidArgumentError, type Command } from "commander";

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("give a whole number, 0 or greater.");
}

/** For an option that is repeatable. */
export const gather = (value: string, previous: string[] = []) => [...previous, value];

/**
 * Refuses a value that would not count: an empty option or argument, such as a variable of a script that is not set, and an option that is
 * given twice. An empty fact of a request says that the request lacks it.
 */
export function strict(program: Command): void {
  for (const command of program.commands) {
    for (const option of command.options) {
      // Before the command stores the value.
      (command as unknown as EventEmitter).prependListener(`option:${option.name()}`, (value: string | null) => {
        if (value?.trim() === "" && command.name() !== "explain")
          command.error(`error: option '${option.flags}' is empty: give a value, or leave the option out.`);
        const isSecond = command.getOptionValueSource(option.attributeName()) === "cli" && option.parseArg !== gather;
        if (isSecond && !option.isBoolean())
          command.error(`error: option '${option.flags}' is given twice, and only one counts: leave one out.`);
      });
    }
  }
  program.hook("preAction", (_, command) => {
    if (command.args.some((argument) => argument.trim() === ""))
      command.error(`error: an argument of '${command.name()}' is empty: give a value, or leave it out.`);
  });
}

/** The end of the help of an option that reads the tenant. */
export const needsTenant =
  "needs TENANT_DOMAIN, and TENANT_CLIENT_ID with TENANT_CLIENT_SECRET or TENANT_ACCESS_TOKEN, in the environment";

/** Where a command reads. */
export const edge = () => ({ stdin: process.stdin, environment: process.env });

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
