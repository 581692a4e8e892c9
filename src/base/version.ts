/** The one place that reads the version; everything else that shows it imports it from here. */
export { version } from '../../package.json';
