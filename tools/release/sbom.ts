import { createHash } from 'node:crypto';
import type { ShippedPackage } from './shipped-packages.ts';

const purl = ({ name, version, type }: ShippedPackage) =>
  `pkg:${type}/${name.split('/').map(encodeURIComponent).join('/')}@${version}`;

/** A UUID that depends on the content only, so that equal releases have equal lists. */
function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join('-');
}

/** The list of what a release contains, as CycloneDX 1.6. */
export function sbom(version: string, seconds: number, packages: readonly ShippedPackage[]): string {
  const components = packages.map((shipped) => ({
    type: 'library',
    'bom-ref': purl(shipped),
    name: shipped.name,
    version: shipped.version,
    licenses: [{ expression: shipped.license.replace(/^\((.*)\)$/, '$1') }],
    purl: purl(shipped),
  }));
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([version, components]))}`,
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': `kaptain@${version}`, name: 'kaptain', version },
    },
    components,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
