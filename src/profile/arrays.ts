type Column =
  | Uint8Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/**
 * The column itself if it holds `length` values, else a longer copy. Columns double, so that appending is linear in
 * all, and zero-filled space is not touched until it is used.
 */
export function grown<Kind extends Column>(column: Kind, length: number): Kind {
  if (column.length >= length) return column;
  const Kind = column.constructor as new (length: number) => Kind;
  const longer = new Kind(Math.max(length, column.length * 2));
  longer.set(column);
  return longer;
}
