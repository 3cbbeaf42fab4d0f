import type { Plugin } from 'vite';

/**
 * Ant Design's inputs import one context of the form library. By its index they would bring the whole library, which validates
 * the forms behind the login, into the first script.
 */
export const formContext: Plugin = {
  name: 'kaptain:form-context',
  enforce: 'pre',
  resolveId(source, importer) {
    const isContext = source === '@rc-component/form' && importer?.includes('antd/es/form/context');
    return isContext ? this.resolve(`${source}/es/FormContext`, importer) : undefined;
  },
};
