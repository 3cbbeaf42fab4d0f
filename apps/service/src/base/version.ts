import rootPackage from '../../../../package.json' with { type: 'json' };

/** The version of the service; the package.json of the repository is the only place that states it. */
export const { version } = rootPackage;
