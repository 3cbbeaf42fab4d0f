import { createCache } from '@ant-design/cssinjs';

/** A theme's own entry must go: antd counts how often it is made and dropped, and removes all style sheets of the theme at zero. */
const lasting = /^(style|cssVar)%/;

/**
 * The generated styles of antd's components, kept when the last of a kind has gone. antd would generate the styles of every
 * dialog and every table again when it opens again, a fifth of the time that going from one screen to another takes.
 */
export function lastingStyles() {
  const cache = createCache();
  const update = cache.opUpdate.bind(cache);
  cache.opUpdate = (key, next) =>
    update(key, (before) => next(before) ?? (before && lasting.test(key) ? [0, before[1]] : null));
  return cache;
}
