/** The JSON Schemas of the server's types, one a line. */
export function text(): string;
