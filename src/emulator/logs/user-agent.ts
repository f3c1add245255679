/** The summary of a user agent that the service writes into its logs instead of the header. */

/** The first match counts, because browsers also name the browsers that they descend from. */
const families: readonly (readonly [name: string, form: RegExp])[] = [
  ["Edge", /\bEdg\/(\d+)\.(\d+)\.(\d+)/],
  ["Firefox", /\bFirefox\/(\d+)\.(\d+)(?:\.(\d+))?/],
  ["Chrome", /\bChrome\/(\d+)\.(\d+)\.(\d+)/],
  ["Safari", /\bVersion\/(\d+)\.(\d+)(?:\.(\d+))?.*\bSafari\//],
];
const systems: readonly (readonly [name: string, form: RegExp])[] = [
  ["Windows", /\bWindows NT (\d+)\.(\d+)/],
  ["iOS", /\bOS (\d+)_(\d+)(?:_(\d+))? like Mac OS X/],
  ["Mac OS X", /\bMac OS X (\d+)[._](\d+)(?:[._](\d+))?/],
  ["Android", /\bAndroid (\d+)(?:\.(\d+))?(?:\.(\d+))?/],
  ["Linux", /\bLinux\b/],
];

function nameIn(header: string, known: typeof families): string {
  for (const [name, form] of known) {
    const [found, ...version] = form.exec(header) ?? [];
    if (found !== undefined) return `${name} ${[0, 1, 2].map((place) => version[place] ?? "0").join(".")}`;
  }
  return "Other 0.0.0";
}

/** `Chrome 120.0.0 / Mac OS X 10.15.7`. Assumption: the names of browsers and systems in a summary of the user agent that no page of the documentation has. */
export const summaryOf = (header: string): string => `${nameIn(header, families)} / ${nameIn(header, systems)}`;
