import { join } from 'node:path';
import { projectRoot } from '../project-root.js';

/** The folder of the merchant's pages. */
export const contentDirectory = join(projectRoot, 'content');
