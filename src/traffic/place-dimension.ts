/** Groups places. */
import { cached } from "./cached";
import { createClasses, noText, vectorOf, type Candidate, type Dimension, type List } from "./fact-class";

/** Country and region together, because a region lies in its country. */
export function placeDimension(countries: readonly List[], regions: readonly List[]): Dimension {
  const upper = (text: string) => text.toUpperCase();
  const create = createClasses();
  const ownRegions = [...new Set(regions.flat().map(upper))];
  const ownCountries = [
    ...new Set([...countries.flat().map(upper), ...ownRegions.map((region) => region.slice(0, 2))]),
  ];
  const vector = (country: string, region: string) =>
    `${vectorOf(countries, country, upper)}-${vectorOf(regions, region, upper)}`;
  const placesIn = (country: string): [string, Candidate][] => {
    const inside = ownRegions.filter((region) => country !== noText && region.startsWith(`${country}-`));
    return [noText, ...inside].map((region) => [vector(country, region), { country, subdivision: region }]);
  };
  const unknown = create("country", new Map([noText, ...ownCountries].flatMap(placesIn)));
  const known = cached((country) => {
    const own = ownCountries.includes(upper(country)) ? upper(country) : noText;
    return create("subdivision", new Map(placesIn(own)));
  });
  return { classOf: ({ country }) => (country === undefined ? unknown : known(country)) };
}
