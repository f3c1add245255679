/** The address of the section that explains a message or a finding, for one version. */

const guides = (version: string) => `https://github.com/tenantform/tenantform/blob/v${version}/docs/guides`;

export const messagePage = (version: string, code: string) => `${guides(version)}/messages.md#${code}`;

export const findingPage = (version: string, code: string) => `${guides(version)}/findings.md#${code.toLowerCase()}`;

/** The page of a command explains its errors in one section. */
export const withCommandPage = (message: string, command: string, version: string) =>
  `${message} ${messagePage(version, `tenantform-${command}`)}\n`;
