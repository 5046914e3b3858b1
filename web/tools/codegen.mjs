// Writes src/api/schema.d.ts from the API's description, for the comparison with our own types in
// test/schema.ts. The file is made anew whenever types are checked, so it cannot be out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import openapi, { astToString } from 'openapi-typescript';

const description = new URL('../../docs/openapi.json', import.meta.url);
const target = new URL('../src/api/schema.d.ts', import.meta.url);
// Only the types matter here, not the addresses.
const { openapi: version, info, components } = JSON.parse(readFileSync(description, 'utf8'));
const nodes = await openapi({ openapi: version, info, paths: {}, components });
writeFileSync(target, `// @${'generated'} by \`npm run codegen\`\n${astToString(nodes)}`);
