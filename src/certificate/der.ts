/** The elements of DER (X.690) that certificates are made of. */

function element(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const length = body.length;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), body]);
  if (length < 0x100) return Buffer.concat([Buffer.of(tag, 0x81, length), body]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), body]);
}

export const sequence = (...content: Uint8Array[]) => element(0x30, ...content);
export const set = (...content: Uint8Array[]) => element(0x31, ...content);
export const explicit = (number: number, content: Uint8Array) => element(0xa0 + number, content);
export const implicit = (number: number, content: Uint8Array) => element(0x80 + number, content);
export const integer = (bigEndian: Uint8Array) => element(0x02, bigEndian);
export const boolean = (value: boolean) => element(0x01, Buffer.of(value ? 0xff : 0));
export const octets = (content: Uint8Array) => element(0x04, content);
export const utf8 = (text: string) => element(0x0c, Buffer.from(text));
export const objectId = (hexadecimal: string) => element(0x06, Buffer.from(hexadecimal, "hex"));
export const bits = (content: Uint8Array, unused = 0) => element(0x03, Buffer.of(unused), content);
/** A host name in a subject's alternative names. */
export const dnsName = (host: string) => implicit(2, Buffer.from(host));
/** An address in a subject's alternative names, as its 4 or 16 bytes. */
export const addressName = (address: Uint8Array) => implicit(7, address);

export function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\D/g, "");
  return element(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}
