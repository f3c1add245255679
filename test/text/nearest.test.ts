/** The nearest name differs by one or two letters. */
import { nearest } from "../../src/text/nearest";

const names = ["match", "notMatch", "matchAll", "scope", "geoCountryCodes"];

test.each([
  ["matches", undefined],
  ["NotMatch", "notMatch"],
  ["geoCountryCode", "geoCountryCodes"],
  ["rule", undefined],
  ["asn", undefined],
])("the name nearest to %s is %s", (name, near) => expect(nearest(name, names)).toBe(near));
