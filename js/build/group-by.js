// `Map.groupBy` for Node 20, which lacks it: Vitest reports failures with it. Test configurations
// import this file.

Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
