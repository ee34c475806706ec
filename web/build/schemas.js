/**
 * Writes the JSON Schemas of the server's types from their TypeScript declarations: `node build/schemas.js FILE`.
 * `cargo xtask gen` calls it after it has written `src/wire.gen.ts`.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

/** The schemas by name, with references as in an OpenAPI document. */
function schemas() {
  const generator = createGenerator({
    path: fileURLToPath(new URL('../src/wire.gen.ts', import.meta.url)),
    tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    type: '*',
    additionalProperties: false,
    encodeRefs: false,
    skipTypeCheck: true,
  });
  const { definitions = {} } = generator.createSchema('*');
  const named = Object.entries(definitions).map(([name, schema]) => [plain(name), schema]);
  const prefix = '#/definitions/';
  return JSON.parse(JSON.stringify(Object.fromEntries(named)), (key, value) =>
    key === '$ref' ? `#/components/schemas/${plain(value.slice(prefix.length))}` : value,
  );
}

/** OpenAPI allows no angle brackets in names: `BySeat<Hand>` becomes `BySeat-Hand`. */
function plain(name) {
  return name.replace(/[<,]/g, '-').replace(/[>\s]/g, '');
}

/** The schemas as JSON, one a line, so that a change shows which types it concerns. */
export function text() {
  const lines = Object.entries(schemas()).map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

const file = process.argv[2];
if (file?.endsWith('.json')) writeFileSync(file, text());
